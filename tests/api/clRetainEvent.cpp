// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainEvent (OpenCL 3.0, section 5.11).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct RetainEvent : OpenCL {};

TEST_F(RetainEvent, addsOneReference) {
  cl_event command = nullptr;
  ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &command));
  cl_event user = clCreateUserEvent(context, nullptr);
  for (cl_event event : {command, user}) {
    EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT), 1U);
    ASSERT_SUCCESS(clRetainEvent(event));
    EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT), 2U);
    ASSERT_SUCCESS(clReleaseEvent(event));
    EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT), 1U);
    ASSERT_SUCCESS(clReleaseEvent(event));
  }
}

// event is not an event.
TEST_F(RetainEvent, invalidEvent) {
  for (const auto& bad : badHandles<cl_event>(*this))
    EXPECT_CL(CL_INVALID_EVENT, driver->clRetainEvent(bad.handle)) << "the event is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
