// SPDX-License-Identifier: Apache-2.0
// This file switches between stacks of one thread, and tells the sanitizers.
#pragma once

#include <ucontext.h>

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBERS_WITH_ASAN
#include <sanitizer/common_interface_defs.h>
#elif __has_feature(thread_sanitizer)
#define FIBERS_WITH_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#endif

namespace reference {

/// The context that runs on a stack: one that begin() gives it, or the thread's own, from which others are entered.
class Fiber {
public:
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
#ifdef FIBERS_WITH_TSAN
  ~Fiber() {
    if (isMade_) __tsan_destroy_fiber(fiber_);
  }
#endif

  /// `function` runs when this fiber is entered. It calls arrived() first and leaveForEver() last.
  void begin(void* stack, std::size_t bytes, void (*function)()) {
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack;
    context_.uc_stack.ss_size = bytes;
    context_.uc_link = nullptr;
    makecontext(&context_, function, 0);
#if defined(FIBERS_WITH_ASAN)
    frames_ = nullptr;
    stack_ = stack;
    bytes_ = bytes;
#elif defined(FIBERS_WITH_TSAN)
    if (!isMade_) fiber_ = __tsan_create_fiber(0);
    isMade_ = true;
#endif
  }
  /// Enters `other`, and returns once another one enters this one.
  void leaveFor(Fiber& other) {
    leaving(other, true);
    swapcontext(&context_, &other.context_);
    arrived();
  }
  void leaveForEver(Fiber& other) {
    leaving(other, false);
    setcontext(&other.context_);
  }
  void arrived() {
#ifdef FIBERS_WITH_ASAN
    // Tells the bounds of the stack that was left: those of the thread's own are known from here only.
    __sanitizer_finish_switch_fiber(frames_, &enteredFrom_->stack_, &enteredFrom_->bytes_);
    frames_ = nullptr;
#endif
  }

private:
  void leaving([[maybe_unused]] Fiber& other, [[maybe_unused]] bool comesBack) {
#if defined(FIBERS_WITH_ASAN)
    other.enteredFrom_ = this;
    __sanitizer_start_switch_fiber(comesBack ? &frames_ : nullptr, other.stack_, other.bytes_);
#elif defined(FIBERS_WITH_TSAN)
    if (!fiber_) fiber_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(other.fiber_, 0);
#endif
  }

  ucontext_t context_{};
#ifdef FIBERS_WITH_ASAN
  void* frames_ = nullptr;
  const void* stack_ = nullptr;
  std::size_t bytes_ = 0;
  Fiber* enteredFrom_ = nullptr;
#endif
#ifdef FIBERS_WITH_TSAN
  void* fiber_ = nullptr;
  bool isMade_ = false;
#endif
};

}  // namespace reference
