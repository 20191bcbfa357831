// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueFillImage on a device without images (OpenCL 3.0, section 5.3.4).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct EnqueueFillImage : WithoutImages {};

// The device of the command-queue has no images; the command-queue is looked at first (CL_INVALID_COMMAND_QUEUE).
TEST_F(EnqueueFillImage, invalidOperation) {
  expectEnqueueAbsent(*this, [&](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueFillImage(q, memory, pixels, origin, region, n, list, event);
  });
  EXPECT_EQ(read<unsigned char>(memory, 4).size(), 4U) << "the command-queue works on";
}

}  // namespace
}  // namespace clarity::test
