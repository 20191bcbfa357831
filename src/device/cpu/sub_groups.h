// SPDX-License-Identifier: Apache-2.0
// This file is what a thread needs to run sub-groups that wait for each other: a stack for each that has begun and not
// ended. Generated code calls it through support/sub_group_hooks.h.
#pragma once

#include <cstddef>
#include <cstdint>

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

  /// Runs body(a copy of the frame) until it ends or pauses. `stackBytes`: of its variables; it has at least as much as
  /// the kernel itself (KernelStack::frameBytes). Leaves the kernel (support::FaultGuard::abandon) when there is no
  /// memory for its stack.
  void run(Body body, const void* frame, std::size_t frameBytes, std::size_t stackBytes);
  /// Inside a body: lets the others run, at some of the calls. Elsewhere it does nothing.
  void pause();
  /// Runs all that have begun to their ends.
  void finish();
  /// Forgets those that have begun: after a fault, which leaves them where they are.
  void abandon();

  /// Whether an address lies on the stack of one that has begun and not ended.
  bool stacksContain(const void* address) const;

private:
  struct Task;
  /// Tasks linked to each other: what a fault interrupts is a few assignments, and nothing is allocated.
  struct List {
    Task *first = nullptr, *last = nullptr;
    void append(Task&);
    Task* takeFirst();
  };

  /// One whose stack has so many bytes; null when there is no memory.
  Task* idleTask(std::size_t bytes);
  void resume(Task&);
  static void main();

  Task* running_ = nullptr;
  List waiting_;  ///< in turn
  List idle_;
  Task* all_ = nullptr;
  std::size_t count_ = 0;  ///< the number of all
};

}  // namespace clarity::device::cpu
