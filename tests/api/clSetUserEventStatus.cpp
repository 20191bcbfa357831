// SPDX-License-Identifier: Apache-2.0
// This file tests clSetUserEventStatus (OpenCL 3.0, section 5.11).
#include "order_checks.h"

#include <climits>

namespace clarity::test {
namespace {

struct SetUserEventStatus : OrderTest {};

TEST_F(SetUserEventStatus, completesTheEventAndReleasesWhatWaits) {
  cl_event gate = userEvent();
  cl_event held = set(queue, 8, {gate});
  ASSERT_SUCCESS(clFlush(queue));
  EXPECT_TRUE(isPending(held));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(statusOf(gate), CL_COMPLETE);
  wait(held);
  EXPECT_EQ(value(), 8U);
}

TEST_F(SetUserEventStatus, anyNegativeStatusIsKept) {
  for (cl_int status : {-1, CL_INVALID_OPERATION, -12345, INT_MIN}) {
    cl_event event = userEvent();
    ASSERT_SUCCESS(clSetUserEventStatus(event, status));
    EXPECT_EQ(statusOf(event), status);
  }
}

// A failed event ends everything that waits for it, directly or not.
TEST_F(SetUserEventStatus, anErrorEndsAChain) {
  cl_event gate = userEvent();
  cl_event first = set(anyOrder, 1, {gate});
  cl_event second = set(anyOrder, 2, {first});
  cl_event third = set(anyOrder, 3, {second});
  ASSERT_SUCCESS(clFlush(anyOrder));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, -3));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &third));
  for (cl_event each : {first, second, third}) EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(each));
  EXPECT_EQ(value(), 0U);
}

// event is not an event, or is the event of a command.
TEST_F(SetUserEventStatus, invalidEvent) {
  EXPECT_CL(CL_INVALID_EVENT, driver->clSetUserEventStatus(set(queue, 1), CL_COMPLETE));
  for (const auto& bad : badHandles<cl_event>(*this))
    EXPECT_CL(CL_INVALID_EVENT, driver->clSetUserEventStatus(bad.handle, CL_COMPLETE)) << "the event is " << bad.what;
}

// The status is neither CL_COMPLETE nor negative.
TEST_F(SetUserEventStatus, invalidValue) {
  cl_event event = userEvent();
  for (cl_int status : {CL_RUNNING, CL_SUBMITTED, CL_QUEUED, 4, INT_MAX})
    EXPECT_CL(CL_INVALID_VALUE, clSetUserEventStatus(event, status)) << status;
  EXPECT_EQ(statusOf(event), CL_SUBMITTED);
}

// The status was set before, to whatever.
TEST_F(SetUserEventStatus, invalidOperation) {
  cl_event complete = userEvent();
  ASSERT_SUCCESS(clSetUserEventStatus(complete, CL_COMPLETE));
  EXPECT_CL(CL_INVALID_OPERATION, clSetUserEventStatus(complete, CL_COMPLETE));
  EXPECT_CL(CL_INVALID_OPERATION, clSetUserEventStatus(complete, -1));
  EXPECT_EQ(statusOf(complete), CL_COMPLETE);
  cl_event failed = userEvent();
  ASSERT_SUCCESS(clSetUserEventStatus(failed, -1));
  EXPECT_CL(CL_INVALID_OPERATION, clSetUserEventStatus(failed, CL_COMPLETE));
  EXPECT_EQ(statusOf(failed), -1);
}

}  // namespace
}  // namespace clarity::test
