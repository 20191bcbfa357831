// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueCopyBufferRect (OpenCL 3.0, section 5.2.2 and appendix D).
#include "enqueue_checks.h"
#include "rectangle.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct EnqueueCopyBufferRect : OpenCL {
  static constexpr size_t kSize = 4096;
  const std::vector<unsigned char> contents = countingBytes(kSize);
  const std::vector<unsigned char> blank = std::vector<unsigned char>(kSize, 0xEE);
  cl_mem source = nullptr;
  cl_mem target = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    const Triple origin{0, 0, 0};
    const Triple region{4, 2, 1};
    return driver->clEnqueueCopyBufferRect(q, source, target, origin.data(), origin.data(), region.data(), 8, 0, 8, 0,
                                           n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    source = bufferOf(contents);
    target = bufferOf(blank);
  }

  cl_int rect(cl_mem from, cl_mem to, const Triple& region, const Layout& a, const Layout& b) {
    return driver->clEnqueueCopyBufferRect(queue, from, to, a.origin.data(), b.origin.data(), region.data(), a.rowPitch,
                                           a.slicePitch, b.rowPitch, b.slicePitch, 0, nullptr, nullptr);
  }
};

TEST_F(EnqueueCopyBufferRect, everyShapeLikeASerialCopy) {
  for (const Rectangle& shape : rectangles()) {
    cl_mem fresh = bufferOf(blank);
    std::vector<unsigned char> wanted = blank;
    copySerially(shape, contents, wanted);
    EXPECT_SUCCESS(rect(source, fresh, shape.region, shape.from, shape.to)) << shape.what;
    EXPECT_EQ(read<unsigned char>(fresh, kSize), wanted) << shape.what;
  }
}

// Rectangles of one buffer that interleave without sharing a byte, as appendix D tells them from overlapping ones.
TEST_F(EnqueueCopyBufferRect, interleavedRectanglesOfOneBuffer) {
  const Rectangle shapes[] = {
      {"left and right halves of the same rows", {16, 8, 1}, {{0, 0, 0}, 32, 0}, {{16, 0, 0}, 32, 0}},
      {"right and left halves", {16, 8, 1}, {{16, 0, 0}, 32, 0}, {{0, 0, 0}, 32, 0}},
      {"upper and lower halves of the same slices", {16, 4, 3}, {{0, 0, 0}, 16, 128}, {{0, 4, 0}, 16, 128}},
      {"one after the other", {16, 4, 1}, {{0, 0, 0}, 16, 0}, {{0, 4, 0}, 16, 0}},
  };
  for (const Rectangle& shape : shapes) {
    cl_mem one = bufferOf(contents);
    std::vector<unsigned char> wanted = contents;
    copySerially(shape, contents, wanted);
    EXPECT_SUCCESS(rect(one, one, shape.region, shape.from, shape.to)) << shape.what;
    EXPECT_EQ(read<unsigned char>(one, kSize), wanted) << shape.what;
  }
}

TEST_F(EnqueueCopyBufferRect, ignoresTheAccessFlags) {
  cl_mem hidden = buffer(kSize, CL_MEM_HOST_NO_ACCESS);
  const Triple region{64, 64, 1};
  ASSERT_SUCCESS(rect(source, hidden, region, {}, {}));
  ASSERT_SUCCESS(rect(hidden, target, region, {}, {}));
  EXPECT_EQ(read<unsigned char>(target, kSize), contents);
}

TEST_F(EnqueueCopyBufferRect, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_COPY_BUFFER_RECT); }

TEST_F(EnqueueCopyBufferRect, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_EQ(read<unsigned char>(target, kSize), blank);
}

// command_queue is not a command-queue.
TEST_F(EnqueueCopyBufferRect, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }

// The list and its count contradict each other, or an element is not an event.
TEST_F(EnqueueCopyBufferRect, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

// One of the buffers belongs to another context.
TEST_F(EnqueueCopyBufferRect, invalidContext) {
  cl_mem other = bufferOfAnotherContext(*this, kSize);
  EXPECT_CL(CL_INVALID_CONTEXT, rect(other, target, {4, 1, 1}, {}, {}));
  EXPECT_CL(CL_INVALID_CONTEXT, rect(source, other, {4, 1, 1}, {}, {}));
}

// One of the buffers is not a buffer.
TEST_F(EnqueueCopyBufferRect, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this)) {
    EXPECT_CL(CL_INVALID_MEM_OBJECT, rect(bad.handle, target, {4, 1, 1}, {}, {})) << "the source is " << bad.what;
    EXPECT_CL(CL_INVALID_MEM_OBJECT, rect(source, bad.handle, {4, 1, 1}, {}, {})) << "the target is " << bad.what;
  }
}

