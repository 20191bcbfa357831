// SPDX-License-Identifier: Apache-2.0
// This file tests kernels that read and write images on several devices of one context.
#include "several_devices.h"

namespace clarity::test {
namespace {

struct ImageKernels : SeveralDevices {
  static constexpr size_t width = 40, height = 9;
  static constexpr cl_image_format format{CL_R, CL_UNSIGNED_INT32};

  cl_mem image(const std::vector<cl_uint>* content = nullptr, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    if (content) flags |= CL_MEM_COPY_HOST_PTR;
    void* const host = content ? const_cast<cl_uint*>(content->data()) : nullptr;
    return created([&](cl_int* e) { return clCreateImage(context, flags, &format, &desc, host, e); });
  }
  cl_event run2D(size_t device, cl_kernel kernel) {
    const size_t global[2] = {width, height};
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queues[device], kernel, 2, nullptr, global, nullptr, 0, nullptr, &event));
    return keep(event);
  }
};

// An image goes from device to device, written by each.
TEST_F(ImageKernels, contentFollowsTheKernels) {
  std::vector<cl_uint> truth(width * height);
  for (size_t i = 0; i < truth.size(); ++i) truth[i] = static_cast<cl_uint>(i);
  cl_mem from = image(&truth), to = image();
  cl_program program = buildForAll(R"(
    kernel void step(read_only image2d_t from, write_only image2d_t to, uint amount) {
      const int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imageui(to, at, read_imageui(from, at) + amount);
    })");
  cl_uint amount = 1;
  for (const size_t device : {first, second, cpu, second, first, cpu, first}) {
    cl_kernel step = kernel(program, "step");
    setArgs(step, from, to, amount);
    cl_event done = run2D(device, step);
    ASSERT_SUCCESS(clWaitForEvents(1, &done));
    for (cl_uint& texel : truth) texel += amount;
    amount = amount * 3 + 1;
    std::swap(from, to);
  }
  std::vector<cl_uint> texels(width * height);
  const size_t origin[3] = {0, 0, 0}, whole[3] = {width, height, 1};
  ASSERT_SUCCESS(
      clEnqueueReadImage(queues[second], from, CL_TRUE, origin, whole, 0, 0, texels.data(), 0, nullptr, nullptr));
  EXPECT_EQ(texels, truth);
}

// An image that the queue's device cannot have.
TEST_F(ImageKernels, invalidImageSize) {
  if (!isDiscrete()) GTEST_SKIP() << "other devices may have the CPU's limits";
  const auto most = infoOf<size_t>(clGetDeviceInfo, devices[first], CL_DEVICE_IMAGE2D_MAX_WIDTH);
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = most;
  desc.image_height = 1;
  cl_mem wide = created([&](cl_int* e) { return clCreateImage(context, 0, &format, &desc, nullptr, e); });
  cl_mem result = buffer(4);
  cl_kernel kernel =
      kernelForAll("kernel void k(read_only image2d_t i, global int* width) { *width = get_image_width(i); }", "k");
  setArgs(kernel, wide, result);
  const size_t one = 1;
  EXPECT_CL(CL_INVALID_IMAGE_SIZE,
            clEnqueueNDRangeKernel(queues[cpu], kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  cl_event done = run(first, kernel, 1);
  ASSERT_SUCCESS(clWaitForEvents(1, &done));
  EXPECT_EQ(readOn<cl_int>(cpu, result, 1)[0], static_cast<cl_int>(most));
}

}  // namespace
}  // namespace clarity::test
