// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateUserEvent (OpenCL 3.0, section 5.11).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct CreateUserEvent : OpenCL {};

TEST_F(CreateUserEvent, isSubmittedAndBelongsToNoQueue) {
  cl_int error = CL_INVALID_VALUE;
  cl_event event = clCreateUserEvent(context, &error);
  ASSERT_SUCCESS(error);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(statusOf(event), CL_SUBMITTED);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE), cl_command_type{CL_COMMAND_USER});
  EXPECT_EQ(infoOf<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE), nullptr);
  EXPECT_EQ(infoOf<cl_context>(clGetEventInfo, event, CL_EVENT_CONTEXT), context);
  EXPECT_EQ(infoOf<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT), 1U);
  EXPECT_SUCCESS(clReleaseEvent(event));
}

TEST_F(CreateUserEvent, errorPointerMayBeNull) {
  cl_event event = clCreateUserEvent(context, nullptr);
  ASSERT_NE(event, nullptr);
  EXPECT_SUCCESS(clReleaseEvent(event));
  EXPECT_EQ(driver->clCreateUserEvent(nullptr, nullptr), nullptr);
}

// context is not a context.
TEST_F(CreateUserEvent, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this)) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(driver->clCreateUserEvent(bad.handle, &error), nullptr);
    EXPECT_CL(CL_INVALID_CONTEXT, error) << "the context is " << bad.what;
  }
}

}  // namespace
}  // namespace clarity::test
