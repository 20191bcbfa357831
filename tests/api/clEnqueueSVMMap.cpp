// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMMap (OpenCL 3.0, section 5.6.1).
#include "shared_memory.h"

namespace clarity::test {
namespace {

struct EnqueueSVMMap : SharedMemoryTest {
  unsigned char* memory = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueSVMMap(q, CL_FALSE, CL_MAP_READ, memory, kSize, n, list, event);
  };
  Enqueue blocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, memory, kSize, n, list, event);
  };

  void SetUp() override {
    SharedMemoryTest::SetUp();
    if (!HasFatalFailure() && !IsSkipped()) memory = blank();
  }
  cl_int map(cl_map_flags flags, void* at, size_t size) {
    return driver->clEnqueueSVMMap(queue, CL_TRUE, flags, at, size, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueSVMMap, makesWhatAKernelWroteVisible) {
  cl_kernel write = kernel("kernel void write(global uchar* a) { a[get_global_id(0)] = get_global_id(0); }", "write");
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(write, 0, memory));
  launch(write, kSize);
  ASSERT_SUCCESS(map(CL_MAP_READ | CL_MAP_WRITE, memory, kSize));
  EXPECT_EQ(bytesAt(memory), countingBytes(kSize));
  memory[0] = 77;
  ASSERT_SUCCESS(clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr));
  ASSERT_SUCCESS(map(CL_MAP_WRITE_INVALIDATE_REGION, memory + 8, 8));  // a part
  ASSERT_SUCCESS(clEnqueueSVMUnmap(queue, memory + 8, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
}

TEST_F(EnqueueSVMMap, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_SVM_MAP); }

TEST_F(EnqueueSVMMap, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  expectBlockingEnqueueSeesError(*this, blocking);
}

// command_queue is not a command-queue.
TEST_F(EnqueueSVMMap, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueSVMMap, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// No memory, no bytes, or flags that are unknown or contradict each other.
TEST_F(EnqueueSVMMap, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, map(CL_MAP_READ, nullptr, kSize));
  EXPECT_CL(CL_INVALID_VALUE, map(CL_MAP_READ, memory, 0));
  EXPECT_CL(CL_INVALID_VALUE, map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, memory, kSize));
  EXPECT_CL(CL_INVALID_VALUE, map(cl_map_flags{1} << 20, memory, kSize));
}

}  // namespace
}  // namespace clarity::test
