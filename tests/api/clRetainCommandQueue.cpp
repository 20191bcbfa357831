// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainCommandQueue (OpenCL 3.0, section 5.1).
#include "references.h"

namespace clarity::test {
namespace {

using RetainCommandQueue = OpenCL;

TEST_F(RetainCommandQueue, countsReferences) {
  expectReferencesCounted(anotherQueue(), clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo,
                          CL_QUEUE_REFERENCE_COUNT);
}

// command_queue is not a valid command-queue.
TEST_F(RetainCommandQueue, invalidCommandQueue) {
  expectRefused(*this, CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue, driver->clRetainCommandQueue);
}

}  // namespace
}  // namespace clarity::test
