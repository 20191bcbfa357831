// SPDX-License-Identifier: Apache-2.0
// This file tests that 64 threads may make wrong calls about images, samplers, shared memory, command-buffers and
// semaphores while others use the same context and memory rightly: each wrong call gets its code, and nothing else
// changes.
#include "command_buffer.h"
#include "image_test.h"

#include <latch>
#include <thread>

namespace clarity::test {
namespace {

constexpr unsigned kErrorThreads = 64, kErrorRounds = 6;
constexpr size_t kWidth = 24, kHeight = 10;

struct ErrorsOfThreads : CommandBufferTest {
  static constexpr cl_image_format rgba8{CL_RGBA, CL_UNORM_INT8};
  cl_mem image = nullptr, foreign = nullptr;
  cl_command_buffer_khr recording = nullptr, finished = nullptr;
  cl_program program = nullptr;
  bool sharesMemory = false;

  void SetUp() override {
    CommandBufferTest::SetUp();
    if (HasFatalFailure()) return;
    if (!infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "no images";
    sharesMemory = infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES) != 0;
    const cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {kWidth, kHeight, 1});
    std::vector<unsigned char> content(kWidth * kHeight * 4, 7);
    image = created([&](cl_int* e) {
      return clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &rgba8, &desc, content.data(), e);
    });
    cl_context other = otherContext();
    foreign = created([&](cl_int* e) { return clCreateBuffer(other, CL_MEM_READ_WRITE, 64, nullptr, e); });
    recording = commandBuffer();
    finished = commandBuffer(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    ASSERT_SUCCESS(clFinalizeCommandBufferKHR(finished));
    program = build(
        "kernel void outside(write_only image2d_t to) {\n"
        "  const int i = get_global_id(0);\n"
        "  write_imagef(to, (int2)(i % 2 ? -1 - i : get_image_width(to) + i, i % 3), (float4)(1));\n"
        "  write_imagef(to, (int2)(i, i % 2 ? -1 : get_image_height(to)), (float4)(1)); }\n"
        "kernel void edge(read_only image2d_t from, sampler_t how, global float* to) {\n"
        "  to[get_global_id(0)] = read_imagef(from, how, (float2)(get_global_id(0) - 50.5f, 1e6f)).x; }");
  }

