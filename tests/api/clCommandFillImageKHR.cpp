// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandFillImageKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandFillImage : CommandBufferTest {
  static constexpr size_t kWidth = 8, kHeight = 4;
  static constexpr size_t origin[3] = {0, 0, 0}, region[3] = {kWidth, kHeight, 1}, outside[3] = {1, 0, 0};
  cl_mem first = nullptr, second = nullptr;  // images
  cl_mem bytes = nullptr;                    // a buffer as large as an image
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandFillImageKHR(buffer, on, properties, first, color, origin, region, n, list, point, handle);
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
  cl_int fill(cl_mem it, const void* with, const size_t* at) {
    return clCommandFillImageKHR(commands, nullptr, nullptr, it, with, at, region, 0, nullptr, nullptr, nullptr);
  }
  const float color[4] = {1, 0, 1, 0};
};

TEST_F(CommandFillImage, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandFillImage, fills) {
  ASSERT_SUCCESS(fill(first, color, origin));
  run(commands);
  std::vector<unsigned char> wanted;
  for (size_t i = 0; i < kWidth * kHeight; ++i) wanted.insert(wanted.end(), {255, 0, 255, 0});
  EXPECT_EQ(texels(first), wanted);
}

TEST_F(CommandFillImage, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, fill(first, nullptr, origin));
  EXPECT_CL(CL_INVALID_VALUE, fill(first, color, outside));
  EXPECT_CL(CL_INVALID_CONTEXT, fill(foreignImage(), color, origin));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, fill(bytes, color, origin)) << "a buffer";
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, fill(bad.handle, color, origin)) << "the image is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
