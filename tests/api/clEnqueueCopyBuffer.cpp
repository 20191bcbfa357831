// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueCopyBuffer (OpenCL 3.0, section 5.2.2).
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueCopyBuffer : OpenCL {
  static constexpr size_t kSize = 1024;
  const std::vector<unsigned char> contents = countingBytes(kSize);
  const std::vector<unsigned char> zeros = std::vector<unsigned char>(kSize, 0);
  cl_mem source = nullptr;
  cl_mem target = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueCopyBuffer(q, source, target, 0, 0, kSize, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    source = bufferOf(contents);
    target = bufferOf(zeros);
  }

  cl_int copy(cl_mem from, cl_mem to, size_t fromOffset, size_t toOffset, size_t size) {
    return driver->clEnqueueCopyBuffer(queue, from, to, fromOffset, toOffset, size, 0, nullptr, nullptr);
  }
  cl_mem sub(cl_mem of, size_t origin, size_t size) {
    cl_int error = CL_SUCCESS;
    const cl_buffer_region region{origin, size};
    cl_mem part = keep(clCreateSubBuffer(of, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    EXPECT_SUCCESS(error);
    return part;
  }
  size_t align() { return infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8; }
};

TEST_F(EnqueueCopyBuffer, copiesItsPartAlone) {
  ASSERT_SUCCESS(copy(source, target, 13, 200, 501));
  const auto got = read<unsigned char>(target, kSize);
  for (size_t i = 0; i < kSize; ++i) {
    const unsigned char wanted = i >= 200 && i < 200 + 501 ? contents[13 + i - 200] : 0;
    ASSERT_EQ(got[i], wanted) << "byte " << i;
  }
  EXPECT_EQ(read<unsigned char>(source, kSize), contents);
}

TEST_F(EnqueueCopyBuffer, withinOneBufferSideBySide) {
  ASSERT_SUCCESS(copy(source, source, 0, kSize / 2, kSize / 2));
  ASSERT_SUCCESS(copy(source, source, 100, 50, 50));
  std::vector<unsigned char> wanted = contents;
  std::copy_n(contents.begin(), kSize / 2, wanted.begin() + kSize / 2);
  std::copy_n(contents.begin() + 100, 50, wanted.begin() + 50);
  EXPECT_EQ(read<unsigned char>(source, kSize), wanted);
}

TEST_F(EnqueueCopyBuffer, betweenSubBuffersOfOneBuffer) {
  const size_t a = align();
  ASSERT_LE(2 * a, kSize);
  ASSERT_SUCCESS(copy(sub(source, 0, a), sub(source, a, a), 0, 0, a));
  std::vector<unsigned char> wanted = contents;
  std::copy_n(contents.begin(), a, wanted.begin() + a);
  EXPECT_EQ(read<unsigned char>(source, kSize), wanted);
}

// The host's access to the buffers does not matter to a copy.
TEST_F(EnqueueCopyBuffer, ignoresTheAccessFlags) {
  cl_mem hidden = buffer(kSize, CL_MEM_HOST_NO_ACCESS | CL_MEM_READ_ONLY);
  ASSERT_SUCCESS(copy(source, hidden, 0, 0, kSize));
  ASSERT_SUCCESS(copy(hidden, target, 0, 0, kSize));
  EXPECT_EQ(read<unsigned char>(target, kSize), contents);
}

TEST_F(EnqueueCopyBuffer, ofNoBytesTouchesNothing) {
  ASSERT_SUCCESS(copy(source, target, 5, 9, 0));
  EXPECT_EQ(read<unsigned char>(target, kSize), zeros);
}

TEST_F(EnqueueCopyBuffer, waitsForItsList) {
  expectWaitsForItsList(*this, enqueue, CL_COMMAND_COPY_BUFFER);
  EXPECT_EQ(read<unsigned char>(target, kSize), contents);
}

TEST_F(EnqueueCopyBuffer, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_EQ(read<unsigned char>(target, kSize), zeros);
}

// command_queue is not a command-queue.
TEST_F(EnqueueCopyBuffer, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueCopyBuffer, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// One of the buffers belongs to another context.
TEST_F(EnqueueCopyBuffer, invalidContext) {
  cl_mem other = bufferOfAnotherContext(*this, kSize);
  EXPECT_CL(CL_INVALID_CONTEXT, copy(other, target, 0, 0, 4));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(source, other, 0, 0, 4));
}

// One of the buffers is not a buffer.
TEST_F(EnqueueCopyBuffer, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this)) {
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bad.handle, target, 0, 0, 4)) << "the source is " << bad.what;
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(source, bad.handle, 0, 0, 4)) << "the target is " << bad.what;
  }
}

// The region leaves the source or the target.
TEST_F(EnqueueCopyBuffer, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, 0, 0, kSize + 1));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, 1, 0, kSize));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, 0, 1, kSize));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, kSize, 0, 1));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, 0, kSize, 1));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, SIZE_MAX, 0, 2));
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, 0, 2, SIZE_MAX));
  EXPECT_EQ(read<unsigned char>(target, kSize), zeros);
}

// Source and target are one buffer and the regions share bytes.
TEST_F(EnqueueCopyBuffer, memCopyOverlap) {
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(source, source, 0, 0, 16));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(source, source, 0, 15, 16));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(source, source, 15, 0, 16));
  EXPECT_EQ(read<unsigned char>(source, kSize), contents);
}

// Different sub-buffers of one buffer overlap where the regions are.
TEST_F(EnqueueCopyBuffer, memCopyOverlapOfSubBuffers) {
  const size_t a = align();
  ASSERT_LE(3 * a, kSize);
  cl_mem left = sub(source, 0, 2 * a);
  cl_mem right = sub(source, a, 2 * a);
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(left, right, a, 0, a));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(left, right, 0, 0, a + 1));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(left, left, 0, 1, 4));
}

// The notify callback of the context gets the offsets and the size.
TEST_F(EnqueueCopyBuffer, theSentenceCarriesTheRegions) {
  EXPECT_CL(CL_INVALID_VALUE, copy(source, target, 611, 1, 733));
  EXPECT_TRUE(wasNotified("611")) << allNotified();
  EXPECT_TRUE(wasNotified("733")) << allNotified();
}

}  // namespace
}  // namespace clarity::test
