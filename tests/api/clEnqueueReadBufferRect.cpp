// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueReadBufferRect (OpenCL 3.0, section 5.2.2).
#include "rect_transfer.h"

namespace clarity::test {
namespace {

struct EnqueueReadBufferRect : RectTransfer {
  EnqueueReadBufferRect() {
    call = [this](cl_command_queue q, cl_mem which, cl_bool block, const size_t* bufferOrigin, const size_t* hostOrigin,
                  const size_t* region, const Layout& ofBuffer, const Layout& ofHost, void* pointer, cl_uint n,
                  const cl_event* list, cl_event* event) {
      return driver->clEnqueueReadBufferRect(q, which, block, bufferOrigin, hostOrigin, region, ofBuffer.rowPitch,
                                             ofBuffer.slicePitch, ofHost.rowPitch, ofHost.slicePitch, pointer, n, list,
                                             event);
    };
    host = std::vector<unsigned char>(kSize, 0xEE);
    inBuffer = countingBytes(kSize);
  }
};

TEST_F(EnqueueReadBufferRect, everyShapeLikeASerialCopy) {
  for (const Rectangle& shape : rectangles()) {
    host.assign(kSize, 0xEE);
    std::vector<unsigned char> wanted = host;
    copySerially(shape, inBuffer, wanted);
    EXPECT_SUCCESS(rect(memory, shape.region, shape.from, shape.to)) << shape.what;
    EXPECT_EQ(host, wanted) << shape.what;
  }
}

TEST_F(EnqueueReadBufferRect, outOfASubBuffer) {
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region region{align, 512};
  cl_mem part = keep(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  const Rectangle shape{"", {5, 3, 1}, {{2, 1, 0}, 10, 0}, {}};
  std::vector<unsigned char> wanted = host;
  copySerially(shape, std::vector<unsigned char>(inBuffer.begin() + align, inBuffer.end()), wanted);
  ASSERT_SUCCESS(rect(part, shape.region, shape.from, shape.to));
  EXPECT_EQ(host, wanted);
}

TEST_F(EnqueueReadBufferRect, waitsForItsList) {
  expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_READ_BUFFER_RECT);
}

TEST_F(EnqueueReadBufferRect, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, nonBlocking);
  EXPECT_EQ(host, std::vector<unsigned char>(kSize, 0xEE));
}

// A blocking read whose list holds a failed event.
TEST_F(EnqueueReadBufferRect, execStatusErrorForEventsInWaitList) { expectBlockingEnqueueSeesError(*this, blocking); }

// command_queue is not a command-queue.
TEST_F(EnqueueReadBufferRect, invalidCommandQueue) {
  expectQueueChecked(*this, nonBlocking);
  expectQueueChecked(*this, blocking);
}

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueReadBufferRect, invalidEventWaitList) { expectWaitListChecked(*this, nonBlocking); }

// The buffer belongs to another context.
TEST_F(EnqueueReadBufferRect, invalidContext) { expectBuffersOfAnotherContextRefused(); }

// buffer is not a buffer.
TEST_F(EnqueueReadBufferRect, invalidMemObject) { expectOtherObjectsRefused(); }

// One of the origins, the region or the host memory is NULL.
TEST_F(EnqueueReadBufferRect, invalidValueOfNullPointers) { expectNullPointersRefused(); }

// The rectangle ends past the end of the buffer, in any dimension, or its end does not fit in size_t.
TEST_F(EnqueueReadBufferRect, invalidValueOutOfBounds) { expectBoundsChecked(); }

// The last row needs no full pitch behind it.
TEST_F(EnqueueReadBufferRect, theLastRowMayEndWithTheBuffer) { expectLastRowMayEndWithTheBuffer(); }

// An element of region is 0.
TEST_F(EnqueueReadBufferRect, invalidValueOfRegion) { expectEmptyRegionsRefused(); }

// A pitch that is too small for the region, or a slice pitch that is no multiple of the row pitch.
TEST_F(EnqueueReadBufferRect, invalidValueOfPitches) { expectPitchesChecked(); }

// The buffer was created so that the host may not read it.
TEST_F(EnqueueReadBufferRect, invalidOperation) {
  for (cl_mem_flags flags : {cl_mem_flags{CL_MEM_HOST_WRITE_ONLY}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS}})
    EXPECT_CL(CL_INVALID_OPERATION, small(queue, buffer(64, flags), CL_TRUE, 0, nullptr, nullptr));
  EXPECT_SUCCESS(small(queue, buffer(64, CL_MEM_HOST_READ_ONLY), CL_TRUE, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
