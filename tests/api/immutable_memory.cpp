// SPDX-License-Identifier: Apache-2.0
// This file tests memory objects that nothing may write (cl_ext_immutable_memory_objects): every way to create them and
// every command that would change them.
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

constexpr cl_mem_flags immutable = 1 << 6;  // CL_MEM_IMMUTABLE_EXT, which older headers do not have
constexpr size_t bytes = 256;

struct ImmutableMemory : OpenCL {
  std::vector<unsigned char> content = countingBytes(bytes);
  cl_image_format format{CL_R, CL_UNSIGNED_INT8};
  cl_image_desc desc{};

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = 32;
    desc.image_height = 8;
  }
  bool hasImages() { return infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT); }
  auto bufferWith(cl_mem_flags flags, bool hasContent = true) {
    return [=, this](cl_int* e) {
      return clCreateBuffer(context, flags, bytes, hasContent ? content.data() : nullptr, e);
    };
  }
  auto imageWith(cl_mem_flags flags, bool hasContent = true) {
    return [=, this](cl_int* e) {
      return clCreateImage(context, flags, &format, &desc, hasContent ? content.data() : nullptr, e);
    };
  }
};

TEST_F(ImmutableMemory, isRead) {
  cl_kernel sum = kernel(R"(kernel void sum(global const uchar* in, global uint* r) {
    uint s = 0; for (int i = 0; i < 256; ++i) s += in[i]; *r = s; })",
                         "sum");
  for (const cl_mem_flags flags : {immutable | CL_MEM_COPY_HOST_PTR, immutable | CL_MEM_USE_HOST_PTR,
                                   immutable | CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY}) {
    cl_mem memory = created(bufferWith(flags)), result = buffer(4);
    EXPECT_EQ(infoOf<cl_mem_flags>(clGetMemObjectInfo, memory, CL_MEM_FLAGS), flags);
    EXPECT_EQ(read<unsigned char>(memory, bytes), content);
    EXPECT_SUCCESS(clSetKernelArg(sum, 0, sizeof memory, &memory));
    EXPECT_SUCCESS(clSetKernelArg(sum, 1, sizeof result, &result));
    launch(sum, 1);
    EXPECT_EQ(read<cl_uint>(result, 1)[0], 255U * 128);
    // From it, and from a part of it.
    const cl_buffer_region half{0, bytes / 2};
    cl_mem part =
        created([&](cl_int* e) { return clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, e); });
    EXPECT_TRUE(infoOf<cl_mem_flags>(clGetMemObjectInfo, part, CL_MEM_FLAGS) & immutable);
    cl_mem copy = buffer(bytes);
    EXPECT_SUCCESS(clEnqueueCopyBuffer(queue, memory, copy, 0, 0, bytes, 0, nullptr, nullptr));
    EXPECT_EQ(read<unsigned char>(copy, bytes), content);
    cl_int error = CL_SUCCESS;
    void* mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, bytes, 0, nullptr, nullptr, &error);
    ASSERT_SUCCESS(error);
    EXPECT_SUCCESS(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
  }
}

// Flags to write, and memory without content.
TEST_F(ImmutableMemory, invalidValue) {
  for (const cl_mem_flags writing : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY}) {
    expectFails(CL_INVALID_VALUE, bufferWith(immutable | CL_MEM_COPY_HOST_PTR | writing));
    if (hasImages()) expectFails(CL_INVALID_VALUE, imageWith(immutable | CL_MEM_COPY_HOST_PTR | writing));
  }
  EXPECT_TRUE(wasNotified("immutable")) << allNotified();
  expectFails(CL_INVALID_VALUE, bufferWith(immutable, false));
  expectFails(CL_INVALID_VALUE, bufferWith(immutable | CL_MEM_ALLOC_HOST_PTR, false));
  if (hasImages()) expectFails(CL_INVALID_VALUE, imageWith(immutable, false));
  // Parts: of what is immutable all are, of other memory none.
  const cl_buffer_region half{0, bytes / 2};
  const auto part = [&](cl_mem of, cl_mem_flags flags) {
    return [=](cl_int* e) { return clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &half, e); };
  };
  cl_mem whole = created(bufferWith(immutable | CL_MEM_COPY_HOST_PTR));
  for (const cl_mem_flags writing : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
    expectFails(CL_INVALID_VALUE, part(whole, writing));
  created(part(whole, immutable));
  expectFails(CL_INVALID_VALUE, part(buffer(bytes), immutable));
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return clCreatePipe(context, immutable, 4, 4, nullptr, e); });
}

