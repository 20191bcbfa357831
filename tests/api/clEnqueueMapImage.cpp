// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueMapImage (OpenCL 3.0, section 5.3.6), and clEnqueueUnmapMemObject of images.
#include "image_transfer.h"

namespace clarity::test {
namespace {

struct EnqueueMapImage : ImageTest {
  cl_mem plane = nullptr;  ///< 8 x 4 texels
  Enqueue blocking = enqueueWith(CL_TRUE);
  Enqueue nonBlocking = enqueueWith(CL_FALSE);
  Call simple = [this](cl_mem image, const size_t* origin, const size_t* region) {
    return errorOf(image, CL_MAP_READ, origin, region);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) plane = imageOf({"2D", CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}}, Box({8, 4, 1}, 4));
  }
  Enqueue enqueueWith(cl_bool block) {
    return [this, block](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
      const Triple region{2, 2, 1};
      size_t row = 0;
      cl_int error = CL_SUCCESS;
      void* mapped = driver->clEnqueueMapImage(q, plane, block, CL_MAP_READ, zero.data(), region.data(), &row, nullptr,
                                               n, list, event, &error);
      EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS) << "pointer " << mapped << " with " << errorName(error);
      return error;
    };
  }
  struct Mapped {
    unsigned char* texels = nullptr;
    size_t row = ~size_t{0}, slice = ~size_t{0};
  };
  Mapped map(cl_mem image, cl_map_flags flags, const Triple& origin, const Triple& region,
             cl_command_queue on = nullptr) {
    Mapped mapped;
    cl_int error = CL_SUCCESS;
    mapped.texels = static_cast<unsigned char*>(clEnqueueMapImage(on ? on : queue, image, CL_TRUE, flags, origin.data(),
                                                                  region.data(), &mapped.row, &mapped.slice, 0, nullptr,
                                                                  nullptr, &error));
    EXPECT_SUCCESS(error);
    return mapped;
  }
  void unmap(cl_mem image, void* texels) {
    ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, image, texels, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(queue));
  }
  cl_int errorOf(cl_mem image, cl_map_flags flags, const size_t* origin, const size_t* region) {
    cl_int error = CL_SUCCESS;
    size_t row = 0, slice = 0;
    void* mapped = driver->clEnqueueMapImage(queue, image, CL_TRUE, flags, origin, region, &row, &slice, 0, nullptr,
                                             nullptr, &error);
    EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS);
    if (mapped) unmap(image, mapped);
    return error;
  }
  cl_int errorOf(cl_mem image, cl_map_flags flags, const Triple& origin, const Triple& region) {
    return errorOf(image, flags, origin.data(), region.data());
  }
  /// Where a row of a mapped region is: layers of 1D images are a slice pitch apart.
  static unsigned char* rowOf(const Mapped& mapped, cl_mem_object_type type, size_t y, size_t z) {
    return mapped.texels + (type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? y * mapped.slice : y * mapped.row + z * mapped.slice);
  }
};

TEST_F(EnqueueMapImage, everyTypeAndRegion) {
  for (const ImageShape& shape : imageShapes()) {
    Box content(shape.extent, 4, 17);
    cl_mem made = imageOf(shape, content);
    const bool slices = shape.extent[2] > 1 || shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    for (const cl_map_flags flags :
         {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION})
      for (const auto& [origin, region] : regionsOf(shape.extent)) {
        SCOPED_TRACE(std::string(shape.what) + ", flags " + std::to_string(flags) + ", region " +
                     std::to_string(region[0]));
        const Mapped mapped = map(made, flags, origin, region);
        ASSERT_NE(mapped.texels, nullptr);
        EXPECT_GE(mapped.row, region[0] * 4);
        EXPECT_EQ(mapped.slice != 0, slices);
        EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, made, CL_MEM_MAP_COUNT), 1U);
        content.rows(origin, region, [&](unsigned char* row, size_t y, size_t z) {
          unsigned char* const there = rowOf(mapped, shape.type, y, z);
          if (flags != CL_MAP_WRITE_INVALIDATE_REGION)
            EXPECT_EQ(std::memcmp(there, row, region[0] * 4), 0) << y << ' ' << z;
          if (flags == CL_MAP_READ) return;
          for (size_t i = 0; i < region[0] * 4; ++i) there[i] = row[i] = static_cast<unsigned char>(row[i] * 3 + 1);
        });
        unmap(made, mapped.texels);
        EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, made, CL_MEM_MAP_COUNT), 0U);
        EXPECT_TRUE(contentOf(made, shape.extent) == content);
      }
  }
}

