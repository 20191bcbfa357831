// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueCopyImageToBuffer (OpenCL 3.0, section 5.3.5).
#include "image_transfer.h"

namespace clarity::test {
namespace {

struct EnqueueCopyImageToBuffer : ImageTest {
  static constexpr size_t kBytes = 1 << 14;
  cl_mem from = nullptr, to = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    const Triple region{2, 2, 1};
    return driver->clEnqueueCopyImageToBuffer(q, from, to, zero.data(), region.data(), 0, n, list, event);
  };
  Call simple = [this](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueCopyImageToBuffer(queue, image, to, origin, region, 8, 0, nullptr, nullptr);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    from = imageOf({"", CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}}, Box({8, 4, 1}, 4));
    to = buffer(kBytes);
  }
  cl_int copy(cl_mem image, cl_mem memory, const Triple& origin, const Triple& region, size_t offset) {
    return driver->clEnqueueCopyImageToBuffer(queue, image, memory, origin.data(), region.data(), offset, 0, nullptr,
                                              nullptr);
  }
};

TEST_F(EnqueueCopyImageToBuffer, everyTypeAndRegion) {
  for (const ImageShape& shape : imageShapes()) {
    Box content(shape.extent, 4, 17);
    cl_mem made = imageOf(shape, content);
    for (const auto& [origin, region] : regionsOf(shape.extent)) {
      SCOPED_TRACE(std::string(shape.what) + ", region " + std::to_string(region[0]));
      std::vector<unsigned char> wanted(kBytes, 0xEE);
      cl_mem target = bufferOf(wanted);
      content.rows(origin, region, [&](const unsigned char* row, size_t y, size_t z) {
        std::memcpy(&wanted[33 + (z * region[1] + y) * region[0] * 4], row, region[0] * 4);
      });
      EXPECT_SUCCESS(copy(made, target, origin, region, 33));
      EXPECT_TRUE(read<unsigned char>(target, kBytes) == wanted);
    }
  }
}

TEST_F(EnqueueCopyImageToBuffer, waitsForItsList) {
  expectWaitsForItsList(*this, enqueue, CL_COMMAND_COPY_IMAGE_TO_BUFFER);
}
TEST_F(EnqueueCopyImageToBuffer, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, enqueue); }
TEST_F(EnqueueCopyImageToBuffer, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }
TEST_F(EnqueueCopyImageToBuffer, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

TEST_F(EnqueueCopyImageToBuffer, invalidMemObjectAndContext) {
  expectImageChecked(simple);
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(from, bad.handle, zero, {1, 1, 1}, 0)) << "the buffer is " << bad.what;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(from, image2D(8, 8), zero, {1, 1, 1}, 0)) << "the buffer is an image";
  EXPECT_CL(CL_INVALID_CONTEXT, copy(from, bufferOfAnotherContext(*this, 64), zero, {1, 1, 1}, 0));
}

// A 1D image buffer and the buffer that it is made of.
TEST_F(EnqueueCopyImageToBuffer, invalidMemObjectOfItsOwnBuffer) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, {16, 1, 1});
  desc.buffer = to;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(image(desc), to, zero, {1, 1, 1}, 128));
}

// A 2D image and the buffer that it is made of, where they overlap.
TEST_F(EnqueueCopyImageToBuffer, memCopyOverlap) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {64, 4, 1});
  desc.buffer = to;
  cl_mem made = image(desc);
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(made, to, zero, {64, 4, 1}, 1020));
  EXPECT_SUCCESS(copy(made, to, zero, {64, 4, 1}, 1024));
}

TEST_F(EnqueueCopyImageToBuffer, invalidValueOfRegion) { expectRegionChecked(simple); }
TEST_F(EnqueueCopyImageToBuffer, invalidValueOfBlocks) { expectBlocksChecked(simple); }
TEST_F(EnqueueCopyImageToBuffer, invalidMipLevel) { expectLevelsChecked(simple); }

// The copy ends behind the buffer.
TEST_F(EnqueueCopyImageToBuffer, invalidValueOfOffset) {
  EXPECT_SUCCESS(copy(from, to, zero, {8, 4, 1}, kBytes - 128));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, to, zero, {8, 4, 1}, kBytes - 127));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, to, zero, {1, 1, 1}, kBytes));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, to, zero, {1, 1, 1}, SIZE_MAX));
  EXPECT_TRUE(wasNotifiedOf(kBytes - 127)) << allNotified();
}

// The usage flags of the two are ignored.
TEST_F(EnqueueCopyImageToBuffer, whateverTheFlags) {
  EXPECT_SUCCESS(copy(image2D(4, 4, CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS),
                      buffer(64, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS), zero, {4, 4, 1}, 0));
}

}  // namespace
}  // namespace clarity::test
