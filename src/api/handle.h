// SPDX-License-Identifier: Apache-2.0
// This file turns what the application passes (handles, lists of handles, wait lists) into references to valid
// objects, or throws the error that the specification names for it.
#pragma once

#include "api/entry.h"
#include "api/new_extensions.h"
#include "core/context.h"
#include "core/device.h"
#include "core/error.h"
#include "core/kernel.h"
#include "core/memory.h"
#include "core/platform.h"
#include "core/program.h"
#include "core/ref.h"
#include "core/sampler.h"

#include <CL/cl.h>

#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace clarity::sched {
class CommandBuffer;
class Event;
class MutableCommand;
class Queue;
class Semaphore;
}  // namespace clarity::sched

namespace clarity::api {

using core::fail;
using core::failIf;
using core::Ref;
using core::RefPtr;

/// The error code of the specification for a handle that is not a valid one of class T.
template <class T>
struct HandleError;
template <>
struct HandleError<core::Platform> {
  static constexpr cl_int code = CL_INVALID_PLATFORM;
  static constexpr const char* name = "platform";
};
template <>
struct HandleError<core::Device> {
  static constexpr cl_int code = CL_INVALID_DEVICE;
  static constexpr const char* name = "device";
};
template <>
struct HandleError<core::Context> {
  static constexpr cl_int code = CL_INVALID_CONTEXT;
  static constexpr const char* name = "context";
};
template <>
struct HandleError<core::Memory> {
  static constexpr cl_int code = CL_INVALID_MEM_OBJECT;
  static constexpr const char* name = "memory object";
};
template <>
struct HandleError<core::Sampler> {
  static constexpr cl_int code = CL_INVALID_SAMPLER;
  static constexpr const char* name = "sampler";
};
template <>
struct HandleError<core::Program> {
  static constexpr cl_int code = CL_INVALID_PROGRAM;
  static constexpr const char* name = "program";
};
template <>
struct HandleError<core::Kernel> {
  static constexpr cl_int code = CL_INVALID_KERNEL;
  static constexpr const char* name = "kernel";
};
template <>
struct HandleError<sched::Event> {
  static constexpr cl_int code = CL_INVALID_EVENT;
  static constexpr const char* name = "event";
};
template <>
struct HandleError<sched::Queue> {
  static constexpr cl_int code = CL_INVALID_COMMAND_QUEUE;
  static constexpr const char* name = "command-queue";
};
template <>
struct HandleError<sched::CommandBuffer> {
  static constexpr cl_int code = CL_INVALID_COMMAND_BUFFER_KHR;
  static constexpr const char* name = "command-buffer";
};
template <>
struct HandleError<sched::MutableCommand> {
  static constexpr cl_int code = CL_INVALID_MUTABLE_COMMAND_KHR;
  static constexpr const char* name = "command of a command-buffer that can be changed";
};

template <>
struct HandleError<sched::Semaphore> {
  static constexpr cl_int code = CL_INVALID_SEMAPHORE_KHR;
  static constexpr const char* name = "semaphore";
};

/// CL_CONTEXT_TERMINATED_KHR unless the entry point that runs on this thread may still be called: queries, retain and
/// release operations and what concerns events (clTerminateContextKHR).
void requireAllowedAfterTermination();

/// The context of the call, to which its failures are reported. CL_CONTEXT_TERMINATED_KHR as above.
inline void enterContext(core::Context& context) {
  CallScope::current().enter(context);
  if (context.isTerminated()) [[unlikely]]
    requireAllowedAfterTermination();
}

/// Throws the error for a handle that is not valid.
[[noreturn]] void failHandle(cl_int code, const char* name, const void* handle);

/// The object behind a handle, which is kept until the call returns; Error with CL_INVALID_<OBJECT> if the handle is
/// null, of another class or destroyed. The object's context becomes the one that failures of the call are reported to.
template <class T, class H>
T& ref(H* handle) {
  RefPtr<T> found = T::fromHandle(handle);
  if (!found) [[unlikely]]
    failHandle(HandleError<T>::code, HandleError<T>::name, handle);
  T& object = CallScope::current().keep(std::move(found));
  if constexpr (requires { object.owner(); }) {
    auto owner = object.owner();
    if (!owner) failHandle(HandleError<T>::code, HandleError<T>::name, handle);
    CallScope::current().keep(std::move(owner));
  }
  if constexpr (std::is_same_v<T, core::Context>)
    enterContext(object);
  else if constexpr (requires { object.context(); })
    enterContext(object.context());
  return object;
}

/// clRetain*: CL_INVALID_<OBJECT> for an invalid handle.
template <class T, class H>
void retainHandle(H* handle) {
  ref<T>(handle).retain();
}

/// clRelease*: CL_INVALID_<OBJECT> for an invalid handle and for one that the application has released already.
template <class T, class H>
void releaseHandle(H* handle) {
  if (!ref<T>(handle).release()) failHandle(HandleError<T>::code, HandleError<T>::name, handle);
}

/// The events of a wait list. CL_INVALID_EVENT_WAIT_LIST if the list is null and n is not 0 or the reverse, or if an
/// event is not valid; CL_INVALID_CONTEXT if an event is of another context.
std::vector<Ref<sched::Event>> waitListOf(core::Context& context, cl_uint n, const cl_event* list);

/// The devices of a list that must not be empty and whose devices must be valid (CL_INVALID_VALUE, CL_INVALID_DEVICE).
std::vector<Ref<core::Device>> deviceListOf(cl_uint n, const cl_device_id* list);

/// The devices of an optional list: `all` if it is null and n is 0. CL_INVALID_VALUE if only one of them says so,
/// CL_INVALID_DEVICE if a device is not one of `all`.
std::vector<Ref<core::Device>> deviceListOf(cl_uint n, const cl_device_id* list,
                                            std::span<const Ref<core::Device>> all);

/// CL_INVALID_CONTEXT if the two objects, named for the text, are not of the same context.
void requireSameContext(const core::Context& a, const char* nameA, const core::Context& b, const char* nameB);

}  // namespace clarity::api
