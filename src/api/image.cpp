// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of images (OpenCL 3.0, section 5.3). No device has them yet
// (CL_DEVICE_IMAGE_SUPPORT), so they answer what the specification names for that.
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "api/memory_flags.h"
#include "sched/queue.h"

namespace clarity::api {

using core::Context;
using core::Memory;
using sched::Queue;

namespace {

cl_mem failCreate(cl_context context) {
  ref<Context>(context);
  // CL_INVALID_OPERATION if there are no devices in context that support images.
  fail(CL_INVALID_OPERATION, "no device of the context supports images");
}

[[noreturn]] void failEnqueue(cl_command_queue queue) {
  ref<Queue>(queue);
  // CL_INVALID_OPERATION if the device associated with command_queue does not support images.
  fail(CL_INVALID_OPERATION, "the device of the command-queue does not support images");
}

}  // namespace

cl_mem clCreateImage(cl_context context, cl_mem_flags, const cl_image_format*, const cl_image_desc*, void*,
                     cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return failCreate(context); });
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties*, cl_mem_flags, const cl_image_format*,
                                   const cl_image_desc*, void*, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return failCreate(context); });
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t, size_t, void*,
                       cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return failCreate(context); });
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t, size_t, size_t, size_t,
                       void*, cl_int* errcode_ret) {
  return entry(errcode_ret, [&] { return failCreate(context); });
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                  cl_uint num_entries, cl_image_format* image_formats, cl_uint* num_image_formats) {
  return entry([&] {
    ref<Context>(context);
    // CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is 0 and image_formats is not NULL.
    requireMemoryFlags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}, kBufferFlags);
    failIf(image_type < CL_MEM_OBJECT_IMAGE2D || image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_VALUE,
           "image_type is {:#x}", image_type);
    failIf(num_entries == 0 && image_formats, CL_INVALID_VALUE, "num_entries is 0 and image_formats is {}",
           static_cast<const void*>(image_formats));
    // Without image support the list is empty.
    if (num_image_formats) *num_image_formats = 0;
  });
}

cl_int clGetImageInfo(cl_mem image, cl_image_info, size_t, void*, size_t*) {
  return entry([&] {
    ref<Memory>(image);
    // CL_INVALID_MEM_OBJECT if image is not a valid image object.
    fail(CL_INVALID_MEM_OBJECT, "{} is a buffer, not an image", static_cast<const void*>(image));
  });
}

cl_int clEnqueueReadImage(cl_command_queue command_queue, cl_mem, cl_bool, const size_t*, const size_t*, size_t, size_t,
                          void*, cl_uint, const cl_event*, cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueWriteImage(cl_command_queue command_queue, cl_mem, cl_bool, const size_t*, const size_t*, size_t,
                           size_t, const void*, cl_uint, const cl_event*, cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueFillImage(cl_command_queue command_queue, cl_mem, const void*, const size_t*, const size_t*, cl_uint,
                          const cl_event*, cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueCopyImage(cl_command_queue command_queue, cl_mem, cl_mem, const size_t*, const size_t*, const size_t*,
                          cl_uint, const cl_event*, cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem, cl_mem, const size_t*, const size_t*, size_t,
                                  cl_uint, const cl_event*, cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem, cl_mem, size_t, const size_t*, const size_t*,
                                  cl_uint, const cl_event*, cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

void* clEnqueueMapImage(cl_command_queue command_queue, cl_mem, cl_bool, cl_map_flags, const size_t*, const size_t*,
                        size_t*, size_t*, cl_uint, const cl_event*, cl_event*, cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> void* { failEnqueue(command_queue); });
}

}  // namespace clarity::api
