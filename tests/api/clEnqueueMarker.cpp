// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueMarker, deprecated by OpenCL 1.2 (OpenCL 3.0, section 5.12).
#include "order_checks.h"

namespace clarity::test {
namespace {

struct EnqueueMarker : OrderTest {};

TEST_F(EnqueueMarker, isAfterEverythingBeforeIt) {
  for (cl_command_queue on : {queue, anyOrder}) {
    cl_event gate = userEvent();
    cl_event held = set(on, 1, {gate});
    cl_event marker = nullptr;
    ASSERT_SUCCESS(clEnqueueMarker(on, &marker));
    keep(marker);
    ASSERT_SUCCESS(clFlush(on));
    EXPECT_TRUE(isPending(marker));
    open(gate);
    wait(marker);
    EXPECT_EQ(statusOf(held), CL_COMPLETE);
    EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, marker, CL_EVENT_COMMAND_TYPE),
              cl_command_type{CL_COMMAND_MARKER});
  }
}

TEST_F(EnqueueMarker, doesNotBlockWhatFollows) {
  cl_event gate = userEvent();
  set(anyOrder, 1, {gate});
  cl_event marker = nullptr;
  ASSERT_SUCCESS(clEnqueueMarker(anyOrder, &marker));
  keep(marker);
  wait(set(anyOrder, 2));
  EXPECT_TRUE(isPending(marker));
  open(gate);
}

// command_queue is not a command-queue.
TEST_F(EnqueueMarker, invalidCommandQueue) {
  for (const auto& bad : badHandles<cl_command_queue>(*this)) {
    cl_event marker = nullptr;
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, driver->clEnqueueMarker(bad.handle, &marker)) << bad.what;
    EXPECT_EQ(marker, nullptr);
  }
}

// event is NULL: a marker that no caller can wait for has no use.
TEST_F(EnqueueMarker, invalidValue) { EXPECT_CL(CL_INVALID_VALUE, clEnqueueMarker(queue, nullptr)); }

}  // namespace
}  // namespace clarity::test
