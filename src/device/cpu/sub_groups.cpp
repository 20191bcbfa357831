// SPDX-License-Identifier: Apache-2.0
// This file lets sub-groups take turns, each on a stack of its own.
#include "device/cpu/sub_groups.h"

#include "device/cpu/kernel_stack.h"
#include "support/fault_guard.h"
#include "support/sub_group_hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// The alignment of vectors in a frame.
constexpr std::size_t frameAlignment = 64;
/// Work that a sub-group waits for is mostly done by one that has not begun or has just been resumed, so a loop that
/// waits gains nothing from many checks; but a loop that need not wait should not pay for a switch in each iteration.
constexpr unsigned callsBetweenPauses = 16;

}  // namespace

/// A sub-group that has begun, or a stack for one.
struct SubGroups::Task {
  using OtherStack = support::FaultGuard::OtherStack;

  void begin(Body function, const void* values, std::size_t valuesBytes) {
    body = function;
    ended = false;
    turns = 0;
    frames = nullptr;
    frame = stack.top() - (valuesBytes + frameAlignment - 1) / frameAlignment * frameAlignment;
    if (valuesBytes) std::memcpy(frame, values, valuesBytes);
    own = beginningAt(frame, &SubGroups::main);
  }

  Stack stack;
  Task* next = nullptr;       ///< in the list that it is in
  Task* nextOfAll = nullptr;  ///< made before it
  Continuation own = nullptr, caller = nullptr;
  OtherStack* switched = nullptr;
  void* frames = nullptr;  ///< OtherStack::leaving
  Body body = nullptr;
  std::byte* frame = nullptr;
  unsigned turns = 0;
  bool ended = false;
};

void SubGroups::List::append(Task& task) {
  task.next = nullptr;
  (first ? last->next : first) = &task;
  last = &task;
}

SubGroups::Task* SubGroups::List::takeFirst() {
  Task* const task = first;
  if (task) first = task->next;
  return task;
}

SubGroups::SubGroups() = default;

SubGroups::~SubGroups() {
  while (Task* const task = all_) {
    all_ = task->nextOfAll;
    task->stack.unmap();
    delete task;
  }
  waiting_ = idle_ = {};
  count_ = 0;
}

SubGroups& SubGroups::mine() {
  thread_local SubGroups groups;
  return groups;
}

// ThreadSanitizer counts calls and returns of each thread, and this function does not return.
[[clang::disable_sanitizer_instrumentation]] void SubGroups::main() {
  Task& task = *mine().running_;
  task.switched->arrived(nullptr);
  task.body(task.frame);
  task.ended = true;
  task.switched->leaving(nullptr);
  Continuation never = nullptr;
  switchTo(task.caller, never);
  __builtin_unreachable();
}

SubGroups::Task* SubGroups::idleTask(std::size_t bytes) {
  Task* task = idle_.takeFirst();
  if (!task) {
    task = new (std::nothrow) Task;
    if (!task) return nullptr;
    task->nextOfAll = all_;
    all_ = task;
    ++count_;
  }
  if (task->stack.bytes() >= bytes) return task;
  task->stack.unmap();
  if (task->stack.map(bytes)) return task;
  idle_.append(*task);
  return nullptr;
}

void SubGroups::run(Body body, const void* frame, std::size_t frameBytes, std::size_t stackBytes) {
  const std::size_t frames = std::max<std::size_t>(stackBytes, KernelStack::mine().frameBytes());
  const std::size_t needed = frameBytes + frameAlignment + frames + stackBesideFrames;
  Task* task = nullptr;
  {
    // A request to end the launch must not come where locks are held.
    const support::FaultGuard::Outside outside;
    task = idleTask(needed);
  }
  if (!task) {
    std::array<char, support::FaultGuard::mostText> text;  // nothing that had to be freed: this frame is left
    const auto end = fmt::format_to_n(
        text.data(), text.size(),
        "waits in its sub-groups for each other: there is no memory for stacks of {} bytes for more than {} of them",
        needed, count_);
    support::FaultGuard::abandon({text.data(), static_cast<std::size_t>(end.out - text.data())});
    return;
  }
  task->begin(body, frame, frameBytes);
  resume(*task);
}

void SubGroups::resume(Task& task) {
  running_ = &task;
  {
    support::FaultGuard::OtherStack switched(task.stack.range());
    task.switched = &switched;
    switchTo(task.own, task.caller);
  }
  running_ = nullptr;
  (task.ended ? idle_ : waiting_).append(task);
}

void SubGroups::pause() {
  if (!running_ || ++running_->turns % callsBetweenPauses != 0) return;
  Task& task = *running_;
  task.switched->leaving(&task.frames);
  switchTo(task.caller, task.own);
  task.switched->arrived(task.frames);
}

void SubGroups::finish() {
  while (Task* const next = waiting_.takeFirst()) resume(*next);
}

void SubGroups::abandon() {
  running_ = nullptr;
  waiting_ = idle_ = {};
  for (Task* task = all_; task; task = task->nextOfAll) idle_.append(*task);
}

bool SubGroups::stacksContain(const void* address) const {
  if (running_ && running_->stack.range().contains(address)) return true;
  for (const Task* task = waiting_.first; task; task = task->next)
    if (task->stack.range().contains(address)) return true;
  return false;
}

}  // namespace clarity::device::cpu

using clarity::device::cpu::SubGroups;

extern "C" void __clarity_run_sub_group(void (*body)(const void*), const void* frame, std::uint64_t frameBytes,
                                        std::uint64_t stackBytes) {
  SubGroups::mine().run(body, frame, frameBytes, stackBytes);
}

extern "C" void __clarity_let_sub_groups_run() { SubGroups::mine().pause(); }

extern "C" void __clarity_finish_sub_groups() { SubGroups::mine().finish(); }
