// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of markers, barriers, events and callbacks share: a command that can be held back, and a
// callback that can be waited for.
#pragma once

#include "enqueue_checks.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace clarity::test {

/// How long a test waits for something that comes on another thread before it says that it never came. Not a demand
/// on speed: on a driver that works it is never waited out.
constexpr std::chrono::seconds kNever{60};

/// A buffer of 64 cl_uint and commands that change them; `gate` holds back the commands that are enqueued with it.
struct OrderTest : OpenCL {
  cl_mem cell = nullptr;
  cl_command_queue anyOrder = nullptr;  ///< out of order

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    cell = bufferOf(std::vector<cl_uint>(64));
    anyOrder = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    atEnd([this] { finishAll(); });
  }
  /// Enqueues that the first cell, or the one at `at`, becomes `value`; kept until the end of the test. Commands that
  /// may run at the same time take different cells.
  cl_event set(cl_command_queue on, cl_uint value, std::vector<cl_event> waits = {}, std::size_t at = 0) {
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueFillBuffer(on, cell, &value, sizeof value, at * sizeof value, sizeof value,
                                       static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                                       &event));
    return keep(event);
  }
  cl_uint value() { return read<cl_uint>(cell, 1)[0]; }
  static void open(cl_event gate) { ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE)); }
  static void wait(cl_event event) { ASSERT_SUCCESS(clWaitForEvents(1, &event)); }
  /// The command has not started: something that it waits for is still open.
  static bool isPending(cl_event event) { return statusOf(event) >= CL_SUBMITTED; }

  /// Enqueues the command; its event is kept.
  cl_event enqueued(const Enqueue& enqueue, cl_command_queue on, std::vector<cl_event> list = {}) {
    cl_event event = nullptr;
    EXPECT_SUCCESS(enqueue(on, static_cast<cl_uint>(list.size()), list.empty() ? nullptr : list.data(), &event));
    return keep(event);
  }
  /// A marker or barrier without a list comes after all commands before it, in an out-of-order queue too.
  void expectAfterEverything(const Enqueue& enqueue);
  /// With a list it waits for that alone: an earlier command of an out-of-order queue may still be held back.
  void expectAfterItsListAlone(const Enqueue& enqueue);

private:
  void finishAll() {
    if (anyOrder != nullptr) clFinish(anyOrder);
  }
};

/// Collects the calls of event callbacks.
class Calls {
public:
  struct Call {
    cl_event event;
    cl_int status;
  };
  static void CL_CALLBACK note(cl_event event, cl_int status, void* calls) {
    auto* self = static_cast<Calls*>(calls);
    const std::lock_guard hold(self->lock_);
    self->calls_.push_back({event, status});
    self->came_.notify_all();
  }
  /// The calls, as soon as there are n of them (or fewer, and a failure of the test, when they never come).
  std::vector<Call> waitFor(size_t n) {
    std::unique_lock hold(lock_);
    EXPECT_TRUE(came_.wait_for(hold, kNever, [&] { return calls_.size() >= n; }))
        << calls_.size() << " of " << n << " callbacks came";
    return calls_;
  }
  size_t count() {
    const std::lock_guard hold(lock_);
    return calls_.size();
  }

private:
  std::mutex lock_;
  std::condition_variable came_;
  std::vector<Call> calls_;
};

}  // namespace clarity::test