// Two halves of an image beside each other, both for writing: the rows lie between each other.
TEST_F(EnqueueMapImage, writersMayBeNeighbours) {
  const Mapped left = map(plane, CL_MAP_WRITE, {0, 0, 0}, {4, 4, 1}),
               right = map(plane, CL_MAP_WRITE, {4, 0, 0}, {4, 4, 1});
  for (size_t y = 0; y < 4; ++y) {
    std::fill_n(left.texels + y * left.row, 16, static_cast<unsigned char>(1));
    std::fill_n(right.texels + y * right.row, 16, static_cast<unsigned char>(2));
  }
  unmap(plane, right.texels);
  unmap(plane, left.texels);
  const Box content = contentOf(plane, {8, 4, 1});
  for (size_t i = 0; i < content.bytes.size(); ++i) EXPECT_EQ(content.bytes[i], i % 32 < 16 ? 1 : 2) << i;
}

// Bytes that a command writes between the mapped rows are not lost when they are unmapped.
TEST_F(EnqueueMapImage, commandsBesideAMappedRegion) {
  const Mapped left = map(plane, CL_MAP_WRITE_INVALIDATE_REGION, {0, 0, 0}, {4, 4, 1});
  const cl_float white[4] = {1, 1, 1, 1};
  const Triple origin{4, 0, 0}, region{4, 4, 1};
  ASSERT_SUCCESS(clEnqueueFillImage(queue, plane, white, origin.data(), region.data(), 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  for (size_t y = 0; y < 4; ++y) std::fill_n(left.texels + y * left.row, 16, static_cast<unsigned char>(1));
  unmap(plane, left.texels);
  const Box content = contentOf(plane, {8, 4, 1});
  for (size_t i = 0; i < content.bytes.size(); ++i) EXPECT_EQ(content.bytes[i], i % 32 < 16 ? 1 : 255) << i;
}

TEST_F(EnqueueMapImage, ofAHostPointerGivesTheHostPointer) {
  alignas(64) unsigned char host[48 * 4];
  std::copy_n(countingBytes(sizeof host).begin(), sizeof host, host);
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {8, 4, 1});
  desc.image_row_pitch = 48;
  cl_mem made = image(desc, CL_MEM_USE_HOST_PTR, host);
  const Mapped mapped = map(made, CL_MAP_READ, {2, 1, 0}, {3, 2, 1});
  EXPECT_EQ(mapped.texels, host + 48 + 8);
  EXPECT_EQ(mapped.row, 48U);
  EXPECT_EQ(mapped.slice, 0U);
  unmap(made, mapped.texels);
}

TEST_F(EnqueueMapImage, levelsOfAMipmap) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {8, 4, 1});
  desc.num_mip_levels = 2;
  cl_mem made = image(desc);
  const Mapped base = map(made, CL_MAP_WRITE, {0, 0, 0}, {8, 4, 1}),
               small = map(made, CL_MAP_WRITE, {0, 0, 1}, {4, 2, 1});
  EXPECT_EQ(small.row, 16U);
  std::fill_n(base.texels, 128, static_cast<unsigned char>(1));
  std::fill_n(small.texels, 32, static_cast<unsigned char>(2));
  unmap(made, base.texels);
  unmap(made, small.texels);
  EXPECT_EQ(contentOf(made, {8, 4, 1}).bytes, std::vector<unsigned char>(128, 1));
}

TEST_F(EnqueueMapImage, theSlicePitchMayBeNullWithoutSlices) {
  size_t row = 0;
  const Triple region{8, 4, 1};
  void* mapped = clEnqueueMapImage(queue, plane, CL_TRUE, CL_MAP_READ, zero.data(), region.data(), &row, nullptr, 0,
                                   nullptr, nullptr, nullptr);
  ASSERT_NE(mapped, nullptr);
  unmap(plane, mapped);
}

TEST_F(EnqueueMapImage, waitsForItsList) { expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_MAP_IMAGE); }
TEST_F(EnqueueMapImage, anErrorInItsListEndsIt) { expectErrorReachesIt(*this, nonBlocking); }
TEST_F(EnqueueMapImage, execStatusErrorForEventsInWaitList) {
  expectBlockingEnqueueSeesError(*this, blocking);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, plane, CL_MEM_MAP_COUNT), 0U) << "the failed map is still counted";
}
TEST_F(EnqueueMapImage, invalidCommandQueue) {
  expectQueueChecked(*this, nonBlocking);
  expectQueueChecked(*this, blocking);
}
TEST_F(EnqueueMapImage, invalidEventWaitList) { expectWaitListChecked(*this, nonBlocking); }
// The image is none, or of another context.
TEST_F(EnqueueMapImage, invalidMemObjectAndContext) { expectImageChecked(simple); }
// Origin and region are null, 0 or outside.
TEST_F(EnqueueMapImage, invalidValueOfRegion) { expectRegionChecked(simple); }
TEST_F(EnqueueMapImage, invalidValueOfBlocks) { expectBlocksChecked(simple); }
TEST_F(EnqueueMapImage, invalidMipLevel) { expectLevelsChecked(simple); }

