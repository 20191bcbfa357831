// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueSVMMemFill (OpenCL 3.0, section 5.6.1).
#include "shared_memory.h"

namespace clarity::test {
namespace {

struct EnqueueSVMMemFill : SharedMemoryTest {
  unsigned char* memory = nullptr;
  const std::vector<unsigned char> pattern = countingBytes(256, 1);
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueSVMMemFill(q, memory, pattern.data(), 4, kSize, n, list, event);
  };

  void SetUp() override {
    SharedMemoryTest::SetUp();
    if (!HasFatalFailure() && !IsSkipped()) memory = blank();
  }
  cl_int fill(void* to, const void* with, size_t patternSize, size_t size) {
    return driver->clEnqueueSVMMemFill(queue, to, with, patternSize, size, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueSVMMemFill, everyPatternSizeFillsItsPartAlone) {
  for (size_t bytes = 1; bytes <= 128; bytes *= 2) {
    auto* const fresh = blank();
    const size_t offset = 3 * bytes, size = 5 * bytes;
    ASSERT_SUCCESS(fill(fresh + offset, pattern.data(), bytes, size)) << "pattern of " << bytes;
    ASSERT_SUCCESS(clFinish(queue));
    std::vector<unsigned char> wanted(kSize, 0xEE);
    for (size_t i = 0; i < size; ++i) wanted[offset + i] = pattern[i % bytes];
    EXPECT_EQ(bytesAt(fresh), wanted) << "pattern of " << bytes;
  }
}

TEST_F(EnqueueSVMMemFill, ofMemoryOfTheSystem) {
  if (!(infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) &
        CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
    GTEST_SKIP();
  std::vector<cl_int> mine(100, -1);
  const cl_int nine = 9;
  ASSERT_SUCCESS(fill(mine.data(), &nine, 4, 400));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(mine, std::vector<cl_int>(100, 9));
}

TEST_F(EnqueueSVMMemFill, thePatternCanBeReusedAfterTheCall) {
  cl_event gate = userEvent();
  cl_uint mine = 0x01020304;
  ASSERT_SUCCESS(clEnqueueSVMMemFill(queue, memory, &mine, 4, kSize, 1, &gate, nullptr));
  mine = 0;
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(reinterpret_cast<cl_uint*>(memory)[kSize / 4 - 1], 0x01020304U);
}

TEST_F(EnqueueSVMMemFill, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_SVM_MEMFILL); }

TEST_F(EnqueueSVMMemFill, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_EQ(bytesAt(memory), std::vector<unsigned char>(kSize, 0xEE));
}

// command_queue is not a command-queue.
TEST_F(EnqueueSVMMemFill, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueSVMMemFill, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// No memory, no pattern, or a pattern's size that is 0, no power of two or more than 128.
TEST_F(EnqueueSVMMemFill, invalidValueOfPattern) {
  EXPECT_CL(CL_INVALID_VALUE, fill(nullptr, pattern.data(), 4, 4));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, nullptr, 4, 4));
  for (size_t bytes : {0, 3, 5, 6, 12, 24, 96, 129, 256})
    EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), bytes, 0)) << "pattern of " << bytes;
}

// The address or the size is no multiple of the pattern's size.
TEST_F(EnqueueSVMMemFill, invalidValueOfMultiples) {
  EXPECT_CL(CL_INVALID_VALUE, fill(memory + 2, pattern.data(), 4, 8));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory + 4, pattern.data(), 4, 6));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory + 64, pattern.data(), 128, 128));
  EXPECT_EQ(bytesAt(memory), std::vector<unsigned char>(kSize, 0xEE));
}

// The bytes reach beyond the allocation.
TEST_F(EnqueueSVMMemFill, invalidValueOutOfBounds) {
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 1, kSize + 1));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory + kSize - 4, pattern.data(), 4, 8));
  EXPECT_TRUE(wasNotifiedOf(kSize)) << allNotified();
}

}  // namespace
}  // namespace clarity::test
