// SPDX-License-Identifier: Apache-2.0
// This file provokes, for every entry point that the specification names them for, the error codes that only a device
// with other limits than its neighbours gives: alignment of parts of buffers, extents and formats of images, memory
// that is not there, and pointers on a device that does not share memory with the host.
#include "api/entry_points.h"
#include "driver_functions.h"
#include "several_devices.h"

#include <functional>
#include <utility>

namespace clarity::test {
namespace {

constexpr size_t origin[3] = {0, 0, 0}, one[3] = {1, 1, 1};
constexpr cl_uint colour[4] = {};

/// A call that uses a memory object, by the name of its entry point.
struct Use {
  const char* what;
  bool writes;  ///< needs the memory object on the command-queue's device; what only reads uses it where it is
  std::function<cl_int(cl_command_queue, cl_mem)> call;
};

struct ErrorCodes : DiscreteDevices {
  cl_mem plain = nullptr;                        ///< a buffer that every device can use
  cl_mem small = nullptr;                        ///< an image that every device can use
  cl_kernel reader = nullptr, viewer = nullptr;  ///< with one argument, a buffer or an image
  api::cl_api_clGetKernelSuggestedLocalWorkSizeKHR suggest = nullptr;

  void SetUp() override {
    DiscreteDevices::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    plain = bufferOf(std::vector<cl_uint>(1024));
    // On every device already: no allocation is left to fail but the one that a test is about.
    for (cl_command_queue each : queues)
      ASSERT_SUCCESS(clEnqueueMigrateMemObjects(each, 1, &plain, 0, 0, nullptr, nullptr));
    small = image({CL_R, CL_UNSIGNED_INT32}, 4);
    cl_program program = buildForAll(
        "kernel void reader(global int* p) { *p = 1; }\n"
        "kernel void viewer(write_only image2d_t i) { write_imageui(i, (int2)(0, 0), 1); }\n");
    reader = kernel(program, "reader");
    viewer = kernel(program, "viewer");
    suggest =
        driverFunction<api::cl_api_clGetKernelSuggestedLocalWorkSizeKHR>(*this, "clGetKernelSuggestedLocalWorkSizeKHR");
    ASSERT_NE(suggest, nullptr);
  }

  cl_mem image(cl_image_format format, size_t width) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = 1;
    return created([&](cl_int* e) { return clCreateImage(context, 0, &format, &desc, nullptr, e); });
  }

