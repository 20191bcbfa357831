// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueReadBuffer (OpenCL 3.0, section 5.2.2).
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueReadBuffer : OpenCL {
  static constexpr size_t kSize = 1000;
  const std::vector<unsigned char> contents = countingBytes(kSize);
  std::vector<unsigned char> host = std::vector<unsigned char>(kSize, 0xEE);
  cl_mem memory = nullptr;
  Enqueue blocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueReadBuffer(q, memory, CL_TRUE, 0, kSize, host.data(), n, list, event);
  };
  Enqueue nonBlocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return driver->clEnqueueReadBuffer(q, memory, CL_FALSE, 0, kSize, host.data(), n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) memory = bufferOf(contents);
  }

  cl_int readFrom(cl_mem from, size_t offset, size_t size, void* to) {
    return driver->clEnqueueReadBuffer(queue, from, CL_TRUE, offset, size, to, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueReadBuffer, blockingReadOfAPartWritesThatPartAlone) {
  ASSERT_SUCCESS(clEnqueueReadBuffer(queue, memory, CL_TRUE, 13, 501, host.data() + 7, 0, nullptr, nullptr));
  for (size_t i = 0; i < kSize; ++i) {
    const unsigned char wanted = i >= 7 && i < 7 + 501 ? contents[13 + i - 7] : 0xEE;
    ASSERT_EQ(host[i], wanted) << "byte " << i;
  }
}

TEST_F(EnqueueReadBuffer, nonBlockingReadIsThereWhenItsEventIsComplete) {
  cl_event event = nullptr;
  ASSERT_SUCCESS(nonBlocking(queue, 0, nullptr, &event));
  keep(event);
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_EQ(host, contents);
}

TEST_F(EnqueueReadBuffer, firstLastAndAllBytes) {
  ASSERT_SUCCESS(readFrom(memory, 0, 1, host.data()));
  EXPECT_EQ(host[0], contents[0]);
  ASSERT_SUCCESS(readFrom(memory, kSize - 1, 1, host.data()));
  EXPECT_EQ(host[0], contents[kSize - 1]);
  ASSERT_SUCCESS(readFrom(memory, 0, kSize, host.data()));
  EXPECT_EQ(host, contents);
}

TEST_F(EnqueueReadBuffer, manyMegabytes) {
  std::vector<cl_uint> large((16 << 20) / sizeof(cl_uint));
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<cl_uint>(i * 2654435761U);
  EXPECT_EQ(read<cl_uint>(bufferOf(large), large.size()), large);
}

// A region of no bytes is inside every buffer; the rule of OpenCL 1.0 against it is gone.
TEST_F(EnqueueReadBuffer, ofNoBytesTouchesNothing) {
  ASSERT_SUCCESS(readFrom(memory, 10, 0, host.data()));
  ASSERT_SUCCESS(readFrom(memory, kSize, 0, host.data()));
  EXPECT_EQ(host, std::vector<unsigned char>(kSize, 0xEE));
}

TEST_F(EnqueueReadBuffer, waitsForItsList) { expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_READ_BUFFER); }

TEST_F(EnqueueReadBuffer, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, nonBlocking);
  EXPECT_EQ(host, std::vector<unsigned char>(kSize, 0xEE)) << "a command that was terminated has written";
}

// A blocking read whose list holds a failed event.
TEST_F(EnqueueReadBuffer, execStatusErrorForEventsInWaitList) { expectBlockingEnqueueSeesError(*this, blocking); }

// command_queue is not a command-queue.
TEST_F(EnqueueReadBuffer, invalidCommandQueue) {
  expectQueueChecked(*this, nonBlocking);
  expectQueueChecked(*this, blocking);
}

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueReadBuffer, invalidEventWaitList) { expectWaitListChecked(*this, nonBlocking); }

// The buffer belongs to another context.
TEST_F(EnqueueReadBuffer, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, readFrom(bufferOfAnotherContext(*this, kSize), 0, 4, host.data()));
}

// buffer is not a buffer.
TEST_F(EnqueueReadBuffer, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, readFrom(bad.handle, 0, 4, host.data())) << "the buffer is " << bad.what;
}

// The region leaves the buffer, or there is no memory to read to.
TEST_F(EnqueueReadBuffer, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, readFrom(memory, 0, kSize + 1, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, readFrom(memory, 1, kSize, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, readFrom(memory, kSize, 1, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, readFrom(memory, SIZE_MAX, 2, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, readFrom(memory, 2, SIZE_MAX, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, readFrom(memory, 0, 4, nullptr));
}

// The region is measured against the sub-buffer, not against the buffer behind it.
TEST_F(EnqueueReadBuffer, invalidValueInASubBuffer) {
  const cl_buffer_region region{0, 100};
  cl_mem part = keep(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_SUCCESS(readFrom(part, 0, 100, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, readFrom(part, 1, 100, host.data()));
}

// The notify callback of the context gets offset and size.
TEST_F(EnqueueReadBuffer, theSentenceCarriesTheRegion) {
  EXPECT_CL(CL_INVALID_VALUE, readFrom(memory, 643, 851, host.data()));
  EXPECT_TRUE(wasNotified("643")) << allNotified();
  EXPECT_TRUE(wasNotified("851")) << allNotified();
  EXPECT_TRUE(wasNotified("1000")) << allNotified();
}

// The buffer was created so that the host may not read it.
TEST_F(EnqueueReadBuffer, invalidOperation) {
  EXPECT_CL(CL_INVALID_OPERATION, readFrom(buffer(64, CL_MEM_HOST_WRITE_ONLY), 0, 4, host.data()));
  EXPECT_CL(CL_INVALID_OPERATION, readFrom(buffer(64, CL_MEM_HOST_NO_ACCESS), 0, 4, host.data()));
  EXPECT_SUCCESS(readFrom(buffer(64, CL_MEM_HOST_READ_ONLY), 0, 4, host.data()));
}

// Host memory that reaches beyond the last address.
TEST_F(EnqueueReadBuffer, invalidValueBeyondTheLastAddress) {
  cl_mem memory = buffer(4096);
  void* const last = reinterpret_cast<void*>(~std::uintptr_t{0} - 63);
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4096, last, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 65, last, 0, nullptr, nullptr));
  const size_t origin[3] = {}, region[3] = {16, 8, 2};
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, memory, CL_TRUE, origin, origin, region, 0, 0, 0, 0, last,
                                                      0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
