// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueWriteBuffer (OpenCL 3.0, section 5.2.2).
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueWriteBuffer : OpenCL {
  static constexpr size_t kSize = 1000;
  const std::vector<unsigned char> zeros = std::vector<unsigned char>(kSize, 0);
  std::vector<unsigned char> host = countingBytes(kSize, 1);
  cl_mem memory = nullptr;
  Enqueue blocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueWriteBuffer(q, memory, CL_TRUE, 0, kSize, host.data(), n, list, event);
  };
  Enqueue nonBlocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueWriteBuffer(q, memory, CL_FALSE, 0, kSize, host.data(), n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) memory = bufferOf(zeros);
  }

  cl_int writeTo(cl_mem to, size_t offset, size_t size, const void* from) {
    return driver->clEnqueueWriteBuffer(queue, to, CL_TRUE, offset, size, from, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueWriteBuffer, writesItsPartAlone) {
  ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 13, 501, host.data() + 7, 0, nullptr, nullptr));
  const auto got = read<unsigned char>(memory, kSize);
  for (size_t i = 0; i < kSize; ++i) {
    const unsigned char wanted = i >= 13 && i < 13 + 501 ? host[7 + i - 13] : 0;
    ASSERT_EQ(got[i], wanted) << "byte " << i;
  }
}

// After a blocking write the host memory belongs to the application again.
TEST_F(EnqueueWriteBuffer, blockingWriteIsDoneWithTheHostMemory) {
  std::vector<unsigned char> mine = host;
  ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, kSize, mine.data(), 0, nullptr, nullptr));
  mine.assign(kSize, 0xEE);
  EXPECT_EQ(read<unsigned char>(memory, kSize), host);
}

TEST_F(EnqueueWriteBuffer, nonBlockingWriteIsDoneWhenItsEventIsComplete) {
  cl_event event = nullptr;
  ASSERT_SUCCESS(nonBlocking(queue, 0, nullptr, &event));
  keep(event);
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
  const std::vector<unsigned char> wanted = host;
  host.assign(kSize, 0xEE);
  EXPECT_EQ(read<unsigned char>(memory, kSize), wanted);
}

TEST_F(EnqueueWriteBuffer, throughASubBuffer) {
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region region{align, 64};
  cl_mem part = keep(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  ASSERT_SUCCESS(writeTo(part, 60, 4, host.data()));
  const auto got = read<unsigned char>(memory, kSize);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(got[align + 60 + i], host[i]);
}

TEST_F(EnqueueWriteBuffer, ofNoBytesTouchesNothing) {
  ASSERT_SUCCESS(writeTo(memory, 10, 0, host.data()));
  ASSERT_SUCCESS(writeTo(memory, kSize, 0, host.data()));
  EXPECT_EQ(read<unsigned char>(memory, kSize), zeros);
}

TEST_F(EnqueueWriteBuffer, waitsForItsList) {
  expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_WRITE_BUFFER);
  EXPECT_EQ(read<unsigned char>(memory, kSize), host);
}

TEST_F(EnqueueWriteBuffer, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, nonBlocking);
  EXPECT_EQ(read<unsigned char>(memory, kSize), zeros) << "a command that was terminated has written";
}

// A blocking write whose list holds a failed event.
TEST_F(EnqueueWriteBuffer, execStatusErrorForEventsInWaitList) { expectBlockingEnqueueSeesError(*this, blocking); }

// command_queue is not a command-queue.
TEST_F(EnqueueWriteBuffer, invalidCommandQueue) {
  expectQueueChecked(*this, nonBlocking);
  expectQueueChecked(*this, blocking);
}

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueWriteBuffer, invalidEventWaitList) { expectWaitListChecked(*this, nonBlocking); }

// The buffer belongs to another context.
TEST_F(EnqueueWriteBuffer, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, writeTo(bufferOfAnotherContext(*this, kSize), 0, 4, host.data()));
}

// buffer is not a buffer.
TEST_F(EnqueueWriteBuffer, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, writeTo(bad.handle, 0, 4, host.data())) << "the buffer is " << bad.what;
}

// The region leaves the buffer, or there is nothing to write from.
TEST_F(EnqueueWriteBuffer, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, writeTo(memory, 0, kSize + 1, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, writeTo(memory, 1, kSize, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, writeTo(memory, kSize, 1, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, writeTo(memory, SIZE_MAX, 2, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, writeTo(memory, 2, SIZE_MAX, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, writeTo(memory, 0, 4, nullptr));
  EXPECT_EQ(read<unsigned char>(memory, kSize), zeros);
}

// The buffer was created so that the host may not write it.
TEST_F(EnqueueWriteBuffer, invalidOperation) {
  EXPECT_CL(CL_INVALID_OPERATION, writeTo(buffer(64, CL_MEM_HOST_READ_ONLY), 0, 4, host.data()));
  EXPECT_CL(CL_INVALID_OPERATION, writeTo(buffer(64, CL_MEM_HOST_NO_ACCESS), 0, 4, host.data()));
  EXPECT_SUCCESS(writeTo(buffer(64, CL_MEM_HOST_WRITE_ONLY), 0, 4, host.data()));
}

}  // namespace
}  // namespace clarity::test
