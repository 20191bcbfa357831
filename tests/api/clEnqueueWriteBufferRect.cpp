// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueWriteBufferRect (OpenCL 3.0, section 5.2.2).
#include "rect_transfer.h"

namespace clarity::test {
namespace {

struct EnqueueWriteBufferRect : RectTransfer {
  EnqueueWriteBufferRect() {
    call = [this](cl_command_queue q, cl_mem which, cl_bool block, const size_t* bufferOrigin, const size_t* hostOrigin,
                  const size_t* region, const Layout& ofBuffer, const Layout& ofHost, void* pointer, cl_uint n,
                  const cl_event* list, cl_event* event) {
      return driver->clEnqueueWriteBufferRect(q, which, block, bufferOrigin, hostOrigin, region, ofBuffer.rowPitch,
                                              ofBuffer.slicePitch, ofHost.rowPitch, ofHost.slicePitch, pointer, n, list,
                                              event);
    };
    host = countingBytes(kSize);
    inBuffer = std::vector<unsigned char>(kSize, 0xEE);
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

TEST_F(EnqueueWriteBufferRect, waitsForItsList) {
  expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_WRITE_BUFFER_RECT);
}

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
TEST_F(EnqueueWriteBufferRect, invalidContext) { expectBuffersOfAnotherContextRefused(); }

// buffer is not a buffer.
TEST_F(EnqueueWriteBufferRect, invalidMemObject) { expectOtherObjectsRefused(); }

// One of the origins, the region or the host memory is NULL.
TEST_F(EnqueueWriteBufferRect, invalidValueOfNullPointers) { expectNullPointersRefused(); }

// The rectangle ends past the end of the buffer, in any dimension, or its end does not fit in size_t.
TEST_F(EnqueueWriteBufferRect, invalidValueOutOfBounds) { expectBoundsChecked(); }

// The last row needs no full pitch behind it.
TEST_F(EnqueueWriteBufferRect, theLastRowMayEndWithTheBuffer) { expectLastRowMayEndWithTheBuffer(); }

// An element of region is 0.
TEST_F(EnqueueWriteBufferRect, invalidValueOfRegion) { expectEmptyRegionsRefused(); }

// A pitch that is too small for the region, or a slice pitch that is no multiple of the row pitch.
TEST_F(EnqueueWriteBufferRect, invalidValueOfPitches) { expectPitchesChecked(); }

// The buffer was created so that the host may not write it.
TEST_F(EnqueueWriteBufferRect, invalidOperation) {
  for (cl_mem_flags flags : {cl_mem_flags{CL_MEM_HOST_READ_ONLY}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS}})
    EXPECT_CL(CL_INVALID_OPERATION, small(queue, buffer(64, flags), CL_TRUE, 0, nullptr, nullptr));
  EXPECT_SUCCESS(small(queue, buffer(64, CL_MEM_HOST_WRITE_ONLY), CL_TRUE, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
