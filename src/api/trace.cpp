// SPDX-License-Identifier: Apache-2.0
// This file writes the lines of the call trace.
#include "api/trace.h"

#include "core/error.h"

#include <fmt/format.h>

#include <string>

namespace clarity::api {
namespace {

using Clock = std::chrono::steady_clock;

/// One line: name, outcome, microseconds, and the sentence of an error that the call had.
void writeLine(const TracedCall& call, const std::string& outcome) {
  const std::chrono::duration<double, std::micro> took = Clock::now() - call.begin;
  std::string line = fmt::format("{} = {} ({:.1f} us)", call.name, outcome, took.count());
  if (core::errorsOfThread() != call.errorsBefore) line.append(": ").append(core::lastError());
  core::traceLine(call.begin, line);
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
