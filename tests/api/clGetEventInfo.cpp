// SPDX-License-Identifier: Apache-2.0
// This file tests clGetEventInfo (OpenCL 3.0, section 5.11). The command type of each kind of command is tested with
// the function that enqueues it.
#include "order_checks.h"

namespace clarity::test {
namespace {

struct GetEventInfo : OrderTest {};

TEST_F(GetEventInfo, ofACommand) {
  cl_event event = set(queue, 1);
  EXPECT_EQ(infoOf<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE), queue);
  EXPECT_EQ(infoOf<cl_context>(clGetEventInfo, event, CL_EVENT_CONTEXT), context);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
            cl_command_type{CL_COMMAND_FILL_BUFFER});
  EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT), 1U);
  wait(event);
  EXPECT_EQ(statusOf(event), CL_COMPLETE);
  EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT), 1U);
}

// The status only ever goes down, from CL_QUEUED to CL_COMPLETE.
TEST_F(GetEventInfo, theStatusNeverGoesBack) {
  cl_event gate = userEvent();
  cl_event event = set(queue, 1, {gate});
  cl_int last = statusOf(event);
  EXPECT_LE(last, CL_QUEUED);
  EXPECT_GE(last, CL_SUBMITTED);
  ASSERT_SUCCESS(clFlush(queue));
  open(gate);
  while (last != CL_COMPLETE) {
    const cl_int now = statusOf(event);
    ASSERT_LE(now, last);
    ASSERT_GE(now, CL_COMPLETE);
    last = now;
  }
}

// Asking is enough for a flushed command to be complete one day: no blocking call is needed.
TEST_F(GetEventInfo, pollingSeesTheEnd) {
  cl_event event = set(queue, 1);
  ASSERT_SUCCESS(clFlush(queue));
  const auto end = std::chrono::steady_clock::now() + kNever;
  while (statusOf(event) != CL_COMPLETE) ASSERT_LT(std::chrono::steady_clock::now(), end) << "never completed";
}

// param_value_size is less than the size of the value and param_value is not NULL.
TEST_F(GetEventInfo, sizesOfAllQueries) {
  for (cl_event event : {set(queue, 1), userEvent()}) {
    expectSizesChecked(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue));
    expectSizesChecked(clGetEventInfo, event, CL_EVENT_CONTEXT, sizeof(cl_context));
    expectSizesChecked(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE, sizeof(cl_command_type));
    expectSizesChecked(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(cl_int));
    expectSizesChecked(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT, sizeof(cl_uint));
  }
}

// event is not an event.
TEST_F(GetEventInfo, invalidEvent) {
  for (const auto& bad : badHandles<cl_event>(*this))
    EXPECT_CL(CL_INVALID_EVENT, driver->clGetEventInfo(bad.handle, CL_EVENT_CONTEXT, 0, nullptr, nullptr)) << bad.what;
}

// param_name is none of the queries.
TEST_F(GetEventInfo, invalidValue) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetEventInfo(userEvent(), 0x9999, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetEventInfo(userEvent(), CL_PROFILING_COMMAND_END, 0, nullptr, &size));
}

}  // namespace
}  // namespace clarity::test
