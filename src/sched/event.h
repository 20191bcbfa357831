// SPDX-License-Identifier: Apache-2.0
// This file is the event: one command, or the application's own condition, with everything that waits for it.
#pragma once

#include "core/context.h"
#include "core/object.h"
#include "core/ref.h"

#include <CL/cl.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace clarity::sched {

using core::Ref;
using core::RefPtr;

class Command;
class Executor;
class Queue;

/// How an event hangs on an earlier one.
enum class Edge : std::uint8_t {
  Order,   ///< it only comes later: the command before it in a command-queue
  Result,  ///< it needs what the earlier one does: its wait list. An error of the earlier one ends it too.
};

/// The four times of a command (OpenCL 3.0, section 5.14), nanoseconds of the device's clock.
struct ProfilingTimes {
  cl_ulong queued = 0, submitted = 0, started = 0, ended = 0;
};

/// OpenCL 3.0, section 5.11.
///
/// A command's event goes from CL_QUEUED to CL_SUBMITTED when nothing that it waits for is left, to CL_RUNNING and then
/// to CL_COMPLETE or an error, never back. It counts what it waits for (one more until submit(), so that it does not
/// start while edges are still being added) and knows what waits for it. Edges lead from earlier to later events only,
/// so there are no circles, and an event keeps those that wait for it alive.
class Event final : public core::ApiObject<Event, _cl_event> {
public:
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int status, void* userData);

  /// A user event: CL_SUBMITTED until setUserStatus().
  explicit Event(core::Context&);
  /// The event of a command; CL_QUEUED.
  Event(Queue&, std::unique_ptr<Command>);
  ~Event() override;

  core::Context& context() const { return context_; }
  Queue* queue() const { return queue_.get(); }  ///< null for a user event
  cl_command_type type() const { return type_; }
  bool isUser() const { return type_ == CL_COMMAND_USER; }
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  bool finished() const { return status() <= CL_COMPLETE; }
  /// Valid when finished.
  const ProfilingTimes& times() const { return times_; }

  /// Has `callback` called once, when the status is `type` or further (CL_SUBMITTED, CL_RUNNING, CL_COMPLETE).
  void addCallback(cl_int type, Callback callback, void* userData);
  /// Ends a user event. CL_INVALID_OPERATION if it has ended already.
  void setUserStatus(cl_int status);

  /// Makes this event wait for an earlier one. Before submit().
  void dependOn(Event& earlier, Edge edge);
  /// No more edges come: the command is executed when there are none left.
  void submit();

  /// Executes the command and ends the event. Called once, by the executor.
  void execute();
  /// Whether it is worth waking a thread for the command.
  bool isHeavy() const { return heavy_; }
  /// Blocks until the event has ended; does not help.
  void block() const;

private:
  friend class Executor;

  struct Dependent {
    RefPtr<Event> event;
    Edge edge = Edge::Order;
  };
  /// A list whose first element, mostly the only one, needs no memory of its own.
  struct Dependents {
    Dependent first;
    std::vector<Dependent> others;
    void add(Event& event, Edge edge);
  };
  struct PendingCallback {
    cl_int type;
    Callback function;
    void* userData;
  };

  /// One edge less. True when it was the last one.
  bool settle() { return pending_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  /// Nothing is left to wait for: goes to the executor or, after an error, to `failed`.
  void becomeReady(std::vector<RefPtr<Event>>& failed, bool fromEnqueue);
  /// Ends the event and all that its error ends.
  void finish(cl_int status);
  void finishOne(cl_int status, std::vector<RefPtr<Event>>& failed);
  /// Sets a status and hands over the callbacks that are due; call with mutex_ locked.
  void advance(cl_int status);
  void stamp(cl_ulong ProfilingTimes::* time);

  Ref<core::Context> context_;
  RefPtr<Queue> queue_;
  std::unique_ptr<Command> command_;  ///< until it has been executed
  cl_command_type type_;
  bool heavy_ = false;
  bool profiled_ = false;
  std::atomic<bool> poisoned_{false};  ///< an event of the wait list ended with an error
  std::atomic<cl_int> status_;
  std::atomic<std::uint32_t> pending_{1};
  ProfilingTimes times_;

  std::mutex mutex_;  ///< guards what follows, and changes of status_
  Dependents dependents_;
  std::vector<PendingCallback> callbacks_;  ///< the statuses that come first, first

  // Links of lists; guarded by the lock of the list.
  friend class Queue;
  Event* nextReady_ = nullptr;                        ///< Executor
  Event *previousInQueue_ = nullptr, *nextInQueue_ = nullptr;  ///< Queue
};

}  // namespace clarity::sched
