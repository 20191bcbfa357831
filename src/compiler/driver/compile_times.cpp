// SPDX-License-Identifier: Apache-2.0
// This file takes the times of compiles where something listens.
#include "compiler/driver/compile_times.h"

#include "support/clock.h"

#include <atomic>
#include <exception>

namespace clarity::compiler {
namespace {

constinit std::atomic<void (*)(const CompileTimes&)> theListener{nullptr};

}  // namespace

void listenToCompiles(void (*listener)(const CompileTimes&)) { theListener = listener; }

TimedCompile::TimedCompile(std::string_view what) : listener_(theListener) {
  if (listener_) times_ = {.what = what, .kernel = {}, .begin = support::hostTime()};
}

TimedCompile::TimedCompile(std::string_view kernel, const Shape& shape, std::string_view what) : TimedCompile(what) {
  times_.kernel = kernel;
  times_.isQuick = shape.quick;
  times_.isCounted = shape.instrumentation == Instrumentation::Count;
}

TimedCompile::~TimedCompile() {
  if (!listener_) return;
  times_.end = support::hostTime();
  try {
    listener_(times_);
  } catch (const std::exception&) {
    // A profile without memory for a compile is a profile without it.
  }
}

}  // namespace clarity::compiler
