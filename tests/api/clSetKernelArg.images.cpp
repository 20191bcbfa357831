// SPDX-License-Identifier: Apache-2.0
// This file tests clSetKernelArg for images and samplers, and launches with them (OpenCL 3.0, sections 5.9.2 and 5.10).
#include "image_test.h"

namespace clarity::test {
namespace {

/// A type of argument and the image that suits it.
struct ArgumentType {
  const char* name;
  ImageShape shape;
  cl_image_format format;
};

constexpr cl_image_format kInts{CL_RGBA, CL_UNSIGNED_INT32}, kDepth{CL_DEPTH, CL_FLOAT};

std::vector<ArgumentType> argumentTypes() {
  std::vector<ArgumentType> types;
  const char* names[] = {"image1d_t", "image1d_buffer_t", "image1d_array_t",
                         "image2d_t", "image2d_array_t",  "image3d_t"};
  for (size_t i = 0; i < 6; ++i) types.push_back({names[i], imageShapes()[i], kInts});
  types.push_back({"image2d_depth_t", imageShapes()[3], kDepth});
  types.push_back({"image2d_array_depth_t", imageShapes()[4], kDepth});
  return types;
}

struct SetKernelArgImages : ImageTest {
  static constexpr const char* options = "-cl-std=CL3.0";

  cl_mem imageFor(const ArgumentType& type) { return imageOf(type.shape, Box(type.shape.extent, 16), type.format); }
  /// A kernel with one image argument that does nothing with it but ask how wide it is.
  cl_kernel taking(const std::string& access, const std::string& type) {
    const std::string source = "#pragma OPENCL EXTENSION cl_khr_depth_images : enable\nkernel void k(" + access + " " +
                               type + " image, global int* width) { *width = get_image_width(image); }";
    return kernel(build(source.c_str(), options), "k");
  }
  cl_int set(cl_kernel k, cl_mem image) { return driver->clSetKernelArg(k, 0, sizeof image, &image); }
};

// Each type of argument takes the images that suit it and no others.
TEST_F(SetKernelArgImages, everyTypeOfImage) {
  const std::vector<ArgumentType> types = argumentTypes();
  cl_mem result = buffer(4);
  for (const ArgumentType& declared : types) {
    cl_kernel k = taking("read_only", declared.name);
    ASSERT_SUCCESS(clSetKernelArg(k, 1, sizeof result, &result));
    for (const ArgumentType& given : types)
      EXPECT_CL(std::string(declared.name) == given.name ? CL_SUCCESS : CL_INVALID_MEM_OBJECT, set(k, imageFor(given)))
          << given.name << " for " << declared.name;
    cl_mem suits = imageFor(declared);
    ASSERT_SUCCESS(set(k, suits));
    launch(k, 1);
    EXPECT_EQ(read<cl_int>(result, 1)[0], cl_int(declared.shape.extent[0])) << declared.name;
  }
  EXPECT_TRUE(wasNotified("3D image")) << allNotified();
}

// The access that the image was created for differs from the kernel's.
TEST_F(SetKernelArgImages, invalidArgValue) {
  cl_mem readOnly = image2D(4, 4, CL_MEM_READ_ONLY, nullptr, kInts);
  cl_mem writeOnly = image2D(4, 4, CL_MEM_WRITE_ONLY, nullptr, kInts);
  cl_mem both = image2D(4, 4, CL_MEM_READ_WRITE, nullptr, kInts);
  cl_kernel reads = taking("read_only", "image2d_t"), writes = taking("write_only", "image2d_t");
  cl_kernel readsAndWrites = taking("read_write", "image2d_t");
  EXPECT_SUCCESS(set(reads, readOnly));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(reads, writeOnly));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(writes, readOnly));
  EXPECT_SUCCESS(set(writes, writeOnly));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(readsAndWrites, readOnly));
  EXPECT_CL(CL_INVALID_ARG_VALUE, set(readsAndWrites, writeOnly));
  for (cl_kernel each : {reads, writes, readsAndWrites}) EXPECT_SUCCESS(set(each, both));
}

// No image, a buffer, an image for a buffer.
TEST_F(SetKernelArgImages, invalidMemObject) {
  cl_kernel k = taking("read_only", "image2d_t");
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, set(k, bad.handle)) << "the image is " << bad.what;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clSetKernelArg(k, 0, sizeof(cl_mem), nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, set(k, buffer(64)));
  cl_mem wrong = image2D(4, 4);
  EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clSetKernelArg(k, 1, sizeof wrong, &wrong)) << "an image for a buffer";
}

TEST_F(SetKernelArgImages, invalidArgSize) {
  cl_kernel k = taking("read_only", "image2d_t");
  cl_mem image = image2D(4, 4);
  for (const size_t size : {size_t{0}, sizeof(cl_mem) - 1, sizeof(cl_mem) + 1, size_t{184}})
    EXPECT_CL(CL_INVALID_ARG_SIZE, driver->clSetKernelArg(k, 0, size, &image)) << size;
}

