// SPDX-License-Identifier: Apache-2.0
// This file implements the event graph: from the last edge that settles to the events that wait for this one.
#include "sched/event.h"

#include "core/error.h"
#include "sched/command.h"
#include "sched/notifier.h"
#include "sched/placement.h"
#include "sched/queue.h"
#include "support/process_end.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace clarity::sched {

void Event::Dependents::add(Event& event, Edge edge) {
  Dependent dependent{RefPtr<Event>(&event), edge};
  if (!first.event)
    first = std::move(dependent);
  else
    others.push_back(std::move(dependent));
}

Event::Event(core::Context& context) : context_(context), type_(CL_COMMAND_USER), status_(CL_SUBMITTED) {}

Event::Event(Queue& queue, std::unique_ptr<Command> command)
    : context_(queue.context()),
      queue_(&queue),
      command_(std::move(command)),
      type_(command_->type),
      profiled_(queue.isProfiled()),
      status_(CL_QUEUED) {
  stamp(&ProfilingTimes::queued);
}

Event::~Event() {
  // Only a user event that the application released without ending it still has dependents. They go with it, the long
  // chain of an in-order command-queue too, so not by recursion.
  thread_local std::vector<Dependent>* chain = nullptr;
  if (!dependents_.first.event) return;
  std::vector<Dependent> own;
  std::vector<Dependent>& dropped = chain ? *chain : own;
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

void Event::advance(cl_int status) {
  status_.store(status, std::memory_order_release);
  if (callbacks_.empty()) [[likely]]
    return;
  // "Equal to or past": a status of a smaller number is further on, an error the furthest.
  const auto due = std::ranges::find_if(callbacks_, [&](const PendingCallback& each) { return each.type < status; });
  for (auto each = callbacks_.begin(); each != due; ++each)
    Notifier::get().post({*this, each->function, status < 0 ? status : each->type, each->userData});
  callbacks_.erase(callbacks_.begin(), due);
}

void Event::addCallback(cl_int type, Callback callback, void* userData) {
  Notifier::get().start();
  const std::lock_guard lock(mutex_);
  const auto place = std::ranges::upper_bound(callbacks_, type, std::greater{}, &PendingCallback::type);
  callbacks_.insert(place, {type, callback, userData});
  advance(status());
}

void Event::setUserStatus(cl_int status) {
  {
    const std::lock_guard lock(mutex_);
    // CL_INVALID_OPERATION if the execution_status for event has already been changed by clSetUserEventStatus.
    core::failIf(finished(), CL_INVALID_OPERATION, "the status of user event {} was set to {} already", static_cast<const void*>(handle()),
                 this->status());
    advance(status);
  }
  finish(status);
}

void Event::dependOn(Event& earlier, Edge edge) {
  const std::lock_guard lock(earlier.mutex_);
  const cl_int status = earlier.status();
  if (status <= CL_COMPLETE) {
    if (status < 0 && edge == Edge::Result) poisoned_.store(true, std::memory_order_relaxed);
    return;
  }
  earlier.dependents_.add(*this, edge);
  pending_.fetch_add(1, std::memory_order_relaxed);
}

void Event::submit() {
  // Kernels that are launched one after the other are compiled at the same time.
  if (pending_.load(std::memory_order_relaxed) > 1) command_->prepareAhead();
  if (!settle()) return;
  Ending ending;
  becomeReady(ending, device::Start::WhenNeeded);
  end(ending);
}

void Event::becomeReady(Ending& ending, device::Start start) {
  stamp(&ProfilingTimes::submitted);
  if (poisoned_.load(std::memory_order_relaxed)) {
    times_.started = times_.ended = times_.submitted;
    ending.emplace_back(this);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    advance(CL_SUBMITTED);
  }
  const bool moves = !context_->sharesOneMemory() && command_->where != Where::Nowhere && !command_->memory.empty();
  if (moves) [[unlikely]] {
    Placement::begin(*this, start);
  } else if (command_->operation) {
    submitOperation(start);
  } else {
    times_.started = times_.ended = times_.submitted;
    ending.emplace_back(this);
  }
}

void Event::placed(device::Start start, device::Result result) {
  if (result && command_->operation) return submitOperation(start);
  stamp(&ProfilingTimes::started);
  times_.ended = times_.started;
  finish(record(result));
}

void Event::submitOperation(device::Start start) {
  retainInternal();  // until complete()
  operation = &*command_->operation;
  queue_->stream().submit(*this, start, {});
}

void Event::started() noexcept {
  const std::lock_guard lock(mutex_);
  advance(CL_RUNNING);
}

void Event::complete(device::Result result, const device::Times& times) noexcept {
  times_.started = times.started;
  times_.ended = times.ended;
  finish(record(result));
  releaseInternal();
}

cl_int Event::record(const device::Result& result) {
  // What the command kept alive goes before the application can observe that it is over.
  command_.reset();
  if (result) return CL_COMPLETE;
  queue_->commandFailed(result.code);
  if (!support::processEnds()) context_->notify(commandName(type_) + ": " + core::errorName(result.code) + ": " + result.text);
  return result.code;
}

void Event::finish(cl_int status) {
  Ending ending;
  finishOne(status, ending);
  end(ending);
}

void Event::end(Ending& ending) {
  while (!ending.empty()) {
    const RefPtr<Event> next = std::move(ending.back());
    ending.pop_back();
    const bool failed = next->poisoned_.load(std::memory_order_relaxed);
    next->finishOne(failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE, ending);
  }
}

void Event::finishOne(cl_int status, Ending& ending) {
  command_.reset();
  if (queue_) queue_->commandEnded(*this);
  Dependents dependents;
  {
    const std::lock_guard lock(mutex_);
    if (!isUser()) advance(status);  // setUserStatus() did it under the lock of its check
    std::swap(dependents, dependents_);
  }
  status_.notify_all();
  const auto settle = [&](const Dependent& dependent) {
    if (status < 0 && dependent.edge == Edge::Result) dependent.event->poisoned_.store(true, std::memory_order_relaxed);
    if (dependent.event->settle()) dependent.event->becomeReady(ending, device::Start::AtOnce);
  };
  if (dependents.first.event) settle(dependents.first);
  for (const Dependent& dependent : dependents.others) settle(dependent);
}

void Event::wait() {
  if (finished()) return;
  if (queue_) {
    queue_->stream().help(*this);
    if (finished()) return;
  }
  // What it depends on may be in streams that have not been started.
  context_->flush();
  for (cl_int now = status(); now > CL_COMPLETE; now = status()) status_.wait(now, std::memory_order_acquire);
}

}  // namespace clarity::sched
