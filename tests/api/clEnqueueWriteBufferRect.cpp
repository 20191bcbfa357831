// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueWriteBufferRect (OpenCL 3.0, section 5.2.2).
#include "enqueue_checks.h"
#include "rectangle.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueWriteBufferRect : OpenCL {
  static constexpr size_t kSize = 4096;
  std::vector<unsigned char> host = countingBytes(kSize);
  std::vector<unsigned char> inBuffer = std::vector<unsigned char>(kSize, 0xEE);
  cl_mem memory = nullptr;
  Enqueue blocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return small(q, memory, CL_TRUE, n, list, event);
  };
  Enqueue nonBlocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return small(q, memory, CL_FALSE, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) memory = bufferOf(inBuffer);
  }

  cl_int small(cl_command_queue q, cl_mem which, cl_bool block, cl_uint n, const cl_event* list, cl_event* event) {
    const Triple origin{0, 0, 0};
    const Triple region{4, 2, 1};
    return driver->clEnqueueWriteBufferRect(q, which, block, origin.data(), origin.data(), region.data(), 8, 0, 8, 0, host.data(), n, list,
                                            event);
  }
  /// A blocking call with this region and these layouts of buffer and host.
  cl_int rect(cl_mem which, const Triple& region, const Layout& ofBuffer, const Layout& ofHost) {
    return driver->clEnqueueWriteBufferRect(queue, which, CL_TRUE, ofBuffer.origin.data(), ofHost.origin.data(), region.data(),
                                            ofBuffer.rowPitch, ofBuffer.slicePitch, ofHost.rowPitch, ofHost.slicePitch, host.data(), 0,
                                            nullptr, nullptr);
  }
};

TEST_F(EnqueueWriteBufferRect, everyShapeLikeASerialCopy) {
  for (const Rectangle& shape : rectangles()) {
    memory = bufferOf(inBuffer);
    std::vector<unsigned char> wanted = inBuffer;
    copySerially(shape, host, wanted);
    EXPECT_SUCCESS(rect(memory, shape.region, shape.to, shape.from)) << shape.what;
    EXPECT_EQ(read<unsigned char>(memory, kSize), wanted) << shape.what;
  }
}

TEST_F(EnqueueWriteBufferRect, blockingWriteIsDoneWithTheHostMemory) {
  const Rectangle shape{"", {64, 8, 4}, {}, {}};
  std::vector<unsigned char> wanted = inBuffer;
  copySerially(shape, host, wanted);
  ASSERT_SUCCESS(rect(memory, shape.region, shape.to, shape.from));
  host.assign(kSize, 0x11);
  EXPECT_EQ(read<unsigned char>(memory, kSize), wanted);
}

TEST_F(EnqueueWriteBufferRect, waitsForItsList) { expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_WRITE_BUFFER_RECT); }

TEST_F(EnqueueWriteBufferRect, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, nonBlocking);
  EXPECT_EQ(read<unsigned char>(memory, kSize), inBuffer);
}

// A blocking write whose list holds a failed event.
TEST_F(EnqueueWriteBufferRect, execStatusErrorForEventsInWaitList) { expectBlockingEnqueueSeesError(*this, blocking); }

// command_queue is not a command-queue.
TEST_F(EnqueueWriteBufferRect, invalidCommandQueue) {
  expectQueueChecked(*this, nonBlocking);
  expectQueueChecked(*this, blocking);
}

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueWriteBufferRect, invalidEventWaitList) { expectWaitListChecked(*this, nonBlocking); }

// The buffer belongs to another context.
TEST_F(EnqueueWriteBufferRect, invalidContext) {
  cl_mem other = bufferOfAnotherContext(*this, kSize);
  EXPECT_CL(CL_INVALID_CONTEXT, small(queue, other, CL_TRUE, 0, nullptr, nullptr));
}

// buffer is not a buffer.
TEST_F(EnqueueWriteBufferRect, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, small(queue, bad.handle, CL_TRUE, 0, nullptr, nullptr)) << bad.what;
}

