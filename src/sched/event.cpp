// SPDX-License-Identifier: Apache-2.0
// This file implements the event graph: from the last edge that is removed to the events that wait for this one.
#include "sched/event.h"

#include "core/error.h"
#include "core/messages.h"
#include "sched/command.h"
#include "sched/event_work.h"
#include "sched/notifier.h"
#include "sched/placement.h"
#include "sched/queue.h"
#include "sched/semaphore.h"
#include "sched/termination.h"
#include "support/process_end.h"

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace clarity::sched {

void Dependents::add(Dependent dependent) {
  if (!first.event)
    first = std::move(dependent);
  else
    others.push_back(std::move(dependent));
}

Event::Event(core::Context& context)
    : context_(context), keptContext_(&context), type_(CL_COMMAND_USER), seen_(Seen::Yes), status_(CL_SUBMITTED) {}

Event::Event(Queue& queue, std::unique_ptr<Command> command, Seen seen, device::CommandOutcome* outcome)
    : ApiObject(seen == Seen::Yes ? 1 : 0),
      context_(queue.context()),
      queue_(&queue),
      command_(std::move(command)),
      type_(command_->type),
      seen_(seen),
      outcome_(outcome),
      profiled_(outcome || (queue.isProfiled() && seen == Seen::Yes)),
      orderedByDevice_(command_->operation && queue.ordersOperations()),
      status_(CL_QUEUED) {
  timed = profiled_;
  if (outcome)
    times_.queued = outcome->queued;
  else
    stamp(&ProfilingTimes::queued);
  if (context_.isTerminable()) Termination::add(*this);
}

Event::~Event() {
  if (context_.isTerminable()) Termination::remove(*this);
  // Only a user event that the application released without ending it still has dependents. They go with it, the long
  // chain of an in-order command-queue too, so not by recursion.
  thread_local std::vector<Dependent>* chain = nullptr;
  if (!dependents_.first.event) return;
  std::vector<Dependent> own;
  std::vector<Dependent>& dropped = chain ? *chain : own;
  try {
    dropped.reserve(dropped.size() + 1 + dependents_.others.size());
  } catch (const std::bad_alloc&) {
    return;  // by recursion after all, when the members are destroyed
  }
  dropped.push_back(std::move(dependents_.first));
  std::ranges::move(dependents_.others, std::back_inserter(dropped));
  if (chain) return;
  chain = &own;
  while (!own.empty()) {
    const Dependent last = std::move(own.back());
    own.pop_back();
  }
  chain = nullptr;
}

void Event::stamp(cl_ulong ProfilingTimes::* time) {
  if (profiled_) times_.*time = queue_->device().backend().now();
}

void Event::writeOutcome(cl_int status) const noexcept {
  outcome_->submitted = times_.submitted;
  outcome_->started = times_.started;
  outcome_->ended = times_.ended;
  outcome_->status.store(status, std::memory_order_release);
}

void Event::report(cl_int status) {
  if (seen_ == Seen::No) return;
  const std::lock_guard lock(mutex_);
  advance(status);
}

void Event::advance(cl_int status) {
  // Where a thread sleeps, before the look at how many do (notify_all()).
  status_.store(status, isAwaited_ ? std::memory_order_seq_cst : std::memory_order_release);
  if (callbacks_.empty()) [[likely]]
    return;
  // "Equal to or past": a status of a smaller number is further on, an error the furthest.
  const auto due = std::ranges::find_if(callbacks_, [&](const auto& each) { return each->type < status; });
  for (auto each = callbacks_.begin(); each != due; ++each) {
    (*each)->event = RefPtr<Event>(this);
    (*each)->status = status < 0 ? status : (*each)->type;
    Notifier::get().post(std::move(*each));
  }
  callbacks_.erase(callbacks_.begin(), due);
}

void Event::addCallback(cl_int type, Callback callback, void* userData) {
  Notifier::get().start();
  auto notice = std::make_unique<Notice>(type, callback, userData);
  const std::lock_guard lock(mutex_);
  const auto place =
      std::ranges::upper_bound(callbacks_, type, std::greater{}, [](const auto& each) { return each->type; });
  callbacks_.insert(place, std::move(notice));
  advance(status());
}

void Event::setUserStatus(cl_int status) {
  {
    const std::lock_guard lock(mutex_);
    // CL_INVALID_OPERATION if the execution_status for event has already been changed by clSetUserEventStatus.
    core::failIf(finished(), CL_INVALID_OPERATION, "the status of user event {} was set to {} already",
                 static_cast<const void*>(handle()), this->status());
    advance(status);
  }
  finish(status);
}

void Event::dependOn(Event& earlier, Edge edge) {
  const bool sameDevice = orderedByDevice_ && earlier.orderedByDevice_ &&
                          &queue_->device().backend() == &earlier.queue_->device().backend();
  const std::lock_guard lock(earlier.mutex_);
  const cl_int status = earlier.status();
  if (status <= CL_COMPLETE) {
    if (status < 0) earlierFailed(status, edge);
    return;
  }
  const bool orderedByDevice = sameDevice && earlier.submittedToDevice_;
  earlier.dependents_.add({RefPtr<Event>(this), edge, orderedByDevice});
  if (orderedByDevice) {
    const std::lock_guard own(mutex_);  // other earlier events may be submitted at this time
    after_.emplace_back(&earlier);
  } else {
    pending_.fetch_add(1, std::memory_order_relaxed);
  }
}

void Event::submit(RefPtr<Event> event) {
  // Kernels that are launched one after the other are compiled at the same time.
  if (event->pending_.load(std::memory_order_relaxed) > 1) event->command_->prepareAhead(device::Runs::Once);
  if (event->context_.isTerminable()) [[unlikely]] {
    event->owner_.store(Owner::None);
    if (event->context_.termination().load()) event->terminate();
  }
  if (!event->removeEdge()) return;
  event->times_.submitted = event->times_.queued;  // the same moment, and one look at the clock less
  Work work;
  becomeReady(std::move(event), work, device::Start::WhenNeeded);
  finishWork(work);
}

void Event::terminate() {
  Owner none = Owner::None;
  if (!owner_.compare_exchange_strong(none, Owner::Termination)) return;
  finish(CL_CONTEXT_TERMINATED_KHR);
}

void Event::becomeReady(RefPtr<Event> event, Work& work, device::Start start) {
  Event& it = *event;
  if (it.context_.isTerminable()) [[unlikely]] {
    Owner none = Owner::None;
    if (!it.owner_.compare_exchange_strong(none, Owner::Graph) && none == Owner::Termination) return;
    if (it.context_.isTerminated()) it.earlierFailed(CL_CONTEXT_TERMINATED_KHR, Edge::Part);
  }
  if (it.times_.submitted == 0) it.stamp(&ProfilingTimes::submitted);
  if (it.queue_ && it.queue_->refuses(it.type_) && it.failure_.load(std::memory_order_relaxed) == CL_SUCCESS)
    it.earlierFailed(it.queue_->failure(), Edge::Result);
  if (it.poisoned_.load(std::memory_order_relaxed) || it.failure_.load(std::memory_order_relaxed) != CL_SUCCESS) {
    if (!it.earlierEnded()) return;
    it.times_.started = it.times_.ended = it.times_.submitted;
    work.ending.push(std::move(event));
    return;
  }
  it.report(CL_SUBMITTED);
  if (it.needsPlacement() && !Placement::begin(it)) [[unlikely]]
    return;
  if (it.command_->operation) return submitOperation(std::move(event), work, start);
  it.times_.started = it.times_.ended = it.times_.submitted;
  if (it.begin_) {
    it.times_.submitted = it.begin_->times_.submitted;
    it.times_.started = it.begin_->times_.ended;
  }
  work.ending.push(std::move(event));
}

void Event::finishWork(Work& work) {
  for (;;) {
    if (RefPtr<Event> next = work.ready.pop()) {
      becomeReady(std::move(next), work, device::Start::AtOnce);
    } else if (const RefPtr<Event> next = work.ending.pop()) {
      const bool poisoned = next->poisoned_.load(std::memory_order_relaxed) && !next->context_.isTerminated();
      next->finishOne(poisoned ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : next->failure_.load(), work);
    } else {
      return;
    }
  }
}

bool Event::needsPlacement() const {
  return !context_.sharesOneMemory() && command_->where != Where::Nowhere && !command_->memory.empty();
}

void Event::placed(device::Result result) {
  Work work;
  if (result && command_->operation) {
    submitOperation(RefPtr<Event>(this), work, device::Start::AtOnce);
  } else {
    stamp(&ProfilingTimes::started);
    times_.ended = times_.started;
    failure_ = conclude(result);
    if (earlierEnded()) work.ending.push(RefPtr<Event>(this));
  }
  finishWork(work);
}

bool Event::earlierEnded() {
  std::vector<RefPtr<Event>> after;
  {
    const std::lock_guard lock(mutex_);
    after.swap(after_);
  }
  if (after.empty()) return true;
  pending_.store(1, std::memory_order_relaxed);
  for (const RefPtr<Event>& earlier : after) {
    const std::lock_guard lock(earlier->mutex_);
    if (earlier->finished()) continue;
    earlier->dependents_.forEach([&](Dependent& edge) {
      if (edge.event.get() != this || !edge.orderedByDevice) return;
      edge.orderedByDevice = false;
      pending_.fetch_add(1, std::memory_order_relaxed);
    });
  }
  return removeEdge();
}

void Event::submitOperation(RefPtr<Event> event, Work& work, device::Start start) {
  event->operation = &*event->command_->operation;
  if (event->orderedByDevice_) [[unlikely]]
    return event->submitInOrder(work, start);
  device::Stream& stream = event->queue_->stream();
  stream.submit(*event.release(), start, {});  // complete() takes the count
}

void Event::submitInOrder(Work& work, device::Start start) {
  const Ref<Event> self(*this);
  std::vector<RefPtr<Event>> after;
  std::vector<device::Submission*> earlier;
  {
    // Earlier events add themselves here when they are submitted.
    const std::lock_guard lock(mutex_);
    after.swap(after_);
  }
  try {
    earlier.reserve(after.size());
  } catch (const std::bad_alloc&) {
    {
      const std::lock_guard lock(mutex_);
      after.swap(after_);
    }
    failure_ = conclude({CL_OUT_OF_HOST_MEMORY, {}});
    if (earlierEnded()) work.ending.push(RefPtr<Event>(this));
    return;
  }
  for (const RefPtr<Event>& each : after)
    if (!each->finished()) earlier.push_back(each.get());
  retainInternal();  // until complete()
  queue_->stream().submit(*this, start, earlier);
  // The device has this operation: those that wait for it may be submitted behind it.
  const std::lock_guard lock(mutex_);
  if (finished()) return;
  submittedToDevice_ = true;
  dependents_.forEach([&](Dependent& each) {
    Event& event = *each.event;
    if (each.orderedByDevice || !event.orderedByDevice_ ||
        &event.queue_->device().backend() != &queue_->device().backend())
      return;
    try {
      const std::lock_guard lockOfLater(event.mutex_);
      event.after_.emplace_back(this);
    } catch (const std::bad_alloc&) {
      return;  // it waits until this one has ended
    }
    each.orderedByDevice = true;
    if (event.removeEdge()) work.ready.push(each.event);
  });
}

void Event::started() noexcept { report(CL_RUNNING); }

void Event::complete(device::Result result, const device::Times& times) noexcept {
  const RefPtr<Event> self = RefPtr<Event>::adopt(this);
  times_.started = times.started;
  times_.ended = times.ended;
  times_.completed = times.completed;
  // On a device that orders operations, this one may have run although one before it has failed.
  if (queue_->refuses(type_)) [[unlikely]]
    earlierFailed(queue_->failure(), Edge::Result);
  cl_int status = conclude(result);
  // Only where the device orders operations can an earlier one fail after this one was submitted.
  if (poisoned_.load(std::memory_order_relaxed)) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (context_.isTerminated()) status = CL_CONTEXT_TERMINATED_KHR;
  finish(status);
}

cl_int Event::conclude(const device::Result& result) {
  // The command's references are released before the application can observe that it is over.
  command_.reset();
  if (result) return CL_COMPLETE;
  if (poisoned_.load(std::memory_order_relaxed)) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  try {
    failureText_ = std::make_unique<std::string>(
        fmt::format("{}: {}: {}", commandName(type_), core::errorName(result.code), result.text));
    queue_->commandFailed(result.code, *failureText_);
    if (support::processEnds()) return result.code;
    if (core::isTraced()) core::traceLine(std::chrono::steady_clock::now(), "command " + *failureText_);
    context_.notify(*failureText_);
  } catch (const std::exception&) {
    // The command has failed for want of memory, and there is none for the text either: the status tells it.
    queue_->commandFailed(result.code, {});
  }
  return result.code;
}

void Event::earlierFailed(cl_int status, Edge edge) noexcept {
  cl_int none = CL_SUCCESS;
  if (edge == Edge::Result) poisoned_.store(true, std::memory_order_relaxed);
  if (edge == Edge::Part) failure_.compare_exchange_strong(none, status, std::memory_order_relaxed);
}

void Event::finish(cl_int status) {
  Work work;
  finishOne(status, work);
  finishWork(work);
}

void Event::finishOne(cl_int status, Work& work) {
  if (command_ && command_->semaphores && status == CL_COMPLETE)
    for (const Ref<Semaphore>& semaphore : *command_->semaphores)
      semaphore->ended(type_ == CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
  command_.reset();
  if (queue_ && inQueue_) queue_->commandEnded(*this);
  if (context_.isTerminable()) Termination::remove(*this);
  Dependents dependents;
  bool isAwaited = false;
  {
    const std::lock_guard lock(mutex_);
    if (outcome_) writeOutcome(status);  // first: the process may end as soon as the status is known
    if (!isUser()) advance(status);      // setUserStatus() did it under the lock of its check
    if (dependents_.first.event) std::swap(dependents, dependents_);
    isAwaited = isAwaited_;
  }
  if (isAwaited) status_.notify_all();
  dependents.forEach([&](Dependent& dependent) {
    if (status < 0) dependent.event->earlierFailed(status, dependent.edge);
    if (!dependent.orderedByDevice && dependent.event->removeEdge())
      becomeReady(std::move(dependent.event), work, device::Start::AtOnce);
  });
}

void Event::wait() {
  if (finished()) return;
  if (queue_) {
    queue_->stream().help(*this);
    if (finished()) return;
  }
  // Operations that it depends on may be in streams that have not been started.
  context_.flush();
  {
    const std::lock_guard lock(mutex_);
    if (finished()) return;
    isAwaited_ = true;
  }
  for (cl_int now = status(); now > CL_COMPLETE; now = status()) status_.wait(now, std::memory_order_acquire);
}

}  // namespace clarity::sched
