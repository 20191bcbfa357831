// SPDX-License-Identifier: Apache-2.0
// This file is the command-queue: it gives commands their order; its device's stream executes them.
#pragma once

#include "core/context.h"
#include "core/device.h"
#include "core/object.h"
#include "core/ref.h"
#include "device/stream.h"
#include "sched/command.h"
#include "sched/event.h"
#include "support/spin_lock.h"

#include <CL/cl.h>

#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace clarity::sched {

/// The commands of its command-queue that a command is ordered with, apart from its wait list.
enum class Order : std::uint8_t {
  Normal,       ///< after the one before it if the command-queue is in order, and after the last barrier
  AfterAll,     ///< after all before it: a marker without a wait list
  Barrier,      ///< Normal, and all that follow come after it: a barrier with a wait list
  FullBarrier,  ///< both
};

/// Where to write what becomes of the command that the application's call enqueues; null: nowhere.
device::CommandOutcome* outcomeFor(const Command& command) noexcept;

/// OpenCL 3.0, section 5.1. Thread-safe. Its commands keep it alive.
class Queue final : public core::ApiObject<Queue, _cl_command_queue> {
public:
  /// `propertiesArray` as clCreateCommandQueueWithProperties was given it, with the 0; empty otherwise.
  Queue(core::Context& context, core::Device& device, cl_command_queue_properties properties,
        std::vector<cl_queue_properties> propertiesArray);
  /// An on-device command-queue of so many bytes. Kernels enqueue to it; no other member function is for it but those
  /// that say what it is. CL_OUT_OF_RESOURCES if there are too many.
  Queue(core::Context& context, core::Device& device, cl_command_queue_properties properties,
        std::vector<cl_queue_properties> propertiesArray, cl_uint bytes);
  ~Queue() override;

  /// Returns when everything that was enqueued before to any command-queue of the context has ended.
  static void finishAll(core::Context& context);

  core::Context& context() const { return context_; }
  core::Device& device() const { return device_; }
  cl_command_queue_properties properties() const { return properties_; }
  const std::vector<cl_queue_properties>& propertiesArray() const { return propertiesArray_; }
  bool isOutOfOrder() const { return properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE; }
  bool isOnDevice() const { return properties_ & CL_QUEUE_ON_DEVICE; }
  cl_uint bytes() const { return bytes_; }  ///< the size of an on-device command-queue
  bool isProfiled() const { return properties_ & CL_QUEUE_PROFILING_ENABLE; }
  /// Whether its stream takes the times of operations: for the application, or for a profile of the process.
  bool hasTimes() const { return hasTimes_; }
  /// Whether its device orders operations itself (Properties::ordersOperations).
  bool ordersOperations() const { return ordersOperations_; }
  /// The stream to which its commands' operations are submitted.
  device::Stream& stream() const { return *stream_; }

  /// Enqueues a command. The caller owns the application's reference to the event.
  Event& enqueue(std::unique_ptr<Command> command, std::span<const Ref<Event>> waitList, Order order = Order::Normal);
  /// The same in two steps: the event of a command, and what enqueues it. After an error of the second the event ends
  /// with its last reference.
  RefPtr<Event> make(std::unique_ptr<Command> command, Event::Seen seen);
  void enqueue(RefPtr<Event> event, std::span<const Ref<Event>> waitList, Order order = Order::Normal);

  /// Has everything that was enqueued executed without any thread waiting for it (clFlush).
  void flush() { stream_->flush(); }
  /// Returns when everything that was enqueued before has ended (clFinish).
  void finish();

  /// The error code of a command that failed on the device since the last call of takeFailure(), or CL_SUCCESS.
  cl_int failure() const { return failure_.load(std::memory_order_relaxed); }
  cl_int takeFailure() {
    if (failure() == CL_SUCCESS) [[likely]]
      return CL_SUCCESS;
    return failure_.exchange(CL_SUCCESS, std::memory_order_relaxed);
  }
  /// Whether commands of this type that are next do not run, because they come after one that has failed: in order,
  /// until takeFailure(). Commands that free memory always run.
  bool refuses(cl_command_type type) const {
    return failure() != CL_SUCCESS && !isOutOfOrder() && type != CL_COMMAND_SVM_FREE;
  }
  /// The sentence of the last command that failed.
  std::string failureText() const;

private:
  friend class core::ApiObject<Queue, _cl_command_queue>;
  friend class Event;
  friend class Replayed;

  /// Releasing a command-queue flushes it (clReleaseCommandQueue).
  void onLastRelease() noexcept {
    if (!isOnDevice()) flush();
  }
  void commandFailed(cl_int code, const std::string& text);
  void commandEnded(Event&);
  /// Makes the event wait for those before it.
  void arrange(Event&, Order);
  /// Makes an event wait for events before a command of Order::Normal; call with mutex_ locked.
  void orderNormally(Event&);
  /// Commands that are enqueued from now on come after the event, as Order::Normal says; call with mutex_ locked. The
  /// event that this was true of before is to be released after the lock.
  [[nodiscard]] RefPtr<Event> append(Event&) noexcept;
  std::vector<Ref<Event>> unfinished() const;  ///< call with mutex_ locked

  Ref<core::Context> context_;
  Ref<core::Device> device_;
  cl_command_queue_properties properties_;
  std::vector<cl_queue_properties> propertiesArray_;
  bool ordersOperations_ = false, hasTimes_ = false;
  cl_uint bytes_ = 0;
  std::unique_ptr<device::Stream> stream_;
  std::atomic<cl_int> failure_{CL_SUCCESS};

  mutable support::SpinLock mutex_;  ///< guards what follows
  std::string failureText_;
  RefPtr<Event> last_;       ///< in order: the last command if it has not ended
  RefPtr<Event> barrier_;    ///< out of order: the last barrier if it has not ended
  Event* oldest_ = nullptr;  ///< out of order: all commands that have not ended, each with an internal count
  Event* newest_ = nullptr;
};

}  // namespace clarity::sched
