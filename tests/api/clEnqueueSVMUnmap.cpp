// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMUnmap (OpenCL 3.0, section 5.6.1); what mapping and unmapping do together is in
// clEnqueueSVMMap.cpp.
#include "shared_memory.h"

namespace clarity::test {
namespace {

struct EnqueueSVMUnmap : SharedMemoryTest {
  unsigned char* memory = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueSVMUnmap(q, memory, n, list, event);
  };

  void SetUp() override {
    SharedMemoryTest::SetUp();
    if (!HasFatalFailure() && !IsSkipped()) memory = blank();
  }
};

TEST_F(EnqueueSVMUnmap, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_SVM_UNMAP); }

TEST_F(EnqueueSVMUnmap, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, enqueue); }

// command_queue is not a command-queue.
TEST_F(EnqueueSVMUnmap, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueSVMUnmap, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// svm_ptr is NULL.
TEST_F(EnqueueSVMUnmap, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, driver->clEnqueueSVMUnmap(queue, nullptr, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