// An origin or the region is NULL.
TEST_F(EnqueueCopyBufferRect, invalidValueOfNullPointers) {
  const Triple zero{0, 0, 0};
  const Triple one{1, 1, 1};
  const auto call = [&](const size_t* from, const size_t* to, const size_t* region) {
    return driver->clEnqueueCopyBufferRect(queue, source, target, from, to, region, 0, 0, 0, 0, 0, nullptr, nullptr);
  };
  EXPECT_SUCCESS(call(zero.data(), zero.data(), one.data()));
  EXPECT_CL(CL_INVALID_VALUE, call(nullptr, zero.data(), one.data()));
  EXPECT_CL(CL_INVALID_VALUE, call(zero.data(), nullptr, one.data()));
  EXPECT_CL(CL_INVALID_VALUE, call(zero.data(), zero.data(), nullptr));
}

// The rectangle leaves the source or the target, or its end does not fit in size_t.
TEST_F(EnqueueCopyBufferRect, invalidValueOutOfBounds) {
  EXPECT_SUCCESS(rect(source, target, {64, 64, 1}, {}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(source, target, {64, 65, 1}, {}, {}));
  const Layout outside[] = {{{1, 0, 0}, 0, 0}, {{0, 1, 0}, 0, 0}, {{0, 0, 1}, 0, 0}, {{0, SIZE_MAX, 0}, 0, 0}};
  for (const Layout& each : outside) {
    EXPECT_CL(CL_INVALID_VALUE, rect(source, target, {64, 64, 1}, each, {})) << "source";
    EXPECT_CL(CL_INVALID_VALUE, rect(source, target, {64, 64, 1}, {}, each)) << "target";
  }
}

// An element of region is 0.
TEST_F(EnqueueCopyBufferRect, invalidValueOfRegion) {
  EXPECT_CL(CL_INVALID_VALUE, rect(source, target, {0, 1, 1}, {}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(source, target, {1, 0, 1}, {}, {}));
  EXPECT_CL(CL_INVALID_VALUE, rect(source, target, {1, 1, 0}, {}, {}));
}

// A pitch that is too small for the region, or a slice pitch that is no multiple of the row pitch.
TEST_F(EnqueueCopyBufferRect, invalidValueOfPitches) {
  const Triple region{8, 4, 2};
  for (const Layout& wrong : {Layout{{}, 7, 0}, Layout{{}, 16, 63}, Layout{{}, 0, 31}, Layout{{}, 16, 72}}) {
    EXPECT_CL(CL_INVALID_VALUE, rect(source, target, region, wrong, {})) << wrong.rowPitch << ' ' << wrong.slicePitch;
    EXPECT_CL(CL_INVALID_VALUE, rect(source, target, region, {}, wrong)) << wrong.rowPitch << ' ' << wrong.slicePitch;
  }
}

// Within one buffer both sides must have the same pitches.
TEST_F(EnqueueCopyBufferRect, invalidValueOfPitchesInOneBuffer) {
  EXPECT_CL(CL_INVALID_VALUE, rect(source, source, {8, 4, 1}, {{0, 0, 0}, 16, 0}, {{0, 8, 0}, 32, 0}));
  EXPECT_CL(CL_INVALID_VALUE, rect(source, source, {8, 4, 2}, {{0, 0, 0}, 16, 64}, {{0, 0, 4}, 16, 128}));
}

// The rectangles of one buffer share bytes.
TEST_F(EnqueueCopyBufferRect, memCopyOverlap) {
  EXPECT_CL(CL_MEM_COPY_OVERLAP, rect(source, source, {8, 4, 1}, {}, {}));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, rect(source, source, {16, 8, 1}, {{0, 0, 0}, 32, 0}, {{15, 0, 0}, 32, 0}));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, rect(source, source, {16, 8, 1}, {{0, 0, 0}, 32, 0}, {{0, 7, 0}, 32, 0}));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, rect(source, source, {16, 4, 3}, {{0, 0, 0}, 16, 128}, {{0, 3, 0}, 16, 128}));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, rect(source, source, {16, 4, 3}, {{0, 0, 0}, 16, 128}, {{0, 0, 2}, 16, 128}));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(read<unsigned char>(source, kSize), contents);
}

// Rectangles of different sub-buffers that lie on each other in the buffer behind them.
TEST_F(EnqueueCopyBufferRect, memCopyOverlapOfSubBuffers) {
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region regions[] = {{0, 2 * align}, {align, 2 * align}};
  cl_mem left = keep(clCreateSubBuffer(source, 0, CL_BUFFER_CREATE_TYPE_REGION, &regions[0], nullptr));
  cl_mem right = keep(clCreateSubBuffer(source, 0, CL_BUFFER_CREATE_TYPE_REGION, &regions[1], nullptr));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, rect(left, right, {align, 2, 1}, {{}, align, 0}, {{}, align, 0}));
  EXPECT_SUCCESS(rect(left, right, {align, 1, 1}, {{0, 0, 0}, align, 0}, {{0, 1, 0}, align, 0}));
}

}  // namespace
}  // namespace clarity::test
