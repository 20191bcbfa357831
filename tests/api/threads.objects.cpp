// SPDX-License-Identifier: Apache-2.0
// This file tests that 64 threads may make and use images, samplers, shared memory and semaphores at once, all on one
// context and one command-queue; clEnqueueCommandBufferKHR.threads.cpp does so with command-buffers.
#include "image_test.h"
#include "semaphore_fixture.h"

#include <atomic>
#include <latch>
#include <thread>

namespace clarity::test {
namespace {

constexpr unsigned kObjectThreads = 64, kObjectRounds = 4;

/// Calls work(thread) on all threads, started together.
template <class Work>
void onAllThreads(const Work& work) {
  std::latch start(kObjectThreads);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kObjectThreads; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      work(t);
    });
  for (std::thread& each : threads) each.join();
}

struct ThreadsOfImages : ImageTest {
  void SetUp() override {
    ImageTest::SetUp();
    if (HasFatalFailure()) return;
    if (!infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "no images";
  }
  /// An image that the thread itself releases, and null if it is not made.
  cl_mem own(const ImageShape& shape) {
    cl_image_desc desc = describe(shape.type, shape.extent);
    cl_int error = CL_SUCCESS;
    cl_mem made = clCreateImage(context, CL_MEM_READ_WRITE, &rgba8, &desc, nullptr, &error);
    EXPECT_SUCCESS(error);
    return made;
  }
};

// Every thread fills an image, copies it to another and back through a buffer, maps it and reads it.
TEST_F(ThreadsOfImages, commands) {
  std::vector<ImageShape> shapes = imageShapes();
  std::erase_if(shapes, [](const ImageShape& shape) { return shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER; });
  onAllThreads([&](unsigned t) {
    for (unsigned round = 0; round < kObjectRounds; ++round) {
      const ImageShape& shape = shapes[(t + round) % shapes.size()];
      const size_t texels = shape.extent[0] * shape.extent[1] * shape.extent[2];
      cl_mem first = own(shape), second = own(shape);
      cl_int error = CL_SUCCESS;
      cl_mem between = clCreateBuffer(context, CL_MEM_READ_WRITE, texels * 4, nullptr, &error);
      ASSERT_TRUE(first && second && between);
      const cl_float value = static_cast<cl_float>(t) / 255;
      const cl_float colour[] = {value, 0, 1, value};
      const auto* const origin = zero.data();
      const auto* const region = shape.extent.data();
      EXPECT_SUCCESS(clEnqueueFillImage(queue, first, colour, origin, region, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clEnqueueCopyImage(queue, first, second, origin, origin, region, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clEnqueueCopyImageToBuffer(queue, second, between, origin, region, 0, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clEnqueueCopyBufferToImage(queue, between, first, 0, origin, region, 0, nullptr, nullptr));
      size_t row = 0, slice = 0;
      void* const mapped = clEnqueueMapImage(queue, first, CL_TRUE, CL_MAP_READ, origin, region, &row, &slice, 0,
                                             nullptr, nullptr, &error);
      EXPECT_SUCCESS(error);
      if (mapped) EXPECT_EQ(static_cast<unsigned char*>(mapped)[3], t);
      EXPECT_SUCCESS(clEnqueueUnmapMemObject(queue, first, mapped, 0, nullptr, nullptr));
      const Box content = contentOf(first, shape.extent);
      for (size_t i = 0; i < texels; ++i) {
        const unsigned char* const texel = content.bytes.data() + i * 4;
        if (texel[0] == t && texel[1] == 0 && texel[2] == 255 && texel[3] == t) continue;
        ADD_FAILURE() << "thread " << t << ", texel " << i;
        break;
      }
      for (cl_mem each : {first, second, between}) EXPECT_SUCCESS(clReleaseMemObject(each));
    }
  });
}

// Every thread has an image, a sampler and a kernel of one program.
TEST_F(ThreadsOfImages, kernels) {
  cl_program program = build(
      "kernel void sample(read_only image2d_t from, sampler_t with, global float* to) {\n"
      "  to[get_global_id(0)] = read_imagef(from, with, (float2)(get_global_id(0) + 0.5f, 0.5f)).x * 255; }");
  onAllThreads([&](unsigned t) {
    for (unsigned round = 0; round < kObjectRounds; ++round) {
      cl_int error = CL_SUCCESS;
      cl_mem from = own({"2D", CL_MEM_OBJECT_IMAGE2D, {16, 1, 1}});
      cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, 32 * 4, nullptr, &error);
      EXPECT_SUCCESS(error);
      const bool edge = (t + round) % 2;
      cl_sampler with = clCreateSampler(context, CL_FALSE, edge ? CL_ADDRESS_CLAMP_TO_EDGE : CL_ADDRESS_CLAMP,
                                        CL_FILTER_NEAREST, &error);
      EXPECT_SUCCESS(error);
      cl_kernel sample = clCreateKernel(program, "sample", &error);
      ASSERT_TRUE(from && to && with && sample);
      const cl_float value = static_cast<cl_float>(t + 1) / 255;
      const cl_float colour[] = {value, 0, 0, 0};
      const size_t region[] = {16, 1, 1}, items = 32;
      EXPECT_SUCCESS(clEnqueueFillImage(queue, from, colour, zero.data(), region, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clSetKernelArg(sample, 0, sizeof from, &from));
      EXPECT_SUCCESS(clSetKernelArg(sample, 1, sizeof with, &with));
      EXPECT_SUCCESS(clSetKernelArg(sample, 2, sizeof to, &to));
      EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, sample, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
      std::vector<cl_float> got(items);
      EXPECT_SUCCESS(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, items * 4, got.data(), 0, nullptr, nullptr));
      for (size_t i = 0; i < items; ++i)
        EXPECT_NEAR(got[i], i < 16 || edge ? static_cast<cl_float>(t + 1) : 0, 1e-3) << "thread " << t << ", " << i;
      EXPECT_SUCCESS(clReleaseKernel(sample));
      EXPECT_SUCCESS(clReleaseSampler(with));
      for (cl_mem each : {from, to}) EXPECT_SUCCESS(clReleaseMemObject(each));
    }
  });
}

// Every thread allocates, fills, copies and frees; every other time the command-queue frees.
TEST_F(ThreadsOfImages, sharedMemory) {
  if (!infoOf<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES))
    GTEST_SKIP() << "the device has no shared virtual memory";
  onAllThreads([&](unsigned t) {
    for (unsigned round = 0; round < kObjectRounds * 4; ++round) {
      constexpr size_t kInts = 256;
      const auto value = static_cast<cl_int>(t * 100 + round);
      void* ends[] = {clSVMAlloc(context, CL_MEM_READ_WRITE, kInts * 4, 0),
                      clSVMAlloc(context, CL_MEM_READ_WRITE, kInts * 4, 0)};
      ASSERT_TRUE(ends[0] && ends[1]);
      EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, ends[0], &value, sizeof value, kInts * 4, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, ends[1], ends[0], kInts * 4, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, ends[1], kInts * 4, 0, nullptr, nullptr));
      const auto* const got = static_cast<const cl_int*>(ends[1]);
      EXPECT_EQ(std::count(got, got + kInts, value), static_cast<std::ptrdiff_t>(kInts));
      EXPECT_SUCCESS(clEnqueueSVMUnmap(queue, ends[1], 0, nullptr, nullptr));
      if (round % 2) {
        EXPECT_SUCCESS(clEnqueueSVMFree(queue, 2, ends, nullptr, nullptr, 0, nullptr, nullptr));
      } else {
        EXPECT_SUCCESS(clFinish(queue));
        for (void* each : ends) clSVMFree(context, each);
      }
    }
  });
  EXPECT_SUCCESS(clFinish(queue));
}

