// SPDX-License-Identifier: Apache-2.0
// This file tests clGetEventProfilingInfo (OpenCL 3.0, section 5.14).
#include "order_checks.h"

namespace clarity::test {
namespace {

constexpr cl_profiling_info kTimes[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                        CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
                                        CL_PROFILING_COMMAND_COMPLETE};

struct GetEventProfilingInfo : OrderTest {
  cl_ulong time(cl_event event, cl_profiling_info which) {
    return infoOf<cl_ulong>(clGetEventProfilingInfo, event, which);
  }
  /// The five times are there and none is before the one before it.
  void expectOrdered(cl_event event, const char* what) {
    cl_ulong last = 1;
    for (cl_profiling_info each : kTimes) {
      const cl_ulong now = time(event, each);
      EXPECT_GE(now, last) << what << ", " << each;
      last = now;
    }
  }
  cl_int errorOf(cl_event event, cl_profiling_info which = CL_PROFILING_COMMAND_END) {
    cl_ulong got = 0;
    return driver->clGetEventProfilingInfo(event, which, sizeof got, &got, nullptr);
  }
};

TEST_F(GetEventProfilingInfo, theTimesOfEveryKindOfCommandAreInOrder) {
  cl_kernel nothing = kernel("kernel void nothing() {}", "nothing");
  cl_mem other = buffer(64);
  cl_uint host = 0;
  const size_t one = 1;
  std::vector<std::pair<const char*, cl_event>> events(8);
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, nothing, 1, nullptr, &one, nullptr, 0, nullptr, &events[0].second));
  ASSERT_SUCCESS(clEnqueueReadBuffer(queue, cell, CL_FALSE, 0, 4, &host, 0, nullptr, &events[1].second));
  ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, cell, CL_TRUE, 0, 4, &host, 0, nullptr, &events[2].second));
  ASSERT_SUCCESS(clEnqueueCopyBuffer(queue, cell, other, 0, 0, 4, 0, nullptr, &events[3].second));
  void* mapped = clEnqueueMapBuffer(queue, cell, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, &events[4].second, nullptr);
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, cell, mapped, 0, nullptr, &events[5].second));
  ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &events[6].second));
  ASSERT_SUCCESS(clEnqueueMigrateMemObjects(queue, 1, &cell, 0, 0, nullptr, &events[7].second));
  const char* names[] = {"kernel", "read", "write", "copy", "map", "unmap", "marker", "migrate"};
  for (size_t i = 0; i < events.size(); ++i) keep(events[i].second);
  ASSERT_SUCCESS(clFinish(queue));
  for (size_t i = 0; i < events.size(); ++i) expectOrdered(events[i].second, names[i]);
}

TEST_F(GetEventProfilingInfo, commandsOfAnInOrderQueueDoNotOverlap) {
  std::vector<cl_event> events;
  for (cl_uint i = 0; i < 20; ++i) events.push_back(set(queue, i));
  ASSERT_SUCCESS(clFinish(queue));
  for (size_t i = 1; i < events.size(); ++i) {
    EXPECT_GE(time(events[i], CL_PROFILING_COMMAND_START), time(events[i - 1], CL_PROFILING_COMMAND_END)) << i;
    EXPECT_GE(time(events[i], CL_PROFILING_COMMAND_QUEUED), time(events[i - 1], CL_PROFILING_COMMAND_QUEUED)) << i;
  }
}

// A command that waits is not started before what it waits for has ended.
TEST_F(GetEventProfilingInfo, aCommandStartsAfterTheOneItWaitsFor) {
  cl_event first = set(anyOrder, 1);
  cl_event second = set(anyOrder, 2, {first});
  wait(second);
  EXPECT_GE(time(second, CL_PROFILING_COMMAND_START), time(first, CL_PROFILING_COMMAND_END));
}

// The clock is that of clGetDeviceAndHostTimer.
TEST_F(GetEventProfilingInfo, theClockIsTheDevicesTimer) {
  cl_ulong before = 0;
  cl_ulong after = 0;
  cl_ulong host = 0;
  ASSERT_SUCCESS(clGetDeviceAndHostTimer(device, &before, &host));
  cl_event event = set(queue, 1);
  wait(event);
  ASSERT_SUCCESS(clGetDeviceAndHostTimer(device, &after, &host));
  EXPECT_GE(time(event, CL_PROFILING_COMMAND_QUEUED), before);
  EXPECT_LE(time(event, CL_PROFILING_COMMAND_END), after);
}

// param_value_size is less than the size of the value and param_value is not NULL.
TEST_F(GetEventProfilingInfo, sizesOfAllQueries) {
  cl_event event = set(queue, 1);
  wait(event);
  for (cl_profiling_info each : kTimes) expectSizesChecked(clGetEventProfilingInfo, event, each, sizeof(cl_ulong));
}

// event is not an event.
TEST_F(GetEventProfilingInfo, invalidEvent) {
  for (const auto& bad : badHandles<cl_event>(*this))
    EXPECT_CL(CL_INVALID_EVENT, errorOf(bad.handle)) << "the event is " << bad.what;
}

// The queue does not profile.
TEST_F(GetEventProfilingInfo, notAvailableWithoutProfiling) {
  cl_command_queue plain = anotherQueue();
  cl_event event = set(plain, 1);
  wait(event);
  for (cl_profiling_info each : kTimes) EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE, errorOf(event, each));
}

// The command is not complete.
TEST_F(GetEventProfilingInfo, notAvailableBeforeTheEnd) {
  cl_event gate = userEvent();
  cl_event event = set(queue, 1, {gate});
  ASSERT_SUCCESS(clFlush(queue));
  for (cl_profiling_info each : kTimes) EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE, errorOf(event, each));
  open(gate);
  wait(event);
  EXPECT_SUCCESS(errorOf(event));
}

// The command ended with an error, so its status is not CL_COMPLETE.
TEST_F(GetEventProfilingInfo, notAvailableAfterAnError) {
  cl_event gate = userEvent();
  cl_event event = set(anyOrder, 1, {gate});
  ASSERT_SUCCESS(clSetUserEventStatus(gate, -1));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE, errorOf(event));
}

// A user event has no times.
TEST_F(GetEventProfilingInfo, notAvailableOfAUserEvent) {
  cl_event event = userEvent();
  EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE, errorOf(event));
  open(event);
  EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE, errorOf(event));
}

// param_name is none of the queries.
TEST_F(GetEventProfilingInfo, invalidValue) {
  cl_event event = set(queue, 1);
  wait(event);
  EXPECT_CL(CL_INVALID_VALUE, errorOf(event, 0x9999));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(event, CL_EVENT_COMMAND_TYPE));
}

}  // namespace
}  // namespace clarity::test