// A bit that is no map flag, or invalidating together with reading or writing.
TEST_F(EnqueueMapImage, invalidValueOfFlags) {
  for (const cl_map_flags flags : {cl_map_flags{1} << 20, cl_map_flags{CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION},
                                   cl_map_flags{CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION}})
    EXPECT_CL(CL_INVALID_VALUE, errorOf(plane, flags, {0, 0, 0}, {1, 1, 1})) << flags;
}

// No place for the row pitch, or for the slice pitch of an image with slices.
TEST_F(EnqueueMapImage, invalidValueOfPitches) {
  for (const ImageShape& shape : imageShapes()) {
    cl_mem made = imageOf(shape, Box(shape.extent, 4));
    const auto error = [&](size_t* row, size_t* slice) {
      cl_int code = CL_SUCCESS;
      void* mapped = driver->clEnqueueMapImage(queue, made, CL_TRUE, CL_MAP_READ, zero.data(), shape.extent.data(), row,
                                               slice, 0, nullptr, nullptr, &code);
      if (mapped) unmap(made, mapped);
      return code;
    };
    size_t row = 0, slice = 0;
    EXPECT_SUCCESS(error(&row, &slice)) << shape.what;
    EXPECT_CL(CL_INVALID_VALUE, error(nullptr, &slice)) << shape.what;
    const bool slices = shape.extent[2] > 1 || shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    EXPECT_CL(slices ? CL_INVALID_VALUE : CL_SUCCESS, error(&row, nullptr)) << shape.what;
  }
}

// The host may not read or write the image.
TEST_F(EnqueueMapImage, invalidOperationOfHostAccess) {
  const Triple one{1, 1, 1};
  const auto error = [&](cl_mem_flags flags, cl_map_flags how) {
    return errorOf(image2D(4, 4, flags), how, zero, one);
  };
  EXPECT_CL(CL_INVALID_OPERATION, error(CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ));
  EXPECT_CL(CL_INVALID_OPERATION, error(CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE));
  EXPECT_CL(CL_INVALID_OPERATION, error(CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION));
  EXPECT_CL(CL_INVALID_OPERATION, error(CL_MEM_HOST_NO_ACCESS, CL_MAP_READ));
  EXPECT_CL(CL_INVALID_OPERATION, error(CL_MEM_HOST_NO_ACCESS, CL_MAP_WRITE));
  EXPECT_SUCCESS(error(CL_MEM_HOST_WRITE_ONLY, CL_MAP_WRITE));
  EXPECT_SUCCESS(error(CL_MEM_HOST_READ_ONLY, CL_MAP_READ));
}

// A region overlaps one that is mapped for writing.
TEST_F(EnqueueMapImage, invalidOperationOfOverlappingWriters) {
  const Mapped writer = map(plane, CL_MAP_WRITE, {2, 1, 0}, {3, 2, 1});
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(plane, CL_MAP_WRITE, {4, 2, 0}, {2, 2, 1}));
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(plane, CL_MAP_WRITE_INVALIDATE_REGION, {0, 0, 0}, {8, 4, 1}));
  EXPECT_SUCCESS(errorOf(plane, CL_MAP_WRITE, {5, 1, 0}, {3, 2, 1}));
  EXPECT_SUCCESS(errorOf(plane, CL_MAP_WRITE, {0, 0, 0}, {2, 4, 1}));
  EXPECT_SUCCESS(errorOf(plane, CL_MAP_WRITE, {0, 3, 0}, {8, 1, 1}));
  unmap(plane, writer.texels);
  EXPECT_SUCCESS(errorOf(plane, CL_MAP_WRITE, {4, 2, 0}, {2, 2, 1}));
}

// An image and the buffer that it is made of are one memory for this rule.
TEST_F(EnqueueMapImage, invalidOperationOfOverlappingBuffers) {
  cl_mem memory = buffer(256);
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, {64, 1, 1});
  desc.buffer = memory;
  cl_mem made = image(desc);
  const Mapped writer = map(made, CL_MAP_WRITE, {8, 0, 0}, {8, 1, 1});
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_WRITE, 60, 8, 0, nullptr, nullptr, &error), nullptr);
  EXPECT_CL(CL_INVALID_OPERATION, error);
  unmap(made, writer.texels);
}

}  // namespace
}  // namespace clarity::test
