// SPDX-License-Identifier: Apache-2.0
// This file tests clCommandCopyImageToBufferKHR (cl_khr_command_buffer).
#include "command_buffer.h"

namespace clarity::test {
namespace {

struct CommandCopyImageToBuffer : CommandBufferTest {
  static constexpr size_t kWidth = 8, kHeight = 4;
  static constexpr size_t origin[3] = {0, 0, 0}, region[3] = {kWidth, kHeight, 1}, outside[3] = {1, 0, 0};
  cl_mem first = nullptr, second = nullptr;  // images
  cl_mem bytes = nullptr;                    // a buffer as large as an image
  const Record record = [this](auto buffer, auto on, auto properties, auto n, auto list, auto point, auto handle) {
    return clCommandCopyImageToBufferKHR(buffer, on, properties, first, bytes, origin, region, 0, n, list, point,
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
  cl_int copy(cl_mem from, cl_mem to, const size_t* at, size_t offset) {
    return clCommandCopyImageToBufferKHR(commands, nullptr, nullptr, from, to, at, region, offset, 0, nullptr, nullptr,
                                         nullptr);
  }
};

TEST_F(CommandCopyImageToBuffer, checksWhatAllCheck) { expectRecordChecked(record); }

TEST_F(CommandCopyImageToBuffer, copies) {
  ASSERT_SUCCESS(copy(first, bytes, origin, 0));
  run(commands);
  EXPECT_EQ(read<unsigned char>(bytes, kWidth * kHeight * 4), texels(first));
}

TEST_F(CommandCopyImageToBuffer, errorsOfTheEnqueue) {
  EXPECT_CL(CL_INVALID_VALUE, copy(first, bytes, outside, 0));
  EXPECT_CL(CL_INVALID_VALUE, copy(first, bytes, origin, 4));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(first, bufferOfAnotherContext(*this, 1024), origin, 0));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(foreignImage(), bytes, origin, 0));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bytes, bytes, origin, 0)) << "the source is a buffer";
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(first, second, origin, 0)) << "the target is an image";
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(bad.handle, bytes, origin, 0)) << "the source is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
