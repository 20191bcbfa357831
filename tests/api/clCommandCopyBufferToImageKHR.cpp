// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandCopyBufferToImageKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandCopyBufferToImage : CommandBufferTest {
  static constexpr size_t kWidth = 8, kHeight = 4;
  static constexpr size_t origin[3] = {0, 0, 0}, region[3] = {kWidth, kHeight, 1}, outside[3] = {1, 0, 0};
  cl_mem first = nullptr, second = nullptr;  // images
  cl_mem bytes = nullptr;                    // a buffer as large as an image
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandCopyBufferToImageKHR(buffer, on, properties, bytes, first, 0, origin, region, n, list, point,
                                         handle);
  };

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    if (!infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "the device has no images";
    first = image(context, countingBytes(kWidth * kHeight * 4));
    second = image(context, std::vector<unsigned char>(kWidth * kHeight * 4));
    bytes = bufferOf(countingBytes(kWidth * kHeight * 4, 100));
  }
  cl_mem image(cl_context of, std::vector<unsigned char> content, cl_channel_order order = CL_RGBA) {
    const cl_image_format format{order, CL_UNORM_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kWidth;
    desc.image_height = kHeight;
    cl_int error = CL_INVALID_VALUE;
    cl_mem made = clCreateImage(of, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, content.data(), &error);
    EXPECT_SUCCESS(error);
    return keep(made);
  }
  cl_mem foreignImage() { return image(otherContext(), std::vector<unsigned char>(kWidth * kHeight * 4)); }
  std::vector<unsigned char> texels(cl_mem of) {
    std::vector<unsigned char> result(kWidth * kHeight * 4);
    EXPECT_SUCCESS(clEnqueueReadImage(queue, of, CL_TRUE, origin, region, 0, 0, result.data(), 0, nullptr, nullptr));
    return result;
  }
  cl_int copy(cl_mem from, cl_mem to, size_t offset, const size_t* at) {
    return clCommandCopyBufferToImageKHR(commands, nullptr, nullptr, from, to, offset, at, region, 0, nullptr, nullptr,
                                         nullptr);
  }
};

TEST_F(CommandCopyBufferToImage, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandCopyBufferToImage, copies) {
  ASSERT_SUCCESS(copy(bytes, first, 0, origin));
  run(commands);
  EXPECT_EQ(texels(first), countingBytes(kWidth * kHeight * 4, 100));
}

TEST_F(CommandCopyBufferToImage, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, copy(bytes, first, 0, outside));
  EXPECT_CL(CL_INVALID_VALUE, copy(bytes, first, 4, origin));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(bufferOfAnotherContext(*this, 1024), first, 0, origin));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(bytes, foreignImage(), 0, origin));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(first, second, 0, origin)) << "the source is an image";
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bytes, bytes, 0, origin)) << "the target is a buffer";
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bytes, bad.handle, 0, origin)) << "the target is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
