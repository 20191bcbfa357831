// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMMap on a device without shared virtual memory (OpenCL 3.0, section 5.6.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct EnqueueSVMMap : WithoutSvm {};

// The device of the command-queue has no SVM; the command-queue is looked at first (CL_INVALID_COMMAND_QUEUE).
TEST_F(EnqueueSVMMap, invalidOperation) {
  expectEnqueueAbsent(*this, [&](cl_command_queue q, cl_uint n, const cl_event* waits, cl_event* event) {
    return driver->clEnqueueSVMMap(q, CL_TRUE, CL_MAP_WRITE, bytes, 64, n, waits, event);
  });
}

}  // namespace
}  // namespace clarity::test
