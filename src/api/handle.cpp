// SPDX-License-Identifier: Apache-2.0
// This file checks the lists of handles that entry points take.
#include "api/handle.h"

#include "sched/event.h"

#include <utility>

namespace clarity::api {

void failHandle(cl_int code, const char* name, const void* handle) { fail(code, "{} is not a valid {}", handle, name); }

std::vector<Ref<sched::Event>> waitListOf(core::Context& context, cl_uint n, const cl_event* list) {
  std::vector<Ref<sched::Event>> events;
  if (n == 0 && !list) return events;
  // CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or event_wait_list is not
  // NULL and num_events_in_wait_list is 0, or if event objects in it are not valid events.
  failIf(n == 0 || !list, CL_INVALID_EVENT_WAIT_LIST, "num_events_in_wait_list is {} and event_wait_list is {}", n,
         static_cast<const void*>(list));
  events.reserve(n);
  for (cl_uint i = 0; i < n; ++i) {
    RefPtr<sched::Event> event = sched::Event::fromHandle(list[i]);
    failIf(!event, CL_INVALID_EVENT_WAIT_LIST, "event_wait_list[{}], {}, is not a valid event", i,
           static_cast<const void*>(list[i]));
    // CL_INVALID_CONTEXT if the context of the command-queue and of events in event_wait_list are not the same.
    failIf(&event->context() != &context, CL_INVALID_CONTEXT, "event_wait_list[{}], {}, is of another context", i,
           static_cast<const void*>(list[i]));
    events.emplace_back(std::move(event));
  }
  return events;
}

std::vector<Ref<core::Device>> deviceListOf(cl_uint n, const cl_device_id* list) {
  // CL_INVALID_VALUE if devices is NULL or num_devices is zero.
  failIf(n == 0 || !list, CL_INVALID_VALUE, "num_devices is {} and the list of devices is {}", n,
         static_cast<const void*>(list));
  std::vector<Ref<core::Device>> devices;
  for (cl_uint i = 0; i < n; ++i) devices.emplace_back(ref<core::Device>(list[i]));
  return devices;
}

namespace {

bool contains(std::span<const Ref<core::Device>> devices, const core::Device& wanted) {
  for (const Ref<core::Device>& device : devices)
    if (&device.get() == &wanted) return true;
  return false;
}

}  // namespace

std::vector<Ref<core::Device>> deviceListOf(cl_uint n, const cl_device_id* list,
                                            std::span<const Ref<core::Device>> all) {
  if (n == 0 && !list) return {all.begin(), all.end()};
  std::vector<Ref<core::Device>> devices = deviceListOf(n, list);
  // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with the object.
  for (cl_uint i = 0; i < n; ++i)
    failIf(!contains(all, devices[i]), CL_INVALID_DEVICE, "device_list[{}], {}, is not one of the object's {} devices",
           i, static_cast<const void*>(list[i]), all.size());
  return devices;
}

void requireSameContext(const core::Context& a, const char* nameA, const core::Context& b, const char* nameB) {
  failIf(&a != &b, CL_INVALID_CONTEXT, "{} and {} are of different contexts", nameA, nameB);
}

}  // namespace clarity::api
