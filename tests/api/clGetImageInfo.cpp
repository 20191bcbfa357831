// SPDX-License-Identifier: Apache-2.0
// This file tests clGetImageInfo, and clGetMemObjectInfo of images (OpenCL 3.0, sections 5.3.7 and 5.5.5).
#include "image_test.h"

namespace clarity::test {
namespace {

struct GetImageInfo : ImageTest {
  size_t sizeOf(cl_mem image, cl_image_info name) { return infoOf<size_t>(clGetImageInfo, image, name); }
};

TEST_F(GetImageInfo, ofEveryType) {
  for (const ImageShape& shape : imageShapes()) {
    SCOPED_TRACE(shape.what);
    cl_mem made = imageOf(shape, Box(shape.extent, 4));
    const auto [width, second, third] = shape.extent;
    const cl_mem_object_type type = shape.type;
    const bool layers1D = type == CL_MEM_OBJECT_IMAGE1D_ARRAY, layers2D = type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    const bool is3D = type == CL_MEM_OBJECT_IMAGE3D, high = type == CL_MEM_OBJECT_IMAGE2D || layers2D || is3D;
    const auto format = infoOf<cl_image_format>(clGetImageInfo, made, CL_IMAGE_FORMAT);
    EXPECT_EQ(format.image_channel_order, rgba8.image_channel_order);
    EXPECT_EQ(format.image_channel_data_type, rgba8.image_channel_data_type);
    EXPECT_EQ(sizeOf(made, CL_IMAGE_ELEMENT_SIZE), 4U);
    EXPECT_EQ(sizeOf(made, CL_IMAGE_ROW_PITCH), width * 4);
    EXPECT_EQ(sizeOf(made, CL_IMAGE_SLICE_PITCH), layers1D ? width * 4 : is3D || layers2D ? width * second * 4 : 0);
    EXPECT_EQ(sizeOf(made, CL_IMAGE_WIDTH), width);
    EXPECT_EQ(sizeOf(made, CL_IMAGE_HEIGHT), high ? second : 0);
    EXPECT_EQ(sizeOf(made, CL_IMAGE_DEPTH), is3D ? third : 0);
    EXPECT_EQ(sizeOf(made, CL_IMAGE_ARRAY_SIZE), layers1D ? second : layers2D ? third : 0);
    EXPECT_EQ(infoOf<cl_mem>(clGetImageInfo, made, CL_IMAGE_BUFFER) != nullptr, type == CL_MEM_OBJECT_IMAGE1D_BUFFER);
    EXPECT_EQ(infoOf<cl_uint>(clGetImageInfo, made, CL_IMAGE_NUM_MIP_LEVELS), 0U);
    EXPECT_EQ(infoOf<cl_uint>(clGetImageInfo, made, CL_IMAGE_NUM_SAMPLES), 0U);
    // As memory object.
    EXPECT_EQ(infoOf<cl_mem_object_type>(clGetMemObjectInfo, made, CL_MEM_TYPE), type);
    EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, made, CL_MEM_SIZE), width * second * third * 4);
    EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, made, CL_MEM_MAP_COUNT), 0U);
    EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, made, CL_MEM_REFERENCE_COUNT), 1U);
    EXPECT_EQ(infoOf<cl_context>(clGetMemObjectInfo, made, CL_MEM_CONTEXT), context);
    EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, made, CL_MEM_OFFSET), 0U);
    EXPECT_EQ(infoOf<cl_bool>(clGetMemObjectInfo, made, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
  }
}

TEST_F(GetImageInfo, mipLevels) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {16, 8, 1});
  desc.num_mip_levels = 5;
  cl_mem made = image(desc);
  EXPECT_EQ(infoOf<cl_uint>(clGetImageInfo, made, CL_IMAGE_NUM_MIP_LEVELS), 5U);
  EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, made, CL_MEM_SIZE), (16U * 8 + 8 * 4 + 4 * 2 + 2 + 1) * 4);
}

TEST_F(GetImageInfo, sizesOfValues) {
  cl_mem made = image2D(8, 4);
  expectSizesChecked(clGetImageInfo, made, CL_IMAGE_FORMAT, sizeof(cl_image_format));
  for (const cl_image_info name : {CL_IMAGE_ELEMENT_SIZE, CL_IMAGE_ROW_PITCH, CL_IMAGE_SLICE_PITCH, CL_IMAGE_WIDTH,
                                   CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH, CL_IMAGE_ARRAY_SIZE})
    expectSizesChecked(clGetImageInfo, made, name, sizeof(size_t));
  expectSizesChecked(clGetImageInfo, made, CL_IMAGE_BUFFER, sizeof(cl_mem));
  expectSizesChecked(clGetImageInfo, made, CL_IMAGE_NUM_MIP_LEVELS, sizeof(cl_uint));
  expectSizesChecked(clGetImageInfo, made, CL_IMAGE_NUM_SAMPLES, sizeof(cl_uint));
}

// image is no image.
TEST_F(GetImageInfo, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clGetImageInfo(bad.handle, CL_IMAGE_WIDTH, 0, nullptr, nullptr))
        << bad.what;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clGetImageInfo(buffer(64), CL_IMAGE_WIDTH, 0, nullptr, nullptr));
}

// param_name is none of the table; too small a value is in sizesOfValues.
TEST_F(GetImageInfo, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, driver->clGetImageInfo(image2D(4, 4), 0x4711, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, driver->clGetImageInfo(image2D(4, 4), CL_MEM_SIZE, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
