// SPDX-License-Identifier: Apache-2.0
// This file ends launches that run, from other threads (Device::endLaunches).
#pragma once

#include <atomic>

namespace clarity::device::cpu {

/// The calling thread executes code of a launch while this object lives. Only launches that have a flag of their own
/// (Launch::ended) can be ended.
class RunningLaunch {
public:
  explicit RunningLaunch(const std::atomic<bool>* ended) : ended_(ended) {
    if (ended_) add();
  }
  ~RunningLaunch() {
    if (ended_) remove();
  }
  RunningLaunch(const RunningLaunch&) = delete;
  RunningLaunch& operator=(const RunningLaunch&) = delete;

  /// Ends the code of all launches with this flag, which is true already, wherever in it they are. Returns when none
  /// runs any more or, should a thread not get to run, after some seconds.
  static void endAll(const std::atomic<bool>& ended);

private:
  void add();
  void remove();

  const std::atomic<bool>* ended_;
};

}  // namespace clarity::device::cpu
