// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateImage on a device without images (OpenCL 3.0, section 5.3.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct CreateImage : WithoutImages {};

// No device of the context has images; the context is looked at first.
TEST_F(CreateImage, invalidOperation) {
  const cl_image_desc wanted{CL_MEM_OBJECT_IMAGE2D, 4, 4, 1, 1, 0, 0, 0, 0, {nullptr}};
  expectCreationAbsent(
      *this, [&](cl_context in, cl_int* error) { return driver->clCreateImage(in, CL_MEM_READ_WRITE, &format, &wanted, nullptr, error); });
}

// An image made from a buffer, and one with contents, are images too.
TEST_F(CreateImage, invalidOperationOfEveryType) {
  for (cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                  CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    cl_image_desc wanted{type, 4, 4, 4, 1, 0, 0, 0, 0, {nullptr}};
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) wanted.buffer = memory;
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateImage(context, CL_MEM_READ_ONLY, &format, &wanted, nullptr, &error), nullptr);
    EXPECT_CL(CL_INVALID_OPERATION, error) << "type " << type;
  }
}

// The device says so in all its queries.
TEST_F(CreateImage, theDeviceSaysThatItHasNoImages) {
  for (cl_device_info each :
       {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT,
        CL_DEVICE_IMAGE3D_MAX_DEPTH, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE})
    EXPECT_EQ(infoOf<size_t>(clGetDeviceInfo, device, each), 0U) << each;
  for (cl_device_info each : {CL_DEVICE_MAX_READ_IMAGE_ARGS, CL_DEVICE_MAX_WRITE_IMAGE_ARGS, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
                              CL_DEVICE_MAX_SAMPLERS, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT})
    EXPECT_EQ(infoOf<cl_uint>(clGetDeviceInfo, device, each), 0U) << each;
}

}  // namespace
}  // namespace clarity::test
