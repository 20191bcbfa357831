// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of all enqueue functions share: the rules that the standard repeats for each of them
// about the command-queue, the wait list and the event, and handles that are no object of the wanted kind.
#pragma once

#include "fixture.h"

#include <functional>
#include <vector>

namespace clarity::test {

/// One enqueue function with arguments that are right but for those given here.
using Enqueue = std::function<cl_int(cl_command_queue queue, cl_uint waits, const cl_event* waitList, cl_event* event)>;

/// True on the driver of this project, which promises to answer CL_INVALID_<OBJECT> for any readable handle that is
/// no live object of the right kind. Others may crash on all but NULL.
bool promisesBadHandles(const OpenCL& test);

template <class T>
struct BadHandle {
  const char* what;
  T handle;
};

/// A handle that was an object until the application gave up its last reference.
template <class T>
T releasedHandle(OpenCL& test);
template <>
cl_context releasedHandle(OpenCL& test);
template <>
cl_command_queue releasedHandle(OpenCL& test);
template <>
cl_mem releasedHandle(OpenCL& test);
template <>
cl_program releasedHandle(OpenCL& test);
template <>
cl_sampler releasedHandle(OpenCL& test);
template <>
cl_kernel releasedHandle(OpenCL& test);
template <>
cl_event releasedHandle(OpenCL& test);

/// Handles that are no T: NULL, memory that is no object of the driver, an object of another kind, an object
/// that was released. Make these last, because a new object may take the place of the released one.
template <class T>
std::vector<BadHandle<T>> badHandles(OpenCL& test) {
  std::vector<BadHandle<T>> bad{{"NULL", nullptr}};
  if (!promisesBadHandles(test)) return bad;
  bad.push_back({"foreign memory", test.notAnObject<T>()});
  if constexpr (std::is_same_v<T, cl_context>)
    bad.push_back({"a command-queue", reinterpret_cast<T>(test.queue)});
  else
    bad.push_back({"a context", reinterpret_cast<T>(test.context)});
  bad.push_back({"a released object", releasedHandle<T>(test)});
  return bad;
}

/// CL_INVALID_COMMAND_QUEUE for whatever is no command-queue, and no event is returned.
void expectQueueChecked(OpenCL& test, const Enqueue& enqueue);

/// CL_INVALID_EVENT_WAIT_LIST for a count without a list, a list without a count and a list with an element that is
/// no event; CL_INVALID_CONTEXT for an event of another context. Nothing is enqueued then.
void expectWaitListChecked(OpenCL& test, const Enqueue& enqueue);

/// The command does not start before all events of its list are complete, and its event answers with the command-queue,
/// the context and this command type. The enqueue must not be a blocking one.
void expectWaitsForItsList(OpenCL& test, const Enqueue& enqueue, cl_command_type type);

/// An event of the list that ends with an error ends the command with an error too. Not for blocking enqueues.
void expectErrorReachesIt(OpenCL& test, const Enqueue& enqueue);

/// The enqueue blocks: it waits for its list and says that an event of the list has failed.
void expectBlockingEnqueueSeesError(OpenCL& test, const Enqueue& enqueue);

/// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error.
cl_int statusOf(cl_event event);

/// A user event of another context, already complete.
cl_event eventOfAnotherContext(OpenCL& test);

/// A buffer of another context.
cl_mem bufferOfAnotherContext(OpenCL& test, size_t bytes);

/// A kernel without arguments in a context of two halves of the device, built for one of them.
struct HalfBuilt {
  explicit HalfBuilt(OpenCL& test);

  cl_kernel kernel = nullptr;  ///< null if the device cannot be divided
  cl_command_queue built = nullptr, unbuilt = nullptr;
};

/// 0, 1, 2, ... as bytes.
std::vector<unsigned char> countingBytes(size_t n, unsigned start = 0);

}  // namespace clarity::test