TEST_F(SetKernelArgImages, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, set(taking("read_only", "image2d_t"), imageOfAnotherContext()));
}

// The kernel holds no reference; a command does, and until it has ended the image is there.
TEST_F(SetKernelArgImages, releasedImages) {
  cl_kernel k = taking("read_only", "image2d_t");
  cl_mem result = buffer(4);
  ASSERT_SUCCESS(clSetKernelArg(k, 1, sizeof result, &result));
  const cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {5, 5, 1});
  cl_mem image = clCreateImage(context, 0, &rgba8, &desc, nullptr, nullptr);
  ASSERT_SUCCESS(set(k, image));
  cl_event gate = userEvent();
  const size_t one = 1;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 1, &gate, nullptr));
  ASSERT_SUCCESS(clReleaseMemObject(image));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<cl_int>(result, 1)[0], 5);
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
}

struct SetKernelArgSamplers : ImageTest {
  static constexpr const char* source = R"(
    kernel void sample(read_only image2d_t image, sampler_t s, float2 at, global float4* result) {
      *result = read_imagef(image, s, at);
    })";
  cl_sampler sampler(cl_bool normalised = CL_FALSE, cl_addressing_mode addressing = CL_ADDRESS_CLAMP_TO_EDGE,
                     cl_filter_mode filter = CL_FILTER_NEAREST) {
    return created([&](cl_int* e) { return clCreateSampler(context, normalised, addressing, filter, e); });
  }
};

// Each sampler does what it says, and the kernel needs the object no longer.
TEST_F(SetKernelArgSamplers, everySampler) {
  cl_kernel k = kernel(source, "sample");
  const cl_float texels[2] = {10, 20};
  cl_mem image = image2D(2, 1, CL_MEM_COPY_HOST_PTR, const_cast<cl_float*>(texels), {CL_R, CL_FLOAT});
  cl_mem result = buffer(16);
  ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof image, &image));
  ASSERT_SUCCESS(clSetKernelArg(k, 3, sizeof result, &result));
  const auto sample = [&](cl_bool normalised, cl_addressing_mode addressing, cl_filter_mode filter, cl_float x) {
    cl_sampler s = clCreateSampler(context, normalised, addressing, filter, nullptr);
    EXPECT_SUCCESS(clSetKernelArg(k, 1, sizeof s, &s));
    EXPECT_SUCCESS(clReleaseSampler(s));
    const cl_float at[2] = {x, normalised ? 0.5F : 0};
    EXPECT_SUCCESS(clSetKernelArg(k, 2, sizeof at, at));
    launch(k, 1);
    return read<cl_float>(result, 1)[0];
  };
  EXPECT_EQ(sample(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 0.5F), 10);
  EXPECT_EQ(sample(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 7), 20);
  EXPECT_EQ(sample(CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, 7), 0);
  EXPECT_EQ(sample(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 1), 15);
  EXPECT_EQ(sample(CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 0.75F), 20);
  EXPECT_EQ(sample(CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, 1.25F), 10);
  EXPECT_EQ(sample(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, 1.25F), 20);
}

// Values that are no samplers.
TEST_F(SetKernelArgSamplers, invalidSampler) {
  cl_kernel k = kernel(source, "sample");
  for (const auto& bad : badHandles<cl_sampler>(*this))
    EXPECT_CL(CL_INVALID_SAMPLER, driver->clSetKernelArg(k, 1, sizeof bad.handle, &bad.handle)) << bad.what;
  EXPECT_CL(CL_INVALID_SAMPLER, driver->clSetKernelArg(k, 1, sizeof(cl_sampler), nullptr));
  cl_mem image = image2D(4, 4);
  EXPECT_CL(CL_INVALID_SAMPLER, driver->clSetKernelArg(k, 1, sizeof image, &image));
  cl_sampler s = sampler();
  EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clSetKernelArg(k, 0, sizeof s, &s)) << "a sampler for an image";
}

TEST_F(SetKernelArgSamplers, invalidArgSize) {
  cl_kernel k = kernel(source, "sample");
  cl_sampler s = sampler();
  for (const size_t size : {size_t{0}, sizeof s - 1, sizeof s + 1})
    EXPECT_CL(CL_INVALID_ARG_SIZE, driver->clSetKernelArg(k, 1, size, &s)) << size;
}

TEST_F(SetKernelArgSamplers, invalidContext) {
  cl_context other = otherContext();
  cl_sampler s =
      created([&](cl_int* e) { return clCreateSampler(other, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, e); });
  EXPECT_CL(CL_INVALID_CONTEXT, driver->clSetKernelArg(kernel(source, "sample"), 1, sizeof s, &s));
}

// A sampler that was never set.
TEST_F(SetKernelArgSamplers, invalidKernelArgs) {
  cl_kernel k = kernel(source, "sample");
  const size_t one = 1;
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
