// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMMigrateMem on a device without shared virtual memory (OpenCL 3.0, section 5.6.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct EnqueueSVMMigrateMem : WithoutSvm {};

// The device of the command-queue has no SVM; the command-queue is looked at first (CL_INVALID_COMMAND_QUEUE).
TEST_F(EnqueueSVMMigrateMem, invalidOperation) {
  const void* list[] = {bytes};
  expectEnqueueAbsent(*this, [&](cl_command_queue q, cl_uint n, const cl_event* waits, cl_event* event) {
    return driver->clEnqueueSVMMigrateMem(q, 1, list, nullptr, 0, n, waits, event);
  });
}

}  // namespace
}  // namespace clarity::test
