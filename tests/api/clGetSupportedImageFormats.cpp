// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSupportedImageFormats (OpenCL 3.0, section 5.3.2).
#include "image_test.h"

#include <set>
#include <utility>

namespace clarity::test {
namespace {

using Format = std::pair<cl_channel_order, cl_channel_type>;

struct GetSupportedImageFormats : ImageTest {
  std::set<Format> formats(cl_mem_flags flags, cl_mem_object_type type) {
    cl_uint count = 0;
    EXPECT_SUCCESS(clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count));
    std::vector<cl_image_format> list(count + 1, cl_image_format{1, 2});
    EXPECT_SUCCESS(clGetSupportedImageFormats(context, flags, type, count, list.data(), nullptr));
    EXPECT_EQ(list.back().image_channel_order, 1U) << "written past the end of the list";
    std::set<Format> result;
    for (cl_uint i = 0; i < count; ++i) result.insert({list[i].image_channel_order, list[i].image_channel_data_type});
    EXPECT_EQ(result.size(), count) << "a format is named twice";
    return result;
  }
};

constexpr cl_channel_type kOfTwo[] = {CL_UNORM_INT8,     CL_UNORM_INT16,    CL_SNORM_INT8,   CL_SNORM_INT16,
                                      CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                                      CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};

// The lists of section 5.3.2.1, and what applications use beside them.
TEST_F(GetSupportedImageFormats, holdsTheFormatsOfTheStandard) {
  for (const ImageShape& shape : imageShapes())
    for (const cl_mem_flags flags :
         {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE}) {
      SCOPED_TRACE(std::string(shape.what) + " flags " + std::to_string(flags));
      const std::set<Format> found = formats(flags, shape.type);
      for (const cl_channel_order order : {CL_R, CL_RG, CL_RGBA, CL_A})
        for (const cl_channel_type type : kOfTwo) EXPECT_TRUE(found.contains({order, type})) << order << ' ' << type;
      for (const cl_channel_order order : {CL_INTENSITY, CL_LUMINANCE})
        for (const cl_channel_type type : {CL_UNORM_INT8, CL_UNORM_INT16, CL_HALF_FLOAT, CL_FLOAT})
          EXPECT_TRUE(found.contains({order, type})) << order << ' ' << type;
      EXPECT_TRUE(found.contains({CL_BGRA, CL_UNORM_INT8}));
      const bool plane = shape.type == CL_MEM_OBJECT_IMAGE2D || shape.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      for (const cl_channel_type type : {CL_UNORM_INT16, CL_FLOAT})
        EXPECT_EQ(found.contains({CL_DEPTH, type}), plane) << type;
      const bool srgb = shape.type != CL_MEM_OBJECT_IMAGE1D_BUFFER && flags != CL_MEM_KERNEL_READ_AND_WRITE;
      EXPECT_EQ(found.contains({CL_sRGBA, CL_UNORM_INT8}), srgb);
    }
}

// An image of each can be made, and of nothing else.
TEST_F(GetSupportedImageFormats, areThoseOfWhichImagesAreMade) {
  for (const ImageShape& shape : imageShapes()) {
    const std::set<Format> found = formats(CL_MEM_READ_WRITE, shape.type);
    for (cl_channel_order order = CL_R; order <= CL_ABGR; ++order)
      for (cl_channel_type type = CL_SNORM_INT8; type <= 0x10EA /* CL_UNORM_INT14X2_EXT */; ++type) {
        const cl_image_format format{order, type};
        cl_image_desc desc = describe(shape.type, {4, 2, 2});
        if (shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.buffer = buffer(64);
        cl_int error = CL_SUCCESS;
        keep(driver->clCreateImage(context, 0, &format, &desc, nullptr, &error));
        if (found.contains({order, type}))
          EXPECT_SUCCESS(error) << order << ' ' << type;
        else
          EXPECT_TRUE(error == CL_IMAGE_FORMAT_NOT_SUPPORTED || error == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
              << errorName(error) << ' ' << order << ' ' << type;
      }
  }
}

// Texels that share bytes are not written by kernels.
TEST_F(GetSupportedImageFormats, rawFormatsAreReadOnly) {
  for (const ImageShape& shape : imageShapes())
    for (const cl_image_format& format : {raw10, raw12}) {
      const Format raw{format.image_channel_order, format.image_channel_data_type};
      EXPECT_TRUE(formats(CL_MEM_READ_ONLY, shape.type).contains(raw)) << shape.what;
      for (const cl_mem_flags flags : {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE},
                                       cl_mem_flags{CL_MEM_WRITE_ONLY}, cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}})
        EXPECT_FALSE(formats(flags, shape.type).contains(raw)) << shape.what << ' ' << flags;
    }
}

TEST_F(GetSupportedImageFormats, aShortListIsFilledAndTheNumberIsThatOfAll) {
  cl_uint all = 0, count = 0;
  ASSERT_SUCCESS(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &all));
  cl_image_format few[3] = {{1, 2}, {1, 2}, {1, 2}};
  ASSERT_SUCCESS(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 2, few, &count));
  EXPECT_EQ(count, all);
  EXPECT_NE(few[1].image_channel_order, 1U);
  EXPECT_EQ(few[2].image_channel_order, 1U);
}

TEST_F(GetSupportedImageFormats, nothingNeedBeWritten) {
  EXPECT_SUCCESS(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, nullptr));
}

// context is no context.
TEST_F(GetSupportedImageFormats, invalidContext) {
  cl_uint count = 0;
  for (const auto& bad : badHandles<cl_context>(*this))
    EXPECT_CL(CL_INVALID_CONTEXT, driver->clGetSupportedImageFormats(bad.handle, CL_MEM_READ_WRITE,
                                                                     CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count))
        << "the context is " << bad.what;
}

// Flags or a type that are none, or room for no formats.
TEST_F(GetSupportedImageFormats, invalidValue) {
  cl_uint count = 0;
  cl_image_format one{};
  const auto call = [&](cl_mem_flags flags, cl_mem_object_type type, cl_uint entries, cl_image_format* formats) {
    return driver->clGetSupportedImageFormats(context, flags, type, entries, formats, &count);
  };
  EXPECT_CL(CL_INVALID_VALUE, call(cl_mem_flags{1} << 40, CL_MEM_OBJECT_IMAGE2D, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_WRITE, CL_MEM_OBJECT_PIPE, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_WRITE, 0, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, &one));
}

}  // namespace
}  // namespace clarity::test
