// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueFillBuffer (OpenCL 3.0, section 5.2.3).
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueFillBuffer : OpenCL {
  static constexpr size_t kSize = 2048;
  const std::vector<unsigned char> blank = std::vector<unsigned char>(kSize, 0xEE);
  const std::vector<unsigned char> pattern = countingBytes(256, 1);
  cl_mem memory = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueFillBuffer(q, memory, pattern.data(), 4, 0, kSize, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) memory = bufferOf(blank);
  }

  cl_int fill(cl_mem which, const void* with, size_t patternSize, size_t offset, size_t size) {
    return driver->clEnqueueFillBuffer(queue, which, with, patternSize, offset, size, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueFillBuffer, everyPatternSizeFillsItsPartAlone) {
  for (size_t bytes = 1; bytes <= 128; bytes *= 2) {
    cl_mem fresh = bufferOf(blank);
    const size_t offset = 3 * bytes;
    const size_t size = 5 * bytes;
    ASSERT_SUCCESS(fill(fresh, pattern.data(), bytes, offset, size)) << "pattern of " << bytes;
    std::vector<unsigned char> wanted = blank;
    for (size_t i = 0; i < size; ++i) wanted[offset + i] = pattern[i % bytes];
    EXPECT_EQ(read<unsigned char>(fresh, kSize), wanted) << "pattern of " << bytes;
  }
}

TEST_F(EnqueueFillBuffer, thePatternCanBeReusedAfterTheCall) {
  cl_event gate = userEvent();
  cl_uint mine = 0x01020304;
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &mine, 4, 0, kSize, 1, &gate, nullptr));
  mine = 0;
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<cl_uint>(memory, kSize / 4), std::vector<cl_uint>(kSize / 4, 0x01020304));
}

TEST_F(EnqueueFillBuffer, ofASubBuffer) {
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region region{align, 64};
  cl_mem part = keep(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  ASSERT_SUCCESS(fill(part, pattern.data(), 1, 0, 64));
  std::vector<unsigned char> wanted = blank;
  std::fill_n(wanted.begin() + align, 64, pattern[0]);
  EXPECT_EQ(read<unsigned char>(memory, kSize), wanted);
}

// The access of kernels and of the host to the buffer does not matter to a fill.
TEST_F(EnqueueFillBuffer, ignoresTheAccessFlags) {
  EXPECT_SUCCESS(fill(buffer(64, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS), pattern.data(), 4, 0, 64));
  EXPECT_SUCCESS(fill(buffer(64, CL_MEM_HOST_READ_ONLY), pattern.data(), 4, 0, 64));
}

TEST_F(EnqueueFillBuffer, ofNoBytesTouchesNothing) {
  ASSERT_SUCCESS(fill(memory, pattern.data(), 4, 8, 0));
  EXPECT_EQ(read<unsigned char>(memory, kSize), blank);
}

TEST_F(EnqueueFillBuffer, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_FILL_BUFFER); }

TEST_F(EnqueueFillBuffer, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_EQ(read<unsigned char>(memory, kSize), blank);
}

// command_queue is not a command-queue.
TEST_F(EnqueueFillBuffer, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueFillBuffer, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// The buffer belongs to another context.
TEST_F(EnqueueFillBuffer, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, fill(bufferOfAnotherContext(*this, kSize), pattern.data(), 4, 0, 4));
}

// buffer is not a buffer.
TEST_F(EnqueueFillBuffer, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, fill(bad.handle, pattern.data(), 4, 0, 4)) << "the buffer is " << bad.what;
}

// The region leaves the buffer.
TEST_F(EnqueueFillBuffer, invalidValueOutOfBounds) {
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 1, 0, kSize + 1));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 1, 1, kSize));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 1, kSize, 1));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 1, SIZE_MAX, 2));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 1, 2, SIZE_MAX));
}

// No pattern, or a size that is 0, no power of two or more than 128.
TEST_F(EnqueueFillBuffer, invalidValueOfPattern) {
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, nullptr, 4, 0, 4));
  for (size_t bytes : {0, 3, 5, 6, 12, 24, 96, 129, 256})
    EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), bytes, 0, 0)) << "pattern of " << bytes;
}

// Offset or size is no multiple of the pattern's size.
TEST_F(EnqueueFillBuffer, invalidValueOfMultiples) {
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 4, 2, 8));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 4, 4, 6));
  EXPECT_CL(CL_INVALID_VALUE, fill(memory, pattern.data(), 128, 64, 128));
  EXPECT_EQ(read<unsigned char>(memory, kSize), blank);
}

}  // namespace
}  // namespace clarity::test
