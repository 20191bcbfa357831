// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateImage3D (OpenCL 3.0, section 5.3.1).
#include "image_test.h"

namespace clarity::test {
namespace {

struct CreateImage3D : ImageTest {
  std::vector<unsigned char> host = countingBytes(4096);
  auto with(cl_mem_flags flags, const Triple& extent, size_t row = 0, size_t slice = 0, void* memory = nullptr,
            const cl_image_format* format = &rgba8) {
    return [=, this](cl_int* e) {
      return driver->clCreateImage3D(context, flags, format, extent[0], extent[1], extent[2], row, slice, memory, e);
    };
  }
};

TEST_F(CreateImage3D, makesTheImageOfTheHost) {
  cl_mem made = created(with(CL_MEM_COPY_HOST_PTR, {5, 4, 3}, 24, 120, host.data()));
  EXPECT_EQ(infoOf<cl_mem_object_type>(clGetMemObjectInfo, made, CL_MEM_TYPE),
            cl_mem_object_type{CL_MEM_OBJECT_IMAGE3D});
  EXPECT_EQ(infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_ROW_PITCH), 24U);
  EXPECT_EQ(infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_SLICE_PITCH), 120U);
  const Box content = contentOf(made, {5, 4, 3});
  for (size_t z = 0; z < 3; ++z)
    for (size_t y = 0; y < 4; ++y)
      EXPECT_EQ(std::memcmp(content.at(0, y, z), host.data() + z * 120 + y * 24, 20), 0) << y << ' ' << z;
}

TEST_F(CreateImage3D, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this))
    expectFails(CL_INVALID_CONTEXT,
                [&](cl_int* e) { return driver->clCreateImage3D(bad.handle, 0, &rgba8, 4, 4, 4, 0, 0, nullptr, e); });
}

TEST_F(CreateImage3D, invalidValue) {
  expectFails(CL_INVALID_VALUE, with(cl_mem_flags{1} << 40, {4, 4, 4}));
  expectFails(CL_INVALID_VALUE, with(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, {4, 4, 4}));
}

TEST_F(CreateImage3D, invalidImageFormatDescriptor) {
  expectFails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, with(0, {4, 4, 4}, 0, 0, nullptr, nullptr));
  static constexpr cl_image_format wrong{0x4711, CL_FLOAT};
  expectFails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, with(0, {4, 4, 4}, 0, 0, nullptr, &wrong));
}

// An extent of 0, a depth of 1, more than the device's, and pitches that break the rules.
TEST_F(CreateImage3D, invalidImageSize) {
  const auto most = infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE3D_MAX_DEPTH);
  for (const Triple& wrong : {Triple{0, 4, 4},
                              {4, 0, 4},
                              {4, 4, 0},
                              {4, 4, 1},
                              {4, 4, most + 1},
                              {infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE3D_MAX_WIDTH) + 1, 4, 4},
                              {4, infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE3D_MAX_HEIGHT) + 1, 4}})
    expectFails(CL_INVALID_IMAGE_SIZE, with(0, wrong));
  expectFails(CL_INVALID_IMAGE_SIZE, with(0, {4, 4, 4}, 16));
  expectFails(CL_INVALID_IMAGE_SIZE, with(0, {4, 4, 4}, 0, 64));
  expectFails(CL_INVALID_IMAGE_SIZE, with(CL_MEM_COPY_HOST_PTR, {4, 4, 4}, 12, 0, host.data()));
  expectFails(CL_INVALID_IMAGE_SIZE, with(CL_MEM_COPY_HOST_PTR, {4, 4, 4}, 16, 48, host.data()));
  expectFails(CL_INVALID_IMAGE_SIZE, with(CL_MEM_COPY_HOST_PTR, {4, 4, 4}, 16, 72, host.data()));
  EXPECT_TRUE(wasNotifiedOf(most + 1)) << allNotified();
}

TEST_F(CreateImage3D, invalidHostPtr) {
  expectFails(CL_INVALID_HOST_PTR, with(CL_MEM_USE_HOST_PTR, {4, 4, 4}));
  expectFails(CL_INVALID_HOST_PTR, with(0, {4, 4, 4}, 0, 0, host.data()));
}

TEST_F(CreateImage3D, imageFormatNotSupported) {
  static constexpr cl_image_format depth{CL_DEPTH, CL_FLOAT};
  expectFails(CL_IMAGE_FORMAT_NOT_SUPPORTED, with(0, {4, 4, 4}, 0, 0, nullptr, &depth));
}

}  // namespace
}  // namespace clarity::test
