// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMMemFill on a device without shared virtual memory (OpenCL 3.0, section 5.6.1).
#include "absent_features.h"

#include <algorithm>

namespace clarity::test {
namespace {

struct EnqueueSVMMemFill : WithoutSvm {};

// The device of the command-queue has no SVM; the command-queue is looked at first (CL_INVALID_COMMAND_QUEUE).
TEST_F(EnqueueSVMMemFill, invalidOperation) {
  std::fill_n(bytes + 128, 64, 0x21);
  expectEnqueueAbsent(*this, [&](cl_command_queue q, cl_uint n, const cl_event* waits, cl_event* event) {
    return driver->clEnqueueSVMMemFill(q, bytes, bytes + 128, 4, 64, n, waits, event);
  });
  EXPECT_EQ(bytes[0], 0) << "a command that was refused has written";
}

}  // namespace
}  // namespace clarity::test
