// SPDX-License-Identifier: Apache-2.0
// This file is what a thread needs to run sub-groups that wait for each other: a stack for each that has begun and not
// ended. Generated code calls it through support/sub_group_hooks.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace clarity::device::cpu {

/// The sub-groups of one work-group, on the thread that executes it. One at a time runs until it ends or pauses.
class SubGroups {
public:
  using Body = void (*)(const void* frame);

  SubGroups();
  ~SubGroups();
  SubGroups(const SubGroups&) = delete;

  /// This thread's.
  static SubGroups& mine();

  /// Runs body(a copy of the frame) until it ends or pauses. `stackBytes`: of its variables. Leaves the kernel
  /// (support::FaultGuard::abandon) when there is no memory for its stack.
  void run(Body body, const void* frame, std::size_t frameBytes, std::size_t stackBytes);
  /// Inside a body: lets the others run, at some of the calls. Elsewhere it does nothing.
  void pause();
  /// Runs all that have begun to their ends.
  void finish();
  /// Forgets those that have begun: after a fault, which leaves them where they are.
  void abandon();

private:
  struct Task;
  void resume(std::unique_ptr<Task>);

  std::unique_ptr<Task> running_;
  std::deque<std::unique_ptr<Task>> waiting_;  ///< in turn
  std::vector<std::unique_ptr<Task>> idle_;
};

}  // namespace clarity::device::cpu