  cl_int creates(const cl_image_format& format, const cl_image_desc& desc, cl_mem_flags flags = CL_MEM_READ_WRITE,
                 void* host = nullptr) {
    cl_int error = CL_SUCCESS;
    if (cl_mem made = clCreateImage(context, flags, &format, &desc, host, &error)) clReleaseMemObject(made);
    return error;
  }
  void wrongImages() {
    const cl_image_desc right = describe(CL_MEM_OBJECT_IMAGE2D, {8, 8, 1});
    cl_image_desc desc = right;
    EXPECT_SUCCESS(creates(rgba8, desc));
    desc.image_type = CL_MEM_OBJECT_BUFFER;
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, creates(rgba8, desc));
    desc = right;
    desc.image_width = 0;
    EXPECT_CL(CL_INVALID_IMAGE_SIZE, creates(rgba8, desc));
    desc = right;
    desc.image_row_pitch = 31;
    unsigned char host[1024] = {};
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, creates(rgba8, desc, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, host));
    EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, creates({CL_RGBA, CL_UNORM_SHORT_565}, right));
    const size_t origin[] = {kWidth - 1, 0, 0}, zero[] = {0, 0, 0}, region[] = {2, 1, 1}, one[] = {1, 1, 1};
    EXPECT_CL(CL_INVALID_VALUE,
              clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, host, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE,
              clEnqueueWriteImage(queue, image, CL_TRUE, zero, region, 7, 0, host, 0, nullptr, nullptr));
    EXPECT_CL(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(queue, image, image, zero, zero, one, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_CONTEXT, clEnqueueCopyImageToBuffer(queue, image, foreign, zero, one, 0, 0, nullptr, nullptr));
    cl_int error = CL_SUCCESS;
    const cl_sampler_properties clash[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE,
                                           CL_ADDRESS_REPEAT, 0};
    EXPECT_EQ(clCreateSamplerWithProperties(context, clash, &error), nullptr);
    EXPECT_CL(CL_INVALID_VALUE, error);
  }
  void wrongCommandBuffers() {
    const cl_uint pattern = 1;
    EXPECT_CL(CL_INVALID_OPERATION, enqueue(recording));
    EXPECT_CL(CL_INVALID_CONTEXT, clCommandFillBufferKHR(recording, nullptr, nullptr, foreign, &pattern, 4, 0, 64, 0,
                                                         nullptr, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_OPERATION,
              clCommandBarrierWithWaitListKHR(finished, nullptr, nullptr, 0, nullptr, nullptr, nullptr));
    EXPECT_SUCCESS(enqueue(finished));
  }
  void wrongPointers() {
    if (!sharesMemory) return;
    int mine = 5;
    void* list[] = {&mine};
    EXPECT_CL(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 1, list, nullptr, nullptr, 0, nullptr, nullptr));
    clSVMFree(context, &mine);
    auto* const memory = static_cast<unsigned char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0));
    ASSERT_NE(memory, nullptr);
    EXPECT_CL(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, memory, &mine, sizeof mine, 512, 0, nullptr, nullptr));
    EXPECT_CL(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(queue, CL_TRUE, memory, memory + 8, 64, 0, nullptr, nullptr));
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0), nullptr);
    clSVMFree(context, memory);
  }
  /// Reads at the edge and writes outside of the image that all share.
  void outside() {
    cl_int error = CL_SUCCESS;
    const size_t items = 64;
    cl_kernel write = clCreateKernel(program, "outside", &error), edge = clCreateKernel(program, "edge", &error);
    cl_sampler how = nullptr;
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE,
                                                CL_ADDRESS_CLAMP_TO_EDGE, 0};
    how = clCreateSamplerWithProperties(context, properties, &error);
    cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_float), nullptr, &error);
    ASSERT_TRUE(write && edge && how && to);
    EXPECT_SUCCESS(clSetKernelArg(write, 0, sizeof image, &image));
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, write, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clSetKernelArg(edge, 0, sizeof image, &image));
    EXPECT_SUCCESS(clSetKernelArg(edge, 1, sizeof how, &how));
    EXPECT_SUCCESS(clSetKernelArg(edge, 2, sizeof to, &to));
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, edge, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    std::vector<cl_float> got(items);
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(queue, to, CL_TRUE, 0, items * sizeof(cl_float), got.data(), 0, nullptr, nullptr));
    for (const cl_float each : got) EXPECT_NEAR(each, 7 / 255.0, 1e-6);
    EXPECT_SUCCESS(clReleaseMemObject(to));
    EXPECT_SUCCESS(clReleaseSampler(how));
    for (cl_kernel each : {write, edge}) EXPECT_SUCCESS(clReleaseKernel(each));
  }
};

TEST_F(ErrorsOfThreads, besideRightCalls) {
  std::latch start(kErrorThreads);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kErrorThreads; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      for (unsigned round = 0; round < kErrorRounds; ++round) switch ((t + round) % 4) {
          case 0: wrongImages(); break;
          case 1: wrongCommandBuffers(); break;
          case 2: wrongPointers(); break;
          default: outside();
        }
    });
  for (std::thread& each : threads) each.join();
  ASSERT_SUCCESS(clFinish(queue));
  std::vector<unsigned char> got(kWidth * kHeight * 4);
  const size_t zero[] = {0, 0, 0}, region[] = {kWidth, kHeight, 1};
  EXPECT_SUCCESS(clEnqueueReadImage(queue, image, CL_TRUE, zero, region, 0, 0, got.data(), 0, nullptr, nullptr));
  EXPECT_EQ(got, std::vector<unsigned char>(got.size(), 7));
}

}  // namespace
}  // namespace clarity::test
