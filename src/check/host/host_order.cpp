// SPDX-License-Identifier: Apache-2.0
// This file follows which commands come before which, and which of them the application knows to have ended.
#include "check/host/host_order.h"

#include <algorithm>
#include <unordered_set>

namespace clarity::check {
namespace {

/// So many commands are compared with each other; of more that are never waited for, the oldest are left out.
constexpr std::size_t mostLive = 5000;

/// The event of a command that the application wants none of, on its way through the call.
thread_local cl_event ownEvent = nullptr;

bool isMarker(const HostCall& call) { return call.info.begins("clEnqueueMarker"); }
bool isBarrier(const HostCall& call) {
  return call.info.begins("clEnqueueBarrier") || call.is("clEnqueueWaitForEvents");
}
/// Events that these wait for are not followed: they count as ordered with everything.
bool isOpaque(const HostCall& call) {
  return call.is("clEnqueueCommandBufferKHR") || call.info.name.find("Semaphore") != std::string_view::npos ||
         call.info.name.find("External") != std::string_view::npos;
}

/// The command-queue that a call for a command-buffer names, or HostCommand::ofSeveralQueues.
std::uint64_t onlyQueue(const HostCall& call) {
  const auto* const queues = call.at<const cl_command_queue*>("queues");
  return call.at("num_queues") == 1 && queues ? Value::of(*queues).bits : HostCommand::ofSeveralQueues;
}

}  // namespace

void CommandOrder::before(HostCall& call) {
  ownEvent = nullptr;
  call.wantsEvent = call.at("event") != 0;
  // clEnqueueMarker without an event is an error.
  if (call.info.begins("clEnqueue") && !call.is("clEnqueueMarker") && call.has("event") && !call.wantsEvent)
    call.set("event", &ownEvent);
}

void CommandOrder::after(const HostCall& call) {
  const bool isDone = call.error == CL_SUCCESS;
  if (call.info.begins("clEnqueue")) {
    if (isDone) enqueue(call);
  } else if (call.info.begins("clCreateCommandQueue") && isDone) {
    if (services_.isOnDevice(call.result.as<cl_command_queue>())) return;
    Queue& queue = queues_[call.result.bits];
    queue = {};
    queue.outOfOrder = services_.isOutOfOrder(call.result.as<cl_command_queue>());
    ++queuesEver_;
    anyOutOfOrder_ |= queue.outOfOrder;
  } else if (call.is("clCreateCommandBufferKHR") && isDone) {
    bufferQueues_[call.result.bits] = onlyQueue(call);
  } else if (call.is("clCreateUserEvent") && isDone) {
    auto command = std::make_shared<HostCommand>();
    command->site = CallSite(call);
    command->event = call.result.as<cl_event>();
    command->enqueuedAt = call.number;
    services_.retainEvent(command->event);
    byEvent_[command->event] = std::move(command);
  } else if (call.is("clSetUserEventStatus") && isDone) {
    if (const CommandRef command = commandOf(call.at<cl_event>("event"))) {
      command->setAt = call.number;
      command->status = call.at<cl_int>("execution_status");
    }
  } else if (call.is("clFinish")) {
    markAllKnown(call.at("command_queue"), call.number, call.number, true);
  } else if (call.is("clMemBlockingFreeINTEL") && isDone) {
    for (const auto& [handle, queue] : queues_) markAllKnown(handle, call.number, call.number, false);
  } else if (call.is("clWaitForEvents") && (isDone || call.error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)) {
    for (const cl_event event : call.waitList())
      if (const CommandRef command = commandOf(event)) markKnown(*command, call.number, true);
  } else if (call.is("clGetEventProfilingInfo") && isDone) {
    if (const CommandRef command = commandOf(call.at<cl_event>("event"))) markKnown(*command, call.number, true);
  } else if (call.is("clGetEventInfo") && isDone &&
             call.at<cl_event_info>("param_name") == CL_EVENT_COMMAND_EXECUTION_STATUS) {
    const auto* const status = call.at<const cl_int*>("param_value");
    const CommandRef command = commandOf(call.at<cl_event>("event"));
    if (command && status && *status <= CL_COMPLETE) markKnown(*command, call.number, true);
  }
}

void CommandOrder::endedInCallback(cl_event event, std::uint64_t now) {
  if (const CommandRef command = commandOf(event)) markKnown(*command, now, true);
}

void CommandOrder::released(cl_event event) {
  const auto found = byEvent_.find(event);
  if (found == byEvent_.end() || !found->second->isUser()) return;
  dropped_.push_back(event);
  found->second->event = nullptr;
  byEvent_.erase(found);
}

bool CommandOrder::forgetEnded() {
  bool anyLeft = false;
  for (const CommandRef& command : live_) {
    if (!command->event || !command->isKept) continue;
    const cl_int status = services_.statusOf(command->event);
    if (status != CL_COMPLETE) {
      anyLeft |= status > CL_COMPLETE;
      continue;
    }
    command->status = status;
    command->isKept = false;
    dropped_.push_back(command->event);
  }
  return anyLeft;
}

CommandRef CommandOrder::commandOf(cl_event event) const {
  const auto found = byEvent_.find(event);
  return found == byEvent_.end() ? nullptr : found->second;
}

CommandRef CommandOrder::commandOf(std::uint64_t number) const {
  const auto found =
      std::ranges::lower_bound(live_, number, {}, [](const CommandRef& each) { return each->enqueuedAt; });
  return found != live_.end() && (*found)->enqueuedAt == number ? *found : nullptr;
}

std::uint64_t CommandOrder::queueOf(const HostCall& call) const {
  if (!call.is("clEnqueueCommandBufferKHR")) return call.at("command_queue");
  if (call.at("num_queues") != 0) return onlyQueue(call);
  const auto found = bufferQueues_.find(call.at("command_buffer"));
  return found == bufferQueues_.end() ? HostCommand::ofSeveralQueues : found->second;
}

void CommandOrder::enqueue(const HostCall& call) {
  auto command = std::make_shared<HostCommand>();
  command->site = CallSite(call);
  command->queue = queueOf(call);
  command->enqueuedAt = call.number;
  command->isBlocking = call.isBlockingTransfer();
  const auto* const place = call.at<const cl_event*>("event");
  if (place && *place) {
    command->event = *place;
    services_.retainEvent(command->event);
    if (!call.wantsEvent) services_.forgetEvent(command->event);
    byEvent_[command->event] = command;
  }
  arrange(command, call);
  // Threads number their calls before they make them.
  const auto at =
      std::ranges::upper_bound(live_, call.number, {}, [](const CommandRef& each) { return each->enqueuedAt; });
  live_.insert(at, command);
  if (onEnqueued) onEnqueued(command, call);
  if (command->isBlocking) markKnown(*command, call.number, true);
  if (live_.size() > mostLive) {
    drop(*live_.front());
    live_.pop_front();
  }
}

void CommandOrder::arrange(const CommandRef& command, const HostCall& call) {
  const auto add = [&](const CommandRef& earlier) {
    // Commands that are known to have ended come before all that is enqueued now.
    if (earlier && earlier != command && earlier->knownAt == 0) command->earlier.push_back(earlier);
  };
  for (const cl_event event : call.waitList()) add(commandOf(event));
  if (isOpaque(call)) {
    for (auto& [handle, each] : queues_) {
      add(each.last);
      add(each.barrier);
      for (const CommandRef& earlier : each.open) add(earlier);
      each.open.clear();
      each.last = each.barrier = command;
    }
    return;
  }
  Queue& queue = queues_[command->queue];
  command->inOrder = !queue.outOfOrder;
  add(queue.outOfOrder ? queue.barrier : queue.last);
  if (!queue.outOfOrder) {
    queue.last = command;
    return;
  }
  const bool isForAll = call.waitList().empty() && (isMarker(call) || isBarrier(call));
  if (isForAll)
    for (const CommandRef& earlier : queue.open) add(earlier);
  if (isBarrier(call)) {
    queue.barrier = command;
    if (isForAll) queue.open.clear();
  }
  if (queue.open.size() >= 64) std::erase_if(queue.open, [](const CommandRef& each) { return each->knownAt != 0; });
  queue.open.push_back(command);
}

std::vector<HostCommand*> CommandOrder::withEarlier(std::vector<HostCommand*> all) {
  std::unordered_set<const HostCommand*> seen(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const CommandRef& earlier : all[i]->earlier)
      if (earlier->knownAt == 0 && seen.insert(earlier.get()).second) all.push_back(earlier.get());
  return all;
}

void CommandOrder::markKnown(HostCommand& command, std::uint64_t now, bool isObserved) {
  if (command.isUser()) return;
  if (command.knownAt == 0) {
    std::vector<HostCommand*> all = withEarlier({&command});
    std::ranges::sort(all, {}, &HostCommand::enqueuedAt);
    for (HostCommand* const each : all) {
      if (each->isUser() || each->knownAt != 0) continue;
      each->knownAt = now;
      if (each->event && each->isKept) each->status = services_.statusOf(each->event);
    }
    if (isObserved) command.failureSeen = true;
    for (HostCommand* const each : all)
      if (!each->isUser() && onKnown) onKnown(*each);
  }
  if (isObserved) command.failureSeen = true;
  retire();
}

void CommandOrder::markAllKnown(std::uint64_t queue, std::uint64_t before, std::uint64_t now, bool isObserved) {
  const std::vector<CommandRef> all = unknownOf(queue);
  for (const CommandRef& command : all)
    if (command->enqueuedAt <= before) markKnown(*command, now, isObserved);
}

std::vector<CommandRef> CommandOrder::unknownOf(std::uint64_t queue) const {
  std::vector<CommandRef> result;
  for (const CommandRef& command : live_)
    if (command->queue == queue && command->knownAt == 0) result.push_back(command);
  return result;
}

bool CommandOrder::isOrdered(const HostCommand& first, const HostCommand& second) const {
  std::vector<const HostCommand*> ways{&second};
  std::unordered_set<const HostCommand*> seen;
  while (!ways.empty()) {
    const HostCommand& now = *ways.back();
    ways.pop_back();
    if (&now == &first) return true;
    const std::uint64_t begins = now.isUser() ? now.setAt : now.enqueuedAt;
    if (first.knownAt != 0 && first.knownAt < begins) return true;
    for (const CommandRef& earlier : now.earlier)
      if ((earlier->isUser() || earlier->enqueuedAt >= first.enqueuedAt) && seen.insert(earlier.get()).second)
        ways.push_back(earlier.get());
  }
  return false;
}

void CommandOrder::drop(HostCommand& command) {
  if (command.event) {
    const auto found = byEvent_.find(command.event);
    if (found != byEvent_.end() && found->second.get() == &command) byEvent_.erase(found);
    if (command.isKept) dropped_.push_back(command.event);
    command.event = nullptr;
  }
  command.earlier.clear();
  command.accesses.clear();
}

void CommandOrder::retire() {
  // A command is of interest as long as one that was enqueued before the application knew of its end is not known.
  const auto unknown = std::ranges::find(live_, std::uint64_t{0}, [](const CommandRef& each) { return each->knownAt; });
  const std::uint64_t oldest = unknown == live_.end() ? ~std::uint64_t{0} : (*unknown)->enqueuedAt;
  while (!live_.empty() && live_.front()->knownAt != 0 && live_.front()->knownAt < oldest) {
    drop(*live_.front());
    live_.pop_front();
  }
}

void CommandOrder::finish(std::uint64_t now) {
  for (std::size_t i = 0; i < live_.size(); ++i) {
    HostCommand& command = *live_[i];
    if (command.knownAt != 0 || !command.event) continue;
    const cl_int status = command.isKept ? services_.statusOf(command.event) : command.status;
    if (status > CL_COMPLETE) continue;
    command.knownAt = now;
    command.status = status;
    if (onKnown) onKnown(command);
  }
}

}  // namespace clarity::check
