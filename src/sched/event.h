// SPDX-License-Identifier: Apache-2.0
// This file is the event: one command, or a condition of the application's, with everything that waits for it.
#pragma once

#include "core/context.h"
#include "core/error.h"
#include "core/object.h"
#include "core/ref.h"
#include "device/recorded_command.h"
#include "device/stream.h"
#include "sched/dependents.h"
#include "support/spin_lock.h"

#include <CL/cl.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clarity::sched {

using core::Ref;
using core::RefPtr;

struct Command;
class Placement;
class Queue;

/// The times of a command (OpenCL 3.0, section 5.14), nanoseconds of the device's clock.
struct ProfilingTimes {
  cl_ulong queued = 0, submitted = 0, started = 0, ended = 0;
  cl_ulong completed = 0;  ///< with all that its kernel has enqueued; 0: when it ended
};

/// OpenCL 3.0, section 5.11.
///
/// The events of a context are a graph that runs as a state machine; no thread waits inside it. An event counts the
/// edges that it waits for (one more until submit(), so that it does not start while edges are still being added) and
/// has a list of the events that wait for it. When its last edge is removed it is *ready*: CL_SUBMITTED. Then content
/// is moved to where the command needs it (placement.h), the command's operation is submitted to the stream of its
/// command-queue, and the device reports when it starts (CL_RUNNING) and ends (CL_COMPLETE or an error). Commands
/// without operation end at once. All steps run on the thread that caused them: the enqueuing one, the one on which the
/// device reports, or the one that sets the status of a user event.
///
/// A command that fails on the device leaves its command-queue failed (Queue::failure): in order, what comes after it
/// ends with CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, as what has it in its wait list does.
///
/// An edge is removed when the earlier event ends. Where both have operations on one device that orders them itself
/// (Properties::ordersOperations) it is removed when the earlier operation has been submitted already, and the device
/// gets the later one with the order to start it afterwards.
///
/// Edges lead from earlier to later events only, so there are no cycles. An event keeps those that wait for it alive,
/// and itself from the submission of its operation until its end.
///
/// The application does not see most events: then no caller asks for their status before they end, and all that tells
/// it is left out.
class Event final : public core::ApiObject<Event, _cl_event>, private device::Submission {
public:
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int status, void* userData);

  /// A callback that the application wants called. Made before it is due, so that what is then done needs no memory.
  struct Notice {
    cl_int type;  ///< the status that it is for
    Callback function;
    void* userData;
    RefPtr<Event> event;  ///< null until it is due, as what follows
    cl_int status = 0;
    std::unique_ptr<Notice> next;  ///< the next one of the Notifier's
  };

  /// A user event: CL_SUBMITTED until setUserStatus().
  explicit Event(core::Context&);
  /// Whether the application gets the event of a command.
  enum class Seen : bool { No, Yes };
  /// The event of a command; CL_QUEUED. The application has a reference if it sees the event; otherwise there is the
  /// internal count alone, which is the caller's.
  /// `outcome`: what becomes of it is written there; null: nowhere.
  Event(Queue&, std::unique_ptr<Command>, Seen = Seen::Yes, device::CommandOutcome* outcome = nullptr);
  ~Event() override;

  core::Context& context() const { return context_; }
  Queue* queue() const { return queue_.get(); }  ///< null for a user event
  /// Whether its command is on several command-queues, of which queue() is one.
  bool isOfSeveralQueues() const { return ofSeveralQueues_; }
  cl_command_type type() const { return type_; }
  bool isUser() const { return type_ == CL_COMMAND_USER; }
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  bool finished() const { return status() <= CL_COMPLETE; }
  /// Valid when finished with an error: the sentence of the command that failed or, of an event that ended with others
  /// or was ended by the application, the name of the status.
  std::string failureText() const { return failureText_ ? *failureText_ : core::errorName(status()); }
  /// Valid when finished.
  const ProfilingTimes& times() const { return times_; }
  const device::CommandOutcome* outcome() const { return outcome_; }

  /// Has `callback` called once, when the status is `type` or further (CL_SUBMITTED, CL_RUNNING, CL_COMPLETE).
  void addCallback(cl_int type, Callback callback, void* userData);
  /// Ends a user event. CL_INVALID_OPERATION if it has ended already.
  void setUserStatus(cl_int status);

  /// Makes this event wait for an earlier one. Before submit().
  void dependOn(Event& earlier, Edge edge);
  /// No more edges come: the command runs when there are none left.
  static void submit(RefPtr<Event> event);
  void submit() { submit(RefPtr<Event>(this)); }
  /// Ends the event of a command that has not begun with CL_CONTEXT_TERMINATED_KHR: its context has been terminated.
  void terminate();
  /// Returns when the event has ended. The calling thread executes operations meanwhile if the device wants it to.
  void wait();