  /// Launches of a kernel whose only argument is the memory object.
  std::vector<Use> launches(cl_kernel kernel) {
    return {{"clEnqueueNDRangeKernel", true,
             [=](cl_command_queue q, cl_mem memory) {
               const size_t global = 1;
               clSetKernelArg(kernel, 0, sizeof memory, &memory);
               return clEnqueueNDRangeKernel(q, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
             }},
            {"clEnqueueTask", true, [=](cl_command_queue q, cl_mem memory) {
               clSetKernelArg(kernel, 0, sizeof memory, &memory);
               return clEnqueueTask(q, kernel, 0, nullptr, nullptr);
             }}};
  }
  /// Queries of the work-group size of a launch.
  std::vector<Use> queries(cl_kernel kernel) {
    const auto with = [=](auto function) {
      return [=](cl_command_queue q, cl_mem memory) {
        const size_t global = 1;
        size_t local = 0;
        clSetKernelArg(kernel, 0, sizeof memory, &memory);
        return function(q, kernel, 1, nullptr, &global, &local);
      };
    };
    const auto renamed = driverFunction<decltype(suggest)>(*this, "clGetKernelSuggestedLocalWorkSize");
    return {{"clGetKernelSuggestedLocalWorkSizeKHR", false, with(suggest)},
            {"clGetKernelSuggestedLocalWorkSize", false, with(renamed)}};
  }

  /// Every command that reads or writes a buffer, without launches.
  std::vector<Use> commandsOfBuffers() {
    return {
        {"clEnqueueReadBuffer", false,
         [](cl_command_queue q, cl_mem b) {
           cl_uint value = 0;
           return clEnqueueReadBuffer(q, b, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr);
         }},
        {"clEnqueueWriteBuffer", true,
         [](cl_command_queue q, cl_mem b) {
           const cl_uint value = 0;
           return clEnqueueWriteBuffer(q, b, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr);
         }},
        {"clEnqueueReadBufferRect", false,
         [](cl_command_queue q, cl_mem b) {
           cl_uint value = 0;
           return clEnqueueReadBufferRect(q, b, CL_TRUE, origin, origin, one, 0, 0, 0, 0, &value, 0, nullptr, nullptr);
         }},
        {"clEnqueueWriteBufferRect", true,
         [](cl_command_queue q, cl_mem b) {
           const cl_uint value = 0;
           return clEnqueueWriteBufferRect(q, b, CL_TRUE, origin, origin, one, 0, 0, 0, 0, &value, 0, nullptr, nullptr);
         }},
        {"clEnqueueFillBuffer", true,
         [](cl_command_queue q, cl_mem b) { return clEnqueueFillBuffer(q, b, colour, 4, 0, 4, 0, nullptr, nullptr); }},
        {"clEnqueueCopyBuffer, source", false,
         [this](cl_command_queue q, cl_mem b) {
           return clEnqueueCopyBuffer(q, b, plain, 0, 0, 4, 0, nullptr, nullptr);
         }},
        {"clEnqueueCopyBuffer, target", true,
         [this](cl_command_queue q, cl_mem b) {
           return clEnqueueCopyBuffer(q, plain, b, 0, 0, 4, 0, nullptr, nullptr);
         }},
        {"clEnqueueCopyBufferRect, source", false,
         [this](cl_command_queue q, cl_mem b) {
           return clEnqueueCopyBufferRect(q, b, plain, origin, origin, one, 0, 0, 0, 0, 0, nullptr, nullptr);
         }},
        {"clEnqueueCopyBufferRect, target", true,
         [this](cl_command_queue q, cl_mem b) {
           return clEnqueueCopyBufferRect(q, plain, b, origin, origin, one, 0, 0, 0, 0, 0, nullptr, nullptr);
         }},
        {"clEnqueueCopyImageToBuffer", true,
         [this](cl_command_queue q, cl_mem b) {
           return clEnqueueCopyImageToBuffer(q, small, b, origin, one, 0, 0, nullptr, nullptr);
         }},
        {"clEnqueueCopyBufferToImage", false, [this](cl_command_queue q, cl_mem b) {
           return clEnqueueCopyBufferToImage(q, b, small, 0, origin, one, 0, nullptr, nullptr);
         }}};
  }
  Use mapBuffer() {
    return {"clEnqueueMapBuffer", false, [](cl_command_queue q, cl_mem b) {
              cl_int error = CL_SUCCESS;
              EXPECT_EQ(clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error), nullptr);
              return error;
            }};
  }

  /// Every command of an image, without launches; `other` has the same format.
  std::vector<Use> commandsOfImages(cl_mem other) {
    return {{"clEnqueueReadImage", false,
             [](cl_command_queue q, cl_mem i) {
               cl_uint value = 0;
               return clEnqueueReadImage(q, i, CL_TRUE, origin, one, 0, 0, &value, 0, nullptr, nullptr);
             }},
            {"clEnqueueWriteImage", true,
             [](cl_command_queue q, cl_mem i) {
               const cl_uint value = 0;
               return clEnqueueWriteImage(q, i, CL_TRUE, origin, one, 0, 0, &value, 0, nullptr, nullptr);
             }},
            {"clEnqueueFillImage", true,
             [](cl_command_queue q, cl_mem i) {
               return clEnqueueFillImage(q, i, colour, origin, one, 0, nullptr, nullptr);
             }},
            {"clEnqueueCopyImage, source", false,
             [other](cl_command_queue q, cl_mem i) {
               return clEnqueueCopyImage(q, i, other, origin, origin, one, 0, nullptr, nullptr);
             }},
            {"clEnqueueCopyImage, target", true,
             [other](cl_command_queue q, cl_mem i) {
               return clEnqueueCopyImage(q, other, i, origin, origin, one, 0, nullptr, nullptr);
             }},
            {"clEnqueueCopyImageToBuffer", false,
             [this](cl_command_queue q, cl_mem i) {
               return clEnqueueCopyImageToBuffer(q, i, plain, origin, one, 0, 0, nullptr, nullptr);
             }},
            {"clEnqueueCopyBufferToImage", true, [this](cl_command_queue q, cl_mem i) {
               return clEnqueueCopyBufferToImage(q, plain, i, 0, origin, one, 0, nullptr, nullptr);
             }}};
  }
  Use mapImage() {
    return {"clEnqueueMapImage", false, [](cl_command_queue q, cl_mem i) {
              size_t pitch = 0;
              cl_int error = CL_SUCCESS;
              EXPECT_EQ(clEnqueueMapImage(q, i, CL_TRUE, CL_MAP_READ, origin, one, &pitch, nullptr, 0, nullptr, nullptr,
                                          &error),
                        nullptr);
              return error;
            }};
  }

