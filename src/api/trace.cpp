// SPDX-License-Identifier: Apache-2.0
// This file writes the lines of the call trace.
#include "api/trace.h"

#include "core/config.h"
#include "core/error.h"

#include <fmt/format.h>

#include <unistd.h>
#include <cstdio>
#include <string>

namespace clarity::api {
namespace {

using Clock = std::chrono::steady_clock;

/// Never closed: calls may come until the very end of the process.
std::FILE* traceFile() {
  static std::FILE* const file = [] {
    const std::string& where = core::config().trace;
    if (where == "1" || where == "stderr") return stderr;
    std::FILE* const opened = std::fopen(where.c_str(), "w");
    return opened ? opened : stderr;
  }();
  return file;
}

/// One line: seconds since the first call, thread, name, outcome, microseconds.
void writeLine(const TracedCall& call, const std::string& outcome) {
  static const Clock::time_point first = call.begin;
  const std::chrono::duration<double> at = call.begin - first;
  const std::chrono::duration<double, std::micro> took = Clock::now() - call.begin;
  const std::string line =
      fmt::format("{:12.6f} {:7} {} = {} ({:.1f} us)\n", at.count(), gettid(), call.name, outcome, took.count());
  std::fwrite(line.data(), 1, line.size(), traceFile());
  std::fflush(traceFile());
}

}  // namespace

void TracedCall::ended(cl_int code) const noexcept {
  try {
    writeLine(*this, core::errorName(code));
  } catch (...) {
    // A trace without memory for a line is a trace without that line.
  }
}

void TracedCall::ended(const void* result) const noexcept {
  try {
    writeLine(*this, result ? fmt::format("{}", result) : "null");
  } catch (...) {
  }
}

void TracedCall::ended() const noexcept {
  try {
    writeLine(*this, "done");
  } catch (...) {
  }
}

}  // namespace clarity::api