private:
  friend class Placement;
  friend class Queue;
  friend class Replayed;
  friend class Semaphore;

  class Stack;
  struct Work;  // event_work.h

  /// One edge less. True when it was the last one: then no other thread has one to count.
  bool removeEdge() {
    return pending_.load(std::memory_order_acquire) == 1 || pending_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  /// Nothing is left to wait for: the command runs or, without operation or after an error, the event goes to `work`.
  /// Without a RefPtr of its own where nothing is left to keep: the caller's becomes that of the operation.
  static void becomeReady(RefPtr<Event> event, Work& work, device::Start start);
  static void finishWork(Work& work);
  /// Whether content may have to be moved before the command runs.
  bool needsPlacement() const;
  /// Content is where the command needs it, or could not be moved there.
  void placed(device::Result result);
  /// For an event that ends without its operation: whether all operations that it comes after have ended. If not, it
  /// waits for them as if the device did not order them, because what follows in its command-queue comes after them
  /// too.
  bool earlierEnded();
  static void submitOperation(RefPtr<Event> event, Work& work, device::Start start);
  /// The same on a device that orders operations: with the operations before it and with those after it.
  void submitInOrder(Work& work, device::Start start);
  /// An event that this one waits for has ended with an error.
  void earlierFailed(cl_int status, Edge edge) noexcept;
  /// Drops the command and reports a failure to the application. Returns the final status.
  cl_int conclude(const device::Result& result);

  // device::Submission
  void started() noexcept override;
  void complete(device::Result result, const device::Times& times) noexcept override;
  bool ended() const noexcept override { return finished(); }

  /// Ends the event and all that end with it.
  void finish(cl_int status);
  void finishOne(cl_int status, Work& work);
  /// Sets a status and hands over the callbacks that are due; call with mutex_ locked.
  void advance(cl_int status);
  /// The same with a status of a command that has not ended.
  void report(cl_int status);
  void stamp(cl_ulong ProfilingTimes::* time);
  void writeOutcome(cl_int status) const noexcept;

  core::Context& context_;
  RefPtr<core::Context> keptContext_;  ///< a user event's context: a command-queue keeps its own
  RefPtr<Queue> queue_;
  std::unique_ptr<Command> command_;  ///< until it has ended
  cl_command_type type_;
  const Seen seen_;
  device::CommandOutcome* const outcome_ = nullptr;
  bool profiled_ = false;
  bool ofSeveralQueues_ = false;
  bool inQueue_ = true;                             ///< the commands behind it in its command-queue come after it
  bool orderedByDevice_ = false;                    ///< has an operation for a device that orders its operations
  std::atomic<bool> poisoned_{false};               ///< an event of its wait list ended with an error
  std::atomic<cl_int> failure_{CL_SUCCESS};         ///< why the operation cannot be submitted, or the error of a part
  std::unique_ptr<const std::string> failureText_;  ///< the text of a command that failed; set before the status is
  std::atomic<cl_int> status_;
  std::atomic<std::uint32_t> pending_{1};
  ProfilingTimes times_;
  /// The owner of an event in a context that can be terminated: the first of what it waits for to the end, or the
  /// termination.
  enum class Owner : std::uint8_t { Application, None, Graph, Termination };
  std::atomic<Owner> owner_{Owner::Application};  ///< until submit()

  support::SpinLock mutex_;  ///< guards what follows, and changes of status_ that anyone may be interested in
  bool submittedToDevice_ = false;
  bool isAwaited_ = false;  ///< a thread sleeps until it has ended, or is about to
  Dependents dependents_;
  std::vector<RefPtr<Event>> after_;                ///< submitted operations that the device is to start this one after
  std::vector<std::unique_ptr<Notice>> callbacks_;  ///< the statuses that come first, first

  RefPtr<Event> begin_;  ///< the begin of several commands that are one; null unless this is their end
  Event *previousInQueue_ = nullptr, *nextInQueue_ = nullptr;  ///< guarded by the lock of the Queue
  RefPtr<Event> nextInWork_;                                   ///< the next one in the Work of the thread that has it
};

}  // namespace clarity::sched
