// SPDX-License-Identifier: Apache-2.0
// This file checks what the entry points of images answer on a device without images (OpenCL 3.0, section 5.3).
#include "absent_features.h"

#include <array>

namespace clarity::test {
namespace {

constexpr cl_image_format kFormat{CL_RGBA, CL_UNORM_INT8};
constexpr size_t kOrigin[3] = {0, 0, 0};
constexpr size_t kRegion[3] = {4, 4, 1};
constexpr std::array<cl_mem_object_type, 6> kTypes{CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                                   CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                                   CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};

/// An enqueue that is given a buffer in place of an image, because there can be no image, and memory of the host. It
/// must fail, write neither of them, and leave the command-queue usable.
using ImageEnqueue = cl_int (*)(const cl_icd_dispatch& driver, cl_mem memory, unsigned char* pixels,
                                cl_command_queue queue, cl_uint waits, const cl_event* waitList, cl_event* event);
void expectImageEnqueueFails(OpenCL& test, ImageEnqueue enqueue) {
  const std::vector<unsigned char> before = countingBytes(64), pixelsBefore = countingBytes(64, 100);
  std::vector<unsigned char> pixels = pixelsBefore;
  cl_mem memory = test.bufferOf(before);
  expectEnqueueFails(test, [&](cl_command_queue queue, cl_uint waits, const cl_event* waitList, cl_event* event) {
    return enqueue(*test.driver, memory, pixels.data(), queue, waits, waitList, event);
  });
  EXPECT_EQ(test.read<unsigned char>(memory, 64), before) << "the command-queue works on, and nothing was written";
  EXPECT_EQ(pixels, pixelsBefore) << "a command that was refused has written to the host's memory";
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0U);
}

// All types of images, with those that are made from a buffer.
void createImage(OpenCL& test) {
  for (cl_mem_object_type type : kTypes) {
    SCOPED_TRACE("type " + std::to_string(type));
    cl_image_desc wanted{type, 4, 4, 4, 1, 0, 0, 0, 0, {nullptr}};
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) wanted.buffer = test.buffer(256);
    expectCreationFails(test, [&](cl_context in, cl_int* error) {
      return test.driver->clCreateImage(in, CL_MEM_READ_WRITE, &kFormat, &wanted, nullptr, error);
    });
  }
}

void createImageWithProperties(OpenCL& test) {
  const cl_image_desc wanted{CL_MEM_OBJECT_IMAGE2D, 4, 4, 1, 1, 0, 0, 0, 0, {nullptr}};
  expectCreationFails(test, [&](cl_context in, cl_int* error) {
    return test.driver->clCreateImageWithProperties(in, nullptr, CL_MEM_READ_WRITE, &kFormat, &wanted, nullptr, error);
  });
}

void createImage2D(OpenCL& test) {
  expectCreationFails(test, [&](cl_context in, cl_int* error) {
    return test.driver->clCreateImage2D(in, CL_MEM_READ_WRITE, &kFormat, 4, 4, 0, nullptr, error);
  });
}

void createImage3D(OpenCL& test) {
  expectCreationFails(test, [&](cl_context in, cl_int* error) {
    return test.driver->clCreateImage3D(in, CL_MEM_READ_WRITE, &kFormat, 4, 4, 4, 0, 0, nullptr, error);
  });
}

// A list without elements; the function's own errors are in clGetSupportedImageFormats.cpp.
void getSupportedImageFormats(OpenCL& test) {
  for (cl_mem_object_type type : kTypes)
    for (cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE}) {
      cl_uint count = 99;
      cl_image_format one{1, 2};
      EXPECT_SUCCESS(clGetSupportedImageFormats(test.context, flags, type, 1, &one, &count)) << type << ' ' << flags;
      EXPECT_EQ(count, 0U);
      EXPECT_EQ(one.image_channel_order, 1U) << "written past the end of an empty list";
    }
}

// A buffer is not an image.
void getImageInfo(OpenCL& test) {
  cl_mem memory = test.buffer(256);
  for (cl_image_info each : {CL_IMAGE_FORMAT, CL_IMAGE_WIDTH, CL_IMAGE_NUM_MIP_LEVELS})
    EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetImageInfo(memory, each, 0, nullptr, nullptr)) << each;
  for (const auto& bad : badHandles<cl_mem>(test))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, test.driver->clGetImageInfo(bad.handle, CL_IMAGE_WIDTH, 0, nullptr, nullptr))
        << "the image is " << bad.what;
}

#define ENQUEUE(...)                                                                                                   \
  [](OpenCL& test) {                                                                                                   \
    expectImageEnqueueFails(                                                                                           \
        test,                                                                                                          \
        [](const cl_icd_dispatch& driver, cl_mem memory, unsigned char* pixels, cl_command_queue queue, cl_uint waits, \
           const cl_event* waitList, cl_event* event) -> cl_int {                                                      \
          (void)pixels;                                                                                                \
          return driver.__VA_ARGS__;                                                                                   \
        });                                                                                                            \
  }

void mapImage(OpenCL& test) {
  expectImageEnqueueFails(test, [](const cl_icd_dispatch& driver, cl_mem memory, unsigned char*, cl_command_queue queue,
                                   cl_uint waits, const cl_event* waitList, cl_event* event) {
    cl_int error = CL_SUCCESS;
    size_t rowPitch = 0, slicePitch = 0;
    EXPECT_EQ(driver.clEnqueueMapImage(queue, memory, CL_TRUE, CL_MAP_READ, kOrigin, kRegion, &rowPitch, &slicePitch,
                                       waits, waitList, event, &error),
              nullptr);
    return error;
  });
}

}  // namespace

AbsentFeature images() {
  return {
      "images",
      {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_WIDTH,
       CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
       CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, CL_DEVICE_MAX_READ_IMAGE_ARGS, CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
       CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT},
      {"__opencl_c_images", "__opencl_c_3d_image_writes", "__opencl_c_read_write_images"},
      {"cl_khr_3d_image_writes", "cl_khr_depth_images", "cl_khr_image2d_from_buffer", "cl_khr_mipmap_image"},
      {"Image"},
      {{"clCreateImage", createImage},
       {"clCreateImageWithProperties", createImageWithProperties},
       {"clCreateImage2D", createImage2D},
       {"clCreateImage3D", createImage3D},
       {"clGetSupportedImageFormats", getSupportedImageFormats},
       {"clGetImageInfo", getImageInfo},
       {"clEnqueueReadImage",
        ENQUEUE(clEnqueueReadImage(queue, memory, CL_TRUE, kOrigin, kRegion, 0, 0, pixels, waits, waitList, event))},
       {"clEnqueueWriteImage",
        ENQUEUE(clEnqueueWriteImage(queue, memory, CL_TRUE, kOrigin, kRegion, 0, 0, pixels, waits, waitList, event))},
       {"clEnqueueFillImage",
        ENQUEUE(clEnqueueFillImage(queue, memory, pixels, kOrigin, kRegion, waits, waitList, event))},
       {"clEnqueueCopyImage",
        ENQUEUE(clEnqueueCopyImage(queue, memory, memory, kOrigin, kOrigin, kRegion, waits, waitList, event))},
       {"clEnqueueCopyImageToBuffer",
        ENQUEUE(clEnqueueCopyImageToBuffer(queue, memory, memory, kOrigin, kRegion, 0, waits, waitList, event))},
       {"clEnqueueCopyBufferToImage",
        ENQUEUE(clEnqueueCopyBufferToImage(queue, memory, memory, 0, kOrigin, kRegion, waits, waitList, event))},
       {"clEnqueueMapImage", mapImage}}};
}

}  // namespace clarity::test