struct ThreadsOfSemaphores : SemaphoreTest {};

// Every thread signals semaphores on one command-queue and waits for them on another.
TEST_F(ThreadsOfSemaphores, signalAndWait) {
  std::atomic<unsigned> ended = 0;
  onAllThreads([&](unsigned) {
    for (unsigned round = 0; round < kObjectRounds * 4; ++round) {
      const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
      cl_int error = CL_SUCCESS;
      cl_semaphore_khr own = clCreateSemaphoreWithPropertiesKHR(context, properties, &error);
      ASSERT_NE(own, nullptr) << errorName(error);
      cl_event event = nullptr;
      EXPECT_SUCCESS(clEnqueueSignalSemaphoresKHR(queue, 1, &own, nullptr, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clEnqueueWaitSemaphoresKHR(second, 1, &own, nullptr, 0, nullptr, &event));
      EXPECT_SUCCESS(clReleaseSemaphoreKHR(own));
      EXPECT_SUCCESS(clFlush(queue));
      EXPECT_SUCCESS(clWaitForEvents(1, &event));
      EXPECT_SUCCESS(clReleaseEvent(event));
      ++ended;
    }
  });
  EXPECT_EQ(ended, kObjectThreads * kObjectRounds * 4);
}

}  // namespace
}  // namespace clarity::test
