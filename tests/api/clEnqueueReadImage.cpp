// SPDX-License-Identifier: Apache-2.0
// This file tests clEnqueueReadImage (OpenCL 3.0, section 5.3.3).
#include "image_transfer.h"

namespace clarity::test {
namespace {

struct EnqueueReadImage : ImageTransfer {
  EnqueueReadImage() {
    call = [this](cl_command_queue q, cl_mem image, cl_bool block, const size_t* origin, const size_t* region,
                  size_t rowPitch, size_t slicePitch, void* to, cl_uint n, const cl_event* list, cl_event* event) {
      return driver->clEnqueueReadImage(q, image, block, origin, region, rowPitch, slicePitch, to, n, list, event);
    };
  }
};

TEST_F(EnqueueReadImage, everyTypeRegionAndPitch) {
  for (const ImageShape& shape : imageShapes())
    for (const size_t texel : {size_t{1}, size_t{4}, size_t{16}}) {
      const cl_image_format format = texel == 1   ? cl_image_format{CL_R, CL_UNSIGNED_INT8}
                                     : texel == 4 ? rgba8
                                                  : cl_image_format{CL_RGBA, CL_FLOAT};
      Box content(shape.extent, texel, 17);
      cl_mem made = imageOf(shape, content, format);
      for (const auto& [origin, region] : regionsOf(shape.extent))
        for (const auto& pitch : pitchesOf(shape.type, region, texel)) {
          SCOPED_TRACE(std::string(shape.what) + ", texels of " + std::to_string(texel) + " bytes, region " +
                       std::to_string(region[0]) + " pitches " + std::to_string(pitch[0]) + ' ' +
                       std::to_string(pitch[1]));
          std::fill(host.begin(), host.end(), static_cast<unsigned char>(0xEE));
          std::vector<unsigned char> wanted = host;
          content.rows(origin, region, [&](const unsigned char* row, size_t y, size_t z) {
            std::memcpy(&wanted[hostRow(shape.type, region, texel, pitch, y, z)], row, region[0] * texel);
          });
          EXPECT_SUCCESS(call(queue, made, CL_TRUE, origin.data(), region.data(), pitch[0], pitch[1], host.data(), 0,
                              nullptr, nullptr));
          EXPECT_TRUE(host == wanted);
        }
    }
}

// cl_ext_image_raw10_raw12: texels in blocks, in rows that may begin at any byte.
TEST_F(EnqueueReadImage, rawFormats) {
  struct Case {
    cl_image_format format;
    size_t texels, bytes;  ///< sizes of a block
  };
  for (const auto& [format, texels, bytes] : {Case{raw10, 4, 5}, Case{raw12, 2, 3}}) {
    const size_t pitch = 6 * bytes + 1;
    std::vector<unsigned char> content = countingBytes(3 * pitch, 9);
    cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {6 * texels, 3, 1});
    desc.image_row_pitch = pitch;
    cl_mem made = image(desc, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, content.data(), format);
    const Triple origin{2 * texels, 1, 0}, region{3 * texels, 2, 1};
    std::vector<unsigned char> wanted, read(2 * 3 * bytes);
    for (size_t y = 1; y < 3; ++y)
      wanted.insert(wanted.end(), &content[y * pitch + 2 * bytes], &content[y * pitch + 5 * bytes]);
    EXPECT_SUCCESS(call(queue, made, CL_TRUE, origin.data(), region.data(), 0, 0, read.data(), 0, nullptr, nullptr));
    EXPECT_EQ(read, wanted) << texels;
  }
}

TEST_F(EnqueueReadImage, waitsForItsList) { expectWaitsForItsList(*this, nonBlocking, CL_COMMAND_READ_IMAGE); }
TEST_F(EnqueueReadImage, anErrorInItsListEndsIt) {
  const std::vector<unsigned char> before = host;
  expectErrorReachesIt(*this, nonBlocking);
  EXPECT_EQ(host, before);
}
TEST_F(EnqueueReadImage, execStatusErrorForEventsInWaitList) { expectBlockingEnqueueSeesError(*this, blocking); }
TEST_F(EnqueueReadImage, invalidCommandQueue) {
  expectQueueChecked(*this, nonBlocking);
  expectQueueChecked(*this, blocking);
}
TEST_F(EnqueueReadImage, invalidEventWaitList) { expectWaitListChecked(*this, nonBlocking); }
// The image is none, or of another context.
TEST_F(EnqueueReadImage, invalidMemObjectAndContext) { expectImageChecked(simple); }
// Origin and region are null, 0 or outside.
TEST_F(EnqueueReadImage, invalidValueOfRegion) { expectRegionChecked(simple); }
TEST_F(EnqueueReadImage, invalidValueOfBlocks) { expectBlocksChecked(simple); }
TEST_F(EnqueueReadImage, invalidMipLevel) { expectLevelsChecked(simple); }
TEST_F(EnqueueReadImage, invalidValueOfPitches) { expectPitchesChecked(); }
TEST_F(EnqueueReadImage, invalidValueOfPointer) { expectNullPointerRefused(); }

// The host may not read the image.
TEST_F(EnqueueReadImage, invalidOperation) {
  for (const cl_mem_flags flags : {cl_mem_flags{CL_MEM_HOST_WRITE_ONLY}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS}})
    EXPECT_CL(CL_INVALID_OPERATION, small(queue, image2D(4, 4, flags), CL_TRUE, 0, nullptr, nullptr));
  EXPECT_SUCCESS(small(queue, image2D(4, 4, CL_MEM_HOST_READ_ONLY), CL_TRUE, 0, nullptr, nullptr));
  // A kernel's access to it is another matter.
  EXPECT_SUCCESS(small(queue, image2D(4, 4, CL_MEM_WRITE_ONLY), CL_TRUE, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