  void expectEach(cl_int code, const std::vector<Use>& uses, size_t on, cl_mem memory) {
    for (const Use& each : uses) EXPECT_CL(code, each.call(queues[on], memory)) << each.what;
  }
};

// A part of a buffer that begins where the command-queue's device cannot begin, though another one can.
TEST_F(ErrorCodes, misalignedSubBufferOffset) {
  const size_t onCpu = infoOf<cl_uint>(clGetDeviceInfo, devices[cpu], CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  cl_mem part = subBuffer(bufferOf(std::vector<cl_uint>(1024)), onCpu, 256);
  expectEach(CL_MISALIGNED_SUB_BUFFER_OFFSET, commandsOfBuffers(), first, part);
  expectEach(CL_MISALIGNED_SUB_BUFFER_OFFSET, {mapBuffer()}, first, part);
  expectEach(CL_MISALIGNED_SUB_BUFFER_OFFSET, launches(reader), first, part);
  expectEach(CL_MISALIGNED_SUB_BUFFER_OFFSET, queries(reader), first, part);
  expectEach(CL_SUCCESS, commandsOfBuffers(), cpu, part);
  expectEach(CL_SUCCESS, launches(reader), cpu, part);
  expectEach(CL_SUCCESS, queries(reader), cpu, part);
}

// An image wider than the command-queue's device can have.
TEST_F(ErrorCodes, invalidImageSize) {
  const auto most = infoOf<size_t>(clGetDeviceInfo, devices[first], CL_DEVICE_IMAGE2D_MAX_WIDTH);
  cl_mem wide = image({CL_R, CL_UNSIGNED_INT32}, most);
  expectEach(CL_INVALID_IMAGE_SIZE, commandsOfImages(small), cpu, wide);
  expectEach(CL_INVALID_IMAGE_SIZE, {mapImage()}, cpu, wide);
  expectEach(CL_INVALID_IMAGE_SIZE, launches(viewer), cpu, wide);
  expectEach(CL_INVALID_IMAGE_SIZE, queries(viewer), cpu, wide);
  expectEach(CL_SUCCESS, commandsOfImages(small), first, wide);
  expectEach(CL_SUCCESS, launches(viewer), first, wide);
}

// The second device has no depth images.
TEST_F(ErrorCodes, imageFormatNotSupported) {
  const cl_image_format depth{CL_DEPTH, CL_FLOAT};
  cl_mem its = image(depth, 4), other = image(depth, 4);
  cl_kernel depthViewer =
      kernelForAll("kernel void view(write_only image2d_depth_t i) { write_imagef(i, (int2)(0, 0), 1.0f); }", "view");
  expectEach(CL_IMAGE_FORMAT_NOT_SUPPORTED, commandsOfImages(other), second, its);
  expectEach(CL_IMAGE_FORMAT_NOT_SUPPORTED, {mapImage()}, second, its);
  expectEach(CL_IMAGE_FORMAT_NOT_SUPPORTED, launches(depthViewer), second, its);
  expectEach(CL_IMAGE_FORMAT_NOT_SUPPORTED, queries(depthViewer), second, its);
  expectEach(CL_SUCCESS, commandsOfImages(other), first, its);
  expectEach(CL_SUCCESS, launches(depthViewer), first, its);
  // A context of that device alone cannot have them.
  cl_context alone =
      created([&](cl_int* e) { return clCreateContext(nullptr, 1, &devices[second], nullptr, nullptr, e); });
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 1;
  expectFails(CL_IMAGE_FORMAT_NOT_SUPPORTED,
              [&](cl_int* e) { return clCreateImage(alone, 0, &depth, &desc, nullptr, e); });
}

// No memory on the device where a command needs it: the call that enqueues says so, and nothing is lost.
TEST_F(ErrorCodes, memObjectAllocationFailure) {
  const auto expectNoMemory = [&](const std::vector<Use>& uses, const std::function<cl_mem()>& fresh) {
    for (const Use& each : uses) {
      cl_mem memory = fresh();
      ASSERT_SUCCESS(clFinish(queues[cpu]));
      failAllocation(1);
      EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, each.call(queues[second], memory)) << each.what;
      failAllocation(0);
      EXPECT_SUCCESS(each.call(queues[second], memory)) << each.what << " with memory";
    }
    EXPECT_SUCCESS(clFinish(queues[second]));
  };
  const auto freshBuffer = [&] { return bufferOf(std::vector<cl_uint>(64, 7)); };
  const auto freshImage = [&] {
    cl_mem made = image({CL_R, CL_UNSIGNED_INT32}, 4);
    EXPECT_SUCCESS(clEnqueueFillImage(queues[cpu], made, colour, origin, one, 0, nullptr, nullptr));
    return made;
  };
  std::vector<Use> buffers, images;
  for (const Use& each : commandsOfBuffers())
    if (each.writes) buffers.push_back(each);
  for (const Use& each : commandsOfImages(small))
    if (each.writes) images.push_back(each);
  ASSERT_SUCCESS(clEnqueueMigrateMemObjects(queues[second], 1, &small, 0, 0, nullptr, nullptr));
  for (const Use& each : launches(reader)) buffers.push_back(each);
  for (const Use& each : launches(viewer)) images.push_back(each);
  buffers.push_back({"clEnqueueMigrateMemObjects", true, [](cl_command_queue q, cl_mem memory) {
                       return clEnqueueMigrateMemObjects(q, 1, &memory, 0, 0, nullptr, nullptr);
                     }});
  expectNoMemory(buffers, freshBuffer);
  expectNoMemory(images, freshImage);
}

// The first device of the context is where a memory object is needed first: its creation fails if there is no memory.
TEST_F(ErrorCodes, memObjectAllocationFailureOfCreations) {
  cl_context its =
      created([&](cl_int* e) { return clCreateContext(nullptr, 1, &devices[first], nullptr, nullptr, e); });
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 4;
  using Create = std::function<cl_mem(cl_int*)>;
  const std::pair<const char*, Create> creations[] = {
      {"clCreateBuffer", [&](cl_int* e) { return clCreateBuffer(its, 0, 64, nullptr, e); }},
      {"clCreateBufferWithProperties",
       [&](cl_int* e) { return clCreateBufferWithProperties(its, nullptr, 0, 64, nullptr, e); }},
      {"clCreateImage", [&](cl_int* e) { return clCreateImage(its, 0, &format, &desc, nullptr, e); }},
      {"clCreateImageWithProperties",
       [&](cl_int* e) { return clCreateImageWithProperties(its, nullptr, 0, &format, &desc, nullptr, e); }},
      {"clCreateImage2D", [&](cl_int* e) { return clCreateImage2D(its, 0, &format, 4, 4, 0, nullptr, e); }},
      {"clCreateImage3D", [&](cl_int* e) { return clCreateImage3D(its, 0, &format, 4, 4, 4, 0, 0, nullptr, e); }},
      {"clCreatePipe", [&](cl_int* e) { return clCreatePipe(its, 0, 4, 16, nullptr, e); }}};
  for (const auto& [what, create] : creations) {
    failAllocation(1);
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(keep(create(&error)), nullptr) << what;
    EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, error) << what;
    failAllocation(0);
    EXPECT_NE(created(create), nullptr) << what;
  }
}

// An address as argument of a kernel, on a device of the context that does not share memory with the host.
TEST_F(ErrorCodes, invalidOperationOfPointers) {
  auto* const shared = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
  ASSERT_NE(shared, nullptr);
  atEnd([this, shared] { clSVMFree(context, shared); });
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(reader, 0, shared));
  const size_t global = 1;
  size_t local = 0;
  const auto launch = [&](size_t on) {
    return clEnqueueNDRangeKernel(queues[on], reader, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_INVALID_OPERATION, launch(first));
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueTask(queues[first], reader, 0, nullptr, nullptr));
  const auto renamed = driverFunction<decltype(suggest)>(*this, "clGetKernelSuggestedLocalWorkSize");
  for (const auto each : {suggest, renamed})
    EXPECT_CL(CL_INVALID_OPERATION, each(queues[first], reader, 1, nullptr, &global, &local));
  EXPECT_SUCCESS(launch(cpu));
  EXPECT_SUCCESS(clFinish(queues[cpu]));
  EXPECT_EQ(*shared, 1);
}

}  // namespace
}  // namespace clarity::test
