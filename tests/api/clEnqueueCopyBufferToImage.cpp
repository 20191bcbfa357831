// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueCopyBufferToImage (OpenCL 3.0, section 5.3.5).
#include "image_transfer.h"

namespace clarity::test {
namespace {

struct EnqueueCopyBufferToImage : ImageTest {
  static constexpr size_t kBytes = 1 << 14;
  const std::vector<unsigned char> bytes = countingBytes(kBytes, 5);
  cl_mem from = nullptr, to = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    const Triple region{2, 2, 1};
    return driver->clEnqueueCopyBufferToImage(q, from, to, 0, zero.data(), region.data(), n, list, event);
  };
  Call simple = [this](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueCopyBufferToImage(queue, from, image, 8, origin, region, 0, nullptr, nullptr);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    from = bufferOf(bytes);
    to = imageOf({"", CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}}, Box({8, 4, 1}, 4));
  }
  cl_int copy(cl_mem memory, cl_mem image, size_t offset, const Triple& origin, const Triple& region) {
    return driver->clEnqueueCopyBufferToImage(queue, memory, image, offset, origin.data(), region.data(), 0, nullptr,
                                              nullptr);
  }
};

TEST_F(EnqueueCopyBufferToImage, everyTypeAndRegion) {
  for (const ImageShape& shape : imageShapes()) {
    Box content(shape.extent, 4, 17);
    cl_mem made = imageOf(shape, content);
    size_t offset = 1;
    for (const auto& [origin, region] : regionsOf(shape.extent)) {
      SCOPED_TRACE(std::string(shape.what) + ", region " + std::to_string(region[0]));
      offset += 30;
      content.rows(origin, region, [&](unsigned char* row, size_t y, size_t z) {
        std::memcpy(row, &bytes[offset + (z * region[1] + y) * region[0] * 4], region[0] * 4);
      });
      EXPECT_SUCCESS(copy(from, made, offset, origin, region));
      EXPECT_TRUE(contentOf(made, shape.extent) == content);
    }
  }
}

TEST_F(EnqueueCopyBufferToImage, waitsForItsList) {
  expectWaitsForItsList(*this, enqueue, CL_COMMAND_COPY_BUFFER_TO_IMAGE);
}
TEST_F(EnqueueCopyBufferToImage, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_TRUE(contentOf(to, {8, 4, 1}) == Box({8, 4, 1}, 4));
}
TEST_F(EnqueueCopyBufferToImage, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }
TEST_F(EnqueueCopyBufferToImage, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

TEST_F(EnqueueCopyBufferToImage, invalidMemObjectAndContext) {
  expectImageChecked(simple);
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bad.handle, to, 0, zero, {1, 1, 1})) << "the buffer is " << bad.what;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(image2D(8, 8), to, 0, zero, {1, 1, 1})) << "the buffer is an image";
  EXPECT_CL(CL_INVALID_CONTEXT, copy(bufferOfAnotherContext(*this, 64), to, 0, zero, {1, 1, 1}));
}

// A 1D image buffer and the buffer that it is made of.
TEST_F(EnqueueCopyBufferToImage, invalidMemObjectOfItsOwnBuffer) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, {16, 1, 1});
  desc.buffer = from;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(from, image(desc), 128, zero, {1, 1, 1}));
}

// A 2D image and the buffer that it is made of, where they overlap.
TEST_F(EnqueueCopyBufferToImage, memCopyOverlap) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {64, 4, 1});
  desc.buffer = from;
  cl_mem made = image(desc);
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from, made, 1020, zero, {64, 4, 1}));
  EXPECT_SUCCESS(copy(from, made, 1024, zero, {64, 4, 1}));
}

TEST_F(EnqueueCopyBufferToImage, invalidValueOfRegion) { expectRegionChecked(simple); }
TEST_F(EnqueueCopyBufferToImage, invalidValueOfBlocks) { expectBlocksChecked(simple); }
TEST_F(EnqueueCopyBufferToImage, invalidMipLevel) { expectLevelsChecked(simple); }

// The copy ends behind the buffer.
TEST_F(EnqueueCopyBufferToImage, invalidValueOfOffset) {
  EXPECT_SUCCESS(copy(from, to, kBytes - 128, zero, {8, 4, 1}));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, to, kBytes - 127, zero, {8, 4, 1}));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, to, SIZE_MAX, zero, {1, 1, 1}));
  EXPECT_TRUE(wasNotifiedOf(kBytes - 127)) << allNotified();
}

// The usage flags of the two are ignored.
TEST_F(EnqueueCopyBufferToImage, whateverTheFlags) {
  EXPECT_SUCCESS(copy(buffer(64, CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS),
                      image2D(4, 4, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS), 0, zero, {4, 4, 1}));
}

}  // namespace
}  // namespace clarity::test
