// SPDX-License-Identifier: Apache-2.0
// This file switches between stacks with the C library's contexts.
#include "device/cpu/sub_groups.h"

#include "support/fault_guard.h"
#include "support/sub_group_hooks.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace clarity::device::cpu {
namespace {

/// For calls, registers that do not suffice, and printf.
constexpr std::size_t besideVariables = 256 * 1024;
/// Of vectors in a frame.
constexpr std::size_t frameAlignment = 64;
/// What a sub-group waits for is mostly done by one that has not begun or has just been resumed, so a loop that waits
/// gains nothing from many checks; but a loop that need not wait should not pay for a switch in each iteration.
constexpr unsigned callsBetweenPauses = 16;

std::size_t pageSize() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

struct SubGroups::Task {
  ~Task() {
    if (memory) munmap(memory, bytes);
  }

  /// A stack with an inaccessible page below it.
  bool allocate(std::size_t stackBytes) {
    bytes = (stackBytes + 2 * pageSize() - 1) / pageSize() * pageSize();
    void* const place =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (place == MAP_FAILED) return false;
    memory = static_cast<std::byte*>(place);
    return mprotect(memory, pageSize(), PROT_NONE) == 0;
  }

  void begin(Body function, const void* values, std::size_t valuesBytes) {
    body = function;
    ended = false;
    turns = 0;
    const std::size_t top = (bytes - valuesBytes) / frameAlignment * frameAlignment;
    frame = memory + top;
    if (valuesBytes) std::memcpy(frame, values, valuesBytes);
    getcontext(&own);
    own.uc_stack.ss_sp = memory + pageSize();
    own.uc_stack.ss_size = top - pageSize();
    own.uc_link = nullptr;
    makecontext(&own, reinterpret_cast<void (*)()>(&Task::main), 0);
  }

  static void main() {
    Task& task = *mine().running_;
    task.body(task.frame);
    task.ended = true;
    setcontext(&task.caller);
  }

  ucontext_t own{}, caller{};
  Body body = nullptr;
  std::byte* memory = nullptr;
  std::byte* frame = nullptr;
  std::size_t bytes = 0;
  unsigned turns = 0;
  bool ended = false;
};

SubGroups::SubGroups() = default;
SubGroups::~SubGroups() = default;

SubGroups& SubGroups::mine() {
  thread_local SubGroups groups;
  return groups;
}

void SubGroups::run(Body body, const void* frame, std::size_t frameBytes, std::size_t stackBytes) {
  const std::size_t needed = frameBytes + frameAlignment + stackBytes + besideVariables;
  while (!idle_.empty() && idle_.back()->bytes < needed) idle_.pop_back();  // of a kernel before
  std::unique_ptr<Task> task;
  if (idle_.empty()) {
    task = std::make_unique<Task>();
    if (!task->allocate(needed))
      support::FaultGuard::abandon(fmt::format(
          "waits in its sub-groups for each other: there is no memory for stacks of {} bytes for more than {} of them",
          needed, waiting_.size()));
  } else {
    task = std::move(idle_.back());
    idle_.pop_back();
  }
  task->begin(body, frame, frameBytes);
  resume(std::move(task));
}

void SubGroups::resume(std::unique_ptr<Task> task) {
  running_ = std::move(task);
  const support::FaultGuard::OtherStack stack(running_->memory);
  swapcontext(&running_->caller, &running_->own);
  if (running_->ended)
    idle_.push_back(std::move(running_));
  else
    waiting_.push_back(std::move(running_));
}

void SubGroups::pause() {
  if (!running_ || ++running_->turns % callsBetweenPauses != 0) return;
  swapcontext(&running_->own, &running_->caller);
}

void SubGroups::finish() {
  while (!waiting_.empty()) {
    std::unique_ptr<Task> next = std::move(waiting_.front());
    waiting_.pop_front();
    resume(std::move(next));
  }
}

void SubGroups::abandon() {
  if (running_) idle_.push_back(std::move(running_));
  std::move(waiting_.begin(), waiting_.end(), std::back_inserter(idle_));
  waiting_.clear();
}

}  // namespace clarity::device::cpu

using clarity::device::cpu::SubGroups;

extern "C" void __clarity_run_sub_group(void (*body)(const void*), const void* frame, std::uint64_t frameBytes,
                                        std::uint64_t stackBytes) {
  SubGroups::mine().run(body, frame, frameBytes, stackBytes);
}

extern "C" void __clarity_let_sub_groups_run() { SubGroups::mine().pause(); }

extern "C" void __clarity_finish_sub_groups() { SubGroups::mine().finish(); }
