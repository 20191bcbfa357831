// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateImage2D (OpenCL 3.0, section 5.3.1).
#include "image_test.h"

namespace clarity::test {
namespace {

struct CreateImage2D : ImageTest {
  std::vector<unsigned char> host = countingBytes(4096);
  auto with(cl_mem_flags flags, size_t width, size_t height, size_t pitch = 0, void* memory = nullptr,
            const cl_image_format* format = &rgba8) {
    return [=, this](cl_int* e) {
      return driver->clCreateImage2D(context, flags, format, width, height, pitch, memory, e);
    };
  }
};

TEST_F(CreateImage2D, makesTheImageOfTheHost) {
  cl_mem made = created(with(CL_MEM_COPY_HOST_PTR, 8, 4, 48, host.data()));
  EXPECT_EQ(infoOf<cl_mem_object_type>(clGetMemObjectInfo, made, CL_MEM_TYPE),
            cl_mem_object_type{CL_MEM_OBJECT_IMAGE2D});
  EXPECT_EQ(infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_ROW_PITCH), 48U);
  const Box content = contentOf(made, {8, 4, 1});
  for (size_t y = 0; y < 4; ++y) EXPECT_EQ(std::memcmp(content.at(0, y, 0), host.data() + y * 48, 32), 0) << y;
}

TEST_F(CreateImage2D, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this))
    expectFails(CL_INVALID_CONTEXT,
                [&](cl_int* e) { return driver->clCreateImage2D(bad.handle, 0, &rgba8, 4, 4, 0, nullptr, e); });
}

TEST_F(CreateImage2D, invalidValue) {
  expectFails(CL_INVALID_VALUE, with(cl_mem_flags{1} << 40, 4, 4));
  expectFails(CL_INVALID_VALUE, with(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, 4));
}

TEST_F(CreateImage2D, invalidImageFormatDescriptor) {
  expectFails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, with(0, 4, 4, 0, nullptr, nullptr));
  static constexpr cl_image_format wrong{CL_RGBA, 0};
  expectFails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, with(0, 4, 4, 0, nullptr, &wrong));
}

// An extent of 0 or beyond the device's, and pitches that break the rules.
TEST_F(CreateImage2D, invalidImageSize) {
  const auto width = infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  const auto height = infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  expectFails(CL_INVALID_IMAGE_SIZE, with(0, 0, 4));
  expectFails(CL_INVALID_IMAGE_SIZE, with(0, 4, 0));
  expectFails(CL_INVALID_IMAGE_SIZE, with(0, width + 1, 4));
  expectFails(CL_INVALID_IMAGE_SIZE, with(0, 4, height + 1));
  expectFails(CL_INVALID_IMAGE_SIZE, with(0, 4, 4, 16));
  expectFails(CL_INVALID_IMAGE_SIZE, with(CL_MEM_COPY_HOST_PTR, 4, 4, 12, host.data()));
  expectFails(CL_INVALID_IMAGE_SIZE, with(CL_MEM_COPY_HOST_PTR, 4, 4, 18, host.data()));
  EXPECT_TRUE(wasNotifiedOf(width + 1)) << allNotified();
}

TEST_F(CreateImage2D, invalidHostPtr) {
  expectFails(CL_INVALID_HOST_PTR, with(CL_MEM_COPY_HOST_PTR, 4, 4));
  expectFails(CL_INVALID_HOST_PTR, with(CL_MEM_USE_HOST_PTR, 4, 4));
  expectFails(CL_INVALID_HOST_PTR, with(CL_MEM_READ_WRITE, 4, 4, 0, host.data()));
}

TEST_F(CreateImage2D, imageFormatNotSupported) {
  static constexpr cl_image_format rgb{CL_RGB, CL_FLOAT};
  expectFails(CL_IMAGE_FORMAT_NOT_SUPPORTED, with(0, 4, 4, 0, nullptr, &rgb));
}

}  // namespace
}  // namespace clarity::test
