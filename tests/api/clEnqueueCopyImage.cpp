// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueCopyImage (OpenCL 3.0, section 5.3.3).
#include "image_test.h"

namespace clarity::test {
namespace {

struct EnqueueCopyImage : ImageTest {
  const Box fromBox{{8, 4, 1}, 4, 3}, toBox{{8, 4, 1}, 4, 99};
  cl_mem from = nullptr, to = nullptr;
  Enqueue enqueue = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    const Triple region{2, 2, 1};
    return driver->clEnqueueCopyImage(q, from, to, zero.data(), zero.data(), region.data(), n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    from = imageOf({"", CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}}, fromBox);
    to = imageOf({"", CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}}, toBox);
  }
  cl_int copy(cl_mem source, cl_mem target, const Triple& src, const Triple& dst, const Triple& region) {
    return driver->clEnqueueCopyImage(queue, source, target, src.data(), dst.data(), region.data(), 0, nullptr,
                                      nullptr);
  }
};

// Between every two types: the largest region that both have, from the end of one to the beginning of the other.
TEST_F(EnqueueCopyImage, everyPairOfTypes) {
  for (const ImageShape& source : imageShapes())
    for (const ImageShape& target : imageShapes()) {
      SCOPED_TRACE(std::string(source.what) + " to " + target.what);
      Box content(source.extent, 4, 1), wanted(target.extent, 4, 77);
      Triple region, src;
      for (size_t d = 0; d < 3; ++d) {
        region[d] = std::min(source.extent[d], target.extent[d]);
        src[d] = source.extent[d] - region[d];
      }
      cl_mem a = imageOf(source, content), b = imageOf(target, wanted);
      EXPECT_SUCCESS(copy(a, b, src, zero, region));
      content.rows(src, region, [&](const unsigned char* row, size_t y, size_t z) {
        std::memcpy(wanted.at(0, y, z), row, region[0] * 4);
      });
      EXPECT_TRUE(contentOf(b, target.extent) == wanted);
      EXPECT_TRUE(contentOf(a, source.extent) == content);
    }
}

TEST_F(EnqueueCopyImage, inOneImageBesideEachOther) {
  EXPECT_SUCCESS(copy(from, from, {0, 0, 0}, {4, 0, 0}, {4, 4, 1}));
  Box wanted = fromBox;
  for (size_t y = 0; y < 4; ++y) std::memcpy(wanted.at(4, y, 0), wanted.at(0, y, 0), 16);
  EXPECT_TRUE(contentOf(from, {8, 4, 1}) == wanted);
}

TEST_F(EnqueueCopyImage, betweenLevels) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {8, 4, 1});
  desc.num_mip_levels = 2;
  cl_mem made = image(desc);
  EXPECT_SUCCESS(copy(from, made, zero, {0, 0, 1}, {4, 2, 1}));
  EXPECT_SUCCESS(copy(made, to, {0, 0, 1}, {1, 1, 0}, {4, 2, 1}));
  Box wanted = toBox;
  for (size_t y = 0; y < 2; ++y) std::memcpy(wanted.at(1, y + 1, 0), fromBox.at(0, y, 0), 16);
  EXPECT_TRUE(contentOf(to, {8, 4, 1}) == wanted);
}

TEST_F(EnqueueCopyImage, waitsForItsList) { expectWaitsForItsList(*this, enqueue, CL_COMMAND_COPY_IMAGE); }
TEST_F(EnqueueCopyImage, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, enqueue);
  EXPECT_TRUE(contentOf(to, {8, 4, 1}) == toBox);
}
TEST_F(EnqueueCopyImage, invalidCommandQueue) { expectQueueChecked(*this, enqueue); }
TEST_F(EnqueueCopyImage, invalidEventWaitList) { expectWaitListChecked(*this, enqueue); }

/// The rules of one image, for both sides.
TEST_F(EnqueueCopyImage, invalidMemObjectAndContext) {
  expectImageChecked([this](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueCopyImage(queue, image, to, origin, zero.data(), region, 0, nullptr, nullptr);
  });
  expectImageChecked([this](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueCopyImage(queue, from, image, zero.data(), origin, region, 0, nullptr, nullptr);
  });
}

TEST_F(EnqueueCopyImage, invalidValueOfRegion) {
  cl_mem box = image(describe(CL_MEM_OBJECT_IMAGE3D, {64, 64, 64}));
  expectRegionChecked([&](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueCopyImage(queue, image, box, origin, zero.data(), region, 0, nullptr, nullptr);
  });
  expectRegionChecked([&](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueCopyImage(queue, box, image, zero.data(), origin, region, 0, nullptr, nullptr);
  });
}

TEST_F(EnqueueCopyImage, invalidValueOfBlocks) {
  expectBlocksChecked([&](cl_mem from, const size_t* origin, const size_t* region) {
    const auto format = infoOf<cl_image_format>(clGetImageInfo, from, CL_IMAGE_FORMAT);
    cl_mem to = image2D(16, 2, CL_MEM_READ_ONLY, nullptr, format);
    return driver->clEnqueueCopyImage(queue, from, to, origin, zero.data(), region, 0, nullptr, nullptr);
  });
}

TEST_F(EnqueueCopyImage, invalidMipLevel) {
  cl_mem box = image(describe(CL_MEM_OBJECT_IMAGE3D, {64, 64, 64}));
  expectLevelsChecked([&](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueCopyImage(queue, image, box, origin, zero.data(), region, 0, nullptr, nullptr);
  });
  expectLevelsChecked([&](cl_mem image, const size_t* origin, const size_t* region) {
    return driver->clEnqueueCopyImage(queue, box, image, zero.data(), origin, region, 0, nullptr, nullptr);
  });
}

// The formats differ, in order or in type, even where the texels have the same size.
TEST_F(EnqueueCopyImage, imageFormatMismatch) {
  for (const cl_image_format& other : {cl_image_format{CL_BGRA, CL_UNORM_INT8}, cl_image_format{CL_RGBA, CL_SNORM_INT8},
                                       cl_image_format{CL_R, CL_FLOAT}, cl_image_format{CL_sRGBA, CL_UNORM_INT8}}) {
    EXPECT_CL(CL_IMAGE_FORMAT_MISMATCH, copy(from, image2D(8, 4, 0, nullptr, other), zero, zero, {1, 1, 1}));
    EXPECT_CL(CL_IMAGE_FORMAT_MISMATCH, copy(image2D(8, 4, 0, nullptr, other), to, zero, zero, {1, 1, 1}));
  }
  EXPECT_TRUE(wasNotified("CL_BGRA and type CL_UNORM_INT8")) << allNotified();
}

// The regions share texels: of one image, or of two that share their memory.
TEST_F(EnqueueCopyImage, memCopyOverlap) {
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from, from, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from, from, {0, 0, 0}, {3, 0, 0}, {4, 1, 1}));
  EXPECT_SUCCESS(copy(from, from, {0, 0, 0}, {3, 3, 0}, {4, 1, 1}));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from, from, {0, 1, 0}, {1, 0, 0}, {4, 2, 1}));
  cl_mem memory = buffer(256);
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, {64, 1, 1});
  desc.buffer = memory;
  cl_mem one = image(desc), other = image(desc);
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(one, other, {0, 0, 0}, {3, 0, 0}, {4, 1, 1}));
  EXPECT_SUCCESS(copy(one, other, {0, 0, 0}, {4, 0, 0}, {4, 1, 1}));
  EXPECT_FALSE(allNotified().empty());
}

}  // namespace
}  // namespace clarity::test
