// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueWriteImage (OpenCL 3.0, section 5.3.3).
#include "image_transfer.h"

namespace clarity::test {
namespace {

struct EnqueueWriteImage : ImageTransfer {
  EnqueueWriteImage() {
    call = [this](cl_command_queue q, cl_mem image, cl_bool block, const size_t* origin, const size_t* region,
                  size_t rowPitch, size_t slicePitch, void* from, cl_uint n, const cl_event* list, cl_event* event) {
      return driver->clEnqueueWriteImage(q, image, block, origin, region, rowPitch, slicePitch, from, n, list, event);
    };
  }
};

TEST_F(EnqueueWriteImage, everyTypeRegionAndPitch) {
  for (const ImageShape& shape : imageShapes()) {
    Box content(shape.extent, 8, 17);
    cl_mem made = imageOf(shape, content, {CL_RG, CL_SIGNED_INT32});
    for (const auto& [origin, region] : regionsOf(shape.extent))
      for (const auto& pitch : pitchesOf(shape.type, region, 8)) {
        SCOPED_TRACE(std::string(shape.what) + ", region " + std::to_string(region[0]) + " pitches " +
                     std::to_string(pitch[0]) + ' ' + std::to_string(pitch[1]));
        for (unsigned char& byte : host) byte = static_cast<unsigned char>(byte * 5 + 1);
        content.rows(origin, region, [&](unsigned char* row, size_t y, size_t z) {
          std::memcpy(row, &host[hostRow(shape.type, region, 8, pitch, y, z)], region[0] * 8);
        });
        EXPECT_SUCCESS(call(queue, made, CL_TRUE, origin.data(), region.data(), pitch[0], pitch[1], host.data(), 0,
                            nullptr, nullptr));
        EXPECT_TRUE(contentOf(made, shape.extent, 8) == content);
      }
  }
}

// Levels of a mipmap do not touch each other.
TEST_F(EnqueueWriteImage, everyLevel) {
  for (const ImageShape& shape : imageShapes()) {
    if (shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    SCOPED_TRACE(shape.what);
    cl_image_desc desc = describe(shape.type, shape.extent);
    desc.num_mip_levels = 3;
    cl_mem made = image(desc);
    std::vector<Box> boxes;
    std::array<size_t, 4> origin{};
    for (unsigned level = 0; level < 3; ++level) {
      boxes.emplace_back(levelExtent(shape, level), 4, level * 50);
      origin[levelIndex(shape.type)] = level;
      EXPECT_SUCCESS(call(queue, made, CL_TRUE, origin.data(), boxes.back().extent.data(), 0, 0,
                          boxes.back().bytes.data(), 0, nullptr, nullptr));
    }
    for (unsigned level = 0; level < 3; ++level) {
      Box read(boxes[level].extent, 4);
      origin[levelIndex(shape.type)] = level;
      EXPECT_SUCCESS(clEnqueueReadImage(queue, made, CL_TRUE, origin.data(), read.extent.data(), 0, 0,
                                        read.bytes.data(), 0, nullptr, nullptr));
      EXPECT_TRUE(read == boxes[level]) << level;
    }
  }
}

TEST_F(EnqueueWriteImage, waitsForItsList) { expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_WRITE_IMAGE); }
TEST_F(EnqueueWriteImage, anErrorInItsListEndsIt) {
  expectErrorReachesIt(*this, nonBlocking);
  EXPECT_TRUE(contentOf(plane, {8, 4, 1}) == Box({8, 4, 1}, 4));
}
TEST_F(EnqueueWriteImage, execStatusErrorForEventsInWaitList) { expectBlockingEnqueueSeesError(*this, blocking); }
TEST_F(EnqueueWriteImage, invalidCommandQueue) {
  expectQueueChecked(*this, nonBlocking);
  expectQueueChecked(*this, blocking);
}
TEST_F(EnqueueWriteImage, invalidEventWaitList) { expectWaitListChecked(*this, nonBlocking); }
// The image is none, or of another context.
TEST_F(EnqueueWriteImage, invalidMemObjectAndContext) { expectImageChecked(simple); }
// Origin and region are null, 0 or outside.
TEST_F(EnqueueWriteImage, invalidValueOfRegion) { expectRegionChecked(simple); }
TEST_F(EnqueueWriteImage, invalidValueOfBlocks) { expectBlocksChecked(simple); }
TEST_F(EnqueueWriteImage, invalidMipLevel) { expectLevelsChecked(simple); }
TEST_F(EnqueueWriteImage, invalidValueOfPitches) { expectPitchesChecked(); }
TEST_F(EnqueueWriteImage, invalidValueOfPointer) { expectNullPointerRefused(); }

// The host may not write the image.
TEST_F(EnqueueWriteImage, invalidOperation) {
  for (const cl_mem_flags flags : {cl_mem_flags{CL_MEM_HOST_READ_ONLY}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS}})
    EXPECT_CL(CL_INVALID_OPERATION, small(queue, image2D(4, 4, flags), CL_TRUE, 0, nullptr, nullptr));
  EXPECT_SUCCESS(small(queue, image2D(4, 4, CL_MEM_HOST_WRITE_ONLY), CL_TRUE, 0, nullptr, nullptr));
  // A kernel's access to it is another matter.
  EXPECT_SUCCESS(small(queue, image2D(4, 4, CL_MEM_READ_ONLY), CL_TRUE, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