// One of the origins, the region or the host memory is NULL.
TEST_F(EnqueueWriteBufferRect, invalidValueOfNullPointers) {
  const Triple zero{0, 0, 0};
  const Triple one{1, 1, 1};
  const auto call = [&](const size_t* ofBuffer, const size_t* ofHost, const size_t* region, void* pointer) {
    return driver->clEnqueueWriteBufferRect(queue, memory, CL_TRUE, ofBuffer, ofHost, region, 0, 0, 0, 0, pointer, 0, nullptr, nullptr);
  };
  EXPECT_SUCCESS(call(zero.data(), zero.data(), one.data(), host.data()));
  EXPECT_CL(CL_INVALID_VALUE, call(nullptr, zero.data(), one.data(), host.data()));
  EXPECT_CL(CL_INVALID_VALUE, call(zero.data(), nullptr, one.data(), host.data()));
  EXPECT_CL(CL_INVALID_VALUE, call(zero.data(), zero.data(), nullptr, host.data()));
  EXPECT_CL(CL_INVALID_VALUE, call(zero.data(), zero.data(), one.data(), nullptr));
}

// The rectangle ends past the end of the buffer, in any dimension, or its end does not fit in size_t.
TEST_F(EnqueueWriteBufferRect, invalidValueOutOfBounds) {
  EXPECT_SUCCESS(rect(memory, {64, 64, 1}, {}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {64, 65, 1}, {}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {64, 64, 1}, {{1, 0, 0}, 0, 0}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {64, 64, 1}, {{0, 1, 0}, 0, 0}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {16, 16, 16}, {{0, 0, 1}, 0, 0}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {4, 2, 2}, {{0, 0, 0}, 8, 4096}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 1, 1}, {{0, SIZE_MAX, 0}, 8, 0}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 1, 1}, {{0, SIZE_MAX / 8 + 1, 0}, 8, 0}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 1, 1}, {{SIZE_MAX, 0, 0}, 0, 0}, {}));
}

// The last row needs no full pitch behind it.
TEST_F(EnqueueWriteBufferRect, theLastRowMayEndWithTheBuffer) {
  EXPECT_SUCCESS(rect(memory, {6, 2, 1}, {{2, kSize / 8 - 2, 0}, 8, 0}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {7, 2, 1}, {{2, kSize / 8 - 2, 0}, 8, 0}, {}));
}

// An element of region is 0.
TEST_F(EnqueueWriteBufferRect, invalidValueOfRegion) {
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {0, 1, 1}, {}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 0, 1}, {}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 1, 0}, {}, {}));
}

// A pitch that is too small for the region, or a slice pitch that is no multiple of the row pitch.
TEST_F(EnqueueWriteBufferRect, invalidValueOfPitches) {
  const Triple region{8, 4, 2};
  for (const Layout& wrong : {Layout{{}, 7, 0}, Layout{{}, 16, 63}, Layout{{}, 0, 31}, Layout{{}, 16, 72}}) {
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, region, wrong, {})) << "buffer " << wrong.rowPitch << ' ' << wrong.slicePitch;
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, region, {}, wrong)) << "host " << wrong.rowPitch << ' ' << wrong.slicePitch;
  }
  EXPECT_SUCCESS(rect(memory, region, {{}, 16, 80}, {{}, 8, 32}));
}

// The buffer was created so that the host may not write it.
TEST_F(EnqueueWriteBufferRect, invalidOperation) {
  for (cl_mem_flags flags : {cl_mem_flags{CL_MEM_HOST_READ_ONLY}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS}})
    EXPECT_CL(CL_INVALID_OPERATION, small(queue, buffer(64, flags), CL_TRUE, 0, nullptr, nullptr));
  EXPECT_SUCCESS(small(queue, buffer(64, CL_MEM_HOST_WRITE_ONLY), CL_TRUE, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
