// SPDX-License-Identifier: Apache-2.0
// This file leads the events of instrumented code to the observer of the launch that its thread executes, and answers
// what that code asks about memory.
#pragma once

#include "device/cpu/loop_watch.h"
#include "device/observer.h"

#include <cstddef>
#include <span>
#include <vector>

namespace clarity::device::cpu {

/// Lets generated code call support/observer_hooks.h. Ahead of the first code that is loaded.
void provideObserverHooks();

/// While it lives, events of this thread go to the observer. Null: the thread executes no observed launch.
class Observing {
public:
  /// `memory`: of arguments, by their index; null where nothing is known of it, and no access is refused. `local`: a
  /// work-group's local memory. `mostSeconds`: of a work-item in loops; 0: no limit. `looksAtCells`: the code is for
  /// CheckRaces.
  explicit Observing(LaunchObserver* observer, const std::vector<ObservedMemory>* memory = nullptr,
                     std::span<std::byte> local = {}, double mostSeconds = 0, bool looksAtCells = false);
  ~Observing();
  Observing(const Observing&) = delete;

private:
  LaunchObserver* observerBefore_;
  const std::vector<ObservedMemory>* memoryBefore_;
  std::span<std::byte> localBefore_;
  support::RaceInterval intervalBefore_;
  LoopWatch loops_;
  bool looksAtCells_;
};

/// Whether code of this thread has left its slice (Instrumentation::Bounds) since this was asked.
bool wasSliceLeft();

}  // namespace clarity::device::cpu
