// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of events, markers and barriers (OpenCL 3.0, sections 5.11 to 5.14).
#include "sched/event.h"

#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/info.h"
#include "sched/command.h"
#include "sched/queue.h"

#include <vector>

namespace clarity::api {

using sched::Command;
using sched::Event;
using sched::Order;

namespace {

/// A query of the status of a command is a way to wait for it: the command has to start even if no thread blocks.
cl_int statusOf(Event& event) {
  const cl_int status = event.status();
  if (status > CL_COMPLETE) event.context().flush();
  return status;
}

const InfoRow<Event> eventInfo[] = {
    INFO_ROW(cl_command_queue, CL_EVENT_COMMAND_QUEUE,
             it.queue() && !it.isOfSeveralQueues() ? it.queue()->handle() : nullptr),
    INFO_ROW(cl_context, CL_EVENT_CONTEXT, it.context().handle()),
    INFO_ROW(cl_command_type, CL_EVENT_COMMAND_TYPE, it.type()),
    INFO_ROW(cl_int, CL_EVENT_COMMAND_EXECUTION_STATUS, statusOf(it)),
    INFO_ROW(cl_uint, CL_EVENT_REFERENCE_COUNT, it.referenceCount()),
};

const InfoRow<Event> profilingInfo[] = {
    INFO_ROW(cl_ulong, CL_PROFILING_COMMAND_QUEUED, it.times().queued),
    INFO_ROW(cl_ulong, CL_PROFILING_COMMAND_SUBMIT, it.times().submitted),
    INFO_ROW(cl_ulong, CL_PROFILING_COMMAND_START, it.times().started),
    INFO_ROW(cl_ulong, CL_PROFILING_COMMAND_END, it.times().ended),
    INFO_ROW(cl_ulong, CL_PROFILING_COMMAND_COMPLETE, std::max(it.times().ended, it.times().completed)),
};

/// Enqueues a marker or a barrier.
void enqueueOrder(EnqueueCall& call, cl_command_type type, Order order, cl_event* event) {
  call.enqueue(event, Command::order(type), order);
}

/// The events of clWaitForEvents and clEnqueueWaitForEvents, which name errors of their lists differently from all
/// other functions.
std::vector<Ref<Event>> eventsOf(cl_uint num_events, const cl_event* event_list) {
  // CL_INVALID_VALUE if num_events is zero or event_list is NULL.
  failIf(num_events == 0 || !event_list, CL_INVALID_VALUE, "num_events is {} and event_list is {}", num_events,
         static_cast<const void*>(event_list));
  std::vector<Ref<Event>> events;
  events.reserve(num_events);
  for (cl_uint i = 0; i < num_events; ++i) {
    // CL_INVALID_EVENT if event objects specified in event_list are not valid event objects.
    events.emplace_back(ref<Event>(event_list[i]));
    // CL_INVALID_CONTEXT if events specified in event_list do not belong to the same context.
    requireSameContext(events.front()->context(), "event_list[0]", events.back()->context(),
                       "another event of event_list");
  }
  return events;
}

}  // namespace

cl_event clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_event { return (new Event(ref<core::Context>(context)))->handOut(); });
}

cl_int clSetUserEventStatus(cl_event event, cl_int execution_status) {
  return entry([&] {
    const Ref<Event> user(ref<Event>(event));
    // CL_INVALID_EVENT if event is not a valid user event object.
    failIf(!user->isUser(), CL_INVALID_EVENT, "{} is the event of a command ({})", static_cast<void*>(event),
           sched::commandName(user->type()));
    // CL_INVALID_VALUE if the execution_status is not CL_COMPLETE or a negative integer value.
    failIf(execution_status > CL_COMPLETE, CL_INVALID_VALUE, "execution_status is {}", execution_status);
    user->setUserStatus(execution_status);
  });
}

cl_int clWaitForEvents(cl_uint num_events, const cl_event* event_list) {
  return entry([&] {
    const std::vector<Ref<Event>> events = eventsOf(num_events, event_list);
    for (const Ref<Event>& event : events) event->wait();
    // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events is negative.
    for (cl_uint i = 0; i < num_events; ++i)
      if (events[i]->status() < 0)
        throw core::Error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                          fmt::format("event_list[{}] ended with {}", i, events[i]->failureText()))
            .known();
  });
}

cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size, void* param_value,
                      size_t* param_value_size_ret) {
  return entry(
      [&] { answer(eventInfo, ref<Event>(event), param_name, param_value_size, param_value, param_value_size_ret); });
}

cl_int clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                          void(CL_CALLBACK* pfn_notify)(cl_event, cl_int, void*), void* user_data) {
  return entry([&] {
    Event& it = ref<Event>(event);
    // CL_INVALID_VALUE if pfn_event_notify is NULL or if command_exec_callback_type is not CL_SUBMITTED, CL_RUNNING or
    // CL_COMPLETE.
    failIf(!pfn_notify, CL_INVALID_VALUE, "pfn_event_notify is null");
    failIf(command_exec_callback_type < CL_COMPLETE || command_exec_callback_type > CL_SUBMITTED, CL_INVALID_VALUE,
           "command_exec_callback_type is {}", command_exec_callback_type);
    it.addCallback(command_exec_callback_type, pfn_notify, user_data);
    it.context().flush();
  });
}

cl_int clRetainEvent(cl_event event) {
  return entry([&] { retainHandle<Event>(event); });
}

cl_int clReleaseEvent(cl_event event) {
  return entry([&] { releaseHandle<Event>(event); });
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t param_value_size, void* param_value,
                               size_t* param_value_size_ret) {
  return entry([&] {
    Event& it = ref<Event>(event);
    // CL_PROFILING_INFO_NOT_AVAILABLE if the CL_QUEUE_PROFILING_ENABLE flag is not set for the command-queue, if the
    // command has not completed, or if event is a user event object.
    failIf(it.isUser(), CL_PROFILING_INFO_NOT_AVAILABLE, "{} is a user event", static_cast<void*>(event));
    failIf(!it.queue()->isProfiled(), CL_PROFILING_INFO_NOT_AVAILABLE,
           "the command-queue of {} was created without CL_QUEUE_PROFILING_ENABLE", static_cast<void*>(event));
    const cl_int status = statusOf(it);
    failIf(status != CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE, "the status of {} is {}", static_cast<void*>(event),
           status);
    answer(profilingInfo, it, param_name, param_value_size, param_value, param_value_size_ret);
  });
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                   const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    enqueueOrder(call, CL_COMMAND_MARKER, call.waitList.empty() ? Order::AfterAll : Order::Normal, event);
  });
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue command_queue, cl_uint num_events_in_wait_list,
                                    const cl_event* event_wait_list, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, num_events_in_wait_list, event_wait_list);
    enqueueOrder(call, CL_COMMAND_BARRIER, call.waitList.empty() ? Order::FullBarrier : Order::Barrier, event);
  });
}

cl_int clEnqueueMarker(cl_command_queue command_queue, cl_event* event) {
  return entry([&] {
    EnqueueCall call(command_queue, 0, nullptr);
    // CL_INVALID_VALUE if event is a NULL value.
    failIf(!event, CL_INVALID_VALUE, "event is null");
    enqueueOrder(call, CL_COMMAND_MARKER, Order::AfterAll, event);
  });
}

cl_int clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events, const cl_event* event_list) {
  return entry([&] {
    EnqueueCall call(command_queue, 0, nullptr);
    call.waitList = eventsOf(num_events, event_list);
    // CL_INVALID_CONTEXT if the context of command_queue and of events in event_list are not the same.
    requireSameContext(call.queue.context(), "command_queue", call.waitList.front()->context(), "event_list");
    enqueueOrder(call, CL_COMMAND_BARRIER, Order::Barrier, nullptr);
  });
}

cl_int clEnqueueBarrier(cl_command_queue command_queue) {
  return entry([&] {
    EnqueueCall call(command_queue, 0, nullptr);
    enqueueOrder(call, CL_COMMAND_BARRIER, Order::FullBarrier, nullptr);
  });
}

}  // namespace clarity::api