// Arguments through which a kernel may write.
TEST_F(ImmutableMemory, invalidArgValue) {
  cl_program program = build("kernel void copy(constant uchar* in, global const uchar* also, global uchar* out) {"
                             "  out[0] = in[0] + also[0]; }"
                             "kernel void fill(write_only image2d_t out) { write_imagef(out, (int2)(0), 1.0f); }");
  cl_kernel copy = kernel(program, "copy"), fill = kernel(program, "fill");
  cl_mem memory = created(bufferWith(immutable | CL_MEM_COPY_HOST_PTR));
  cl_mem image = created(imageWith(immutable | CL_MEM_COPY_HOST_PTR));
  EXPECT_SUCCESS(clSetKernelArg(copy, 0, sizeof memory, &memory));
  EXPECT_SUCCESS(clSetKernelArg(copy, 1, sizeof memory, &memory));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(copy, 2, sizeof memory, &memory));
  EXPECT_TRUE(wasNotified("CL_MEM_IMMUTABLE_EXT"));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(fill, 0, sizeof image, &image));
}

// The formats of images that are created so.
TEST_F(ImmutableMemory, supportedFormats) {
  cl_uint count = 0;
  EXPECT_SUCCESS(clGetSupportedImageFormats(context, immutable | CL_MEM_USE_HOST_PTR, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                                            &count));
  EXPECT_GT(count, 0U);
}

TEST_F(ImmutableMemory, invalidOperationOfBuffers) {
  cl_mem memory = created(bufferWith(immutable | CL_MEM_COPY_HOST_PTR)), other = buffer(bytes);
  const size_t zero[3] = {}, region[3] = {4, 4, 1};
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 1, content.data(), 0, nullptr, nullptr));
  EXPECT_TRUE(wasNotified("CL_MEM_IMMUTABLE_EXT")) << allNotified();
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueWriteBufferRect(queue, memory, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                                           content.data(), 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueFillBuffer(queue, memory, "1234", 4, 0, 8, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueCopyBuffer(queue, other, memory, 0, 0, 4, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueCopyBufferRect(queue, other, memory, zero, zero, region, 0, 0, 0, 0, 0, nullptr, nullptr));
  for (const cl_map_flags flags : {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, 0, 4, 0, nullptr, nullptr, &error), nullptr);
    EXPECT_CL(CL_INVALID_OPERATION, error);
  }
  EXPECT_EQ(read<unsigned char>(memory, bytes), content);
}

TEST_F(ImmutableMemory, invalidOperationOfImages) {
  if (!hasImages()) GTEST_SKIP() << "no images";
  cl_mem image = created(imageWith(immutable | CL_MEM_COPY_HOST_PTR)), other = created(imageWith(0, false)),
         plain = buffer(bytes);
  const size_t zero[3] = {}, region[3] = {32, 8, 1};
  const cl_uint colour[4] = {};
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueWriteImage(queue, image, CL_TRUE, zero, region, 0, 0, content.data(), 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueFillImage(queue, image, colour, zero, region, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueCopyImage(queue, other, image, zero, zero, region, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueCopyBufferToImage(queue, plain, image, 0, zero, region, 0, nullptr, nullptr));
  cl_mem still = created(bufferWith(immutable | CL_MEM_COPY_HOST_PTR));
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueCopyImageToBuffer(queue, other, still, zero, region, 0, 0, nullptr, nullptr));
  cl_int error = CL_SUCCESS;
  size_t pitch = 0;
  EXPECT_EQ(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, zero, region, &pitch, nullptr, 0, nullptr, nullptr,
                              &error),
            nullptr);
  EXPECT_CL(CL_INVALID_OPERATION, error);
  std::vector<unsigned char> got(bytes);
  EXPECT_SUCCESS(clEnqueueReadImage(queue, image, CL_TRUE, zero, region, 0, 0, got.data(), 0, nullptr, nullptr));
  EXPECT_EQ(got, content);
  // CL_INVALID_ARG_VALUE for an argument that is written.
  cl_kernel writes =
      kernel("kernel void k(write_only image2d_t i) { write_imageui(i, (int2)(0, 0), (uint4)(1)); }", "k");
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(writes, 0, sizeof image, &image));
}

}  // namespace
}  // namespace clarity::test
