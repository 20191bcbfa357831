// SPDX-License-Identifier: Apache-2.0
// This file tests clGetImageRequirementsInfoEXT (cl_ext_image_requirements_info), and images of every type that are
// made of buffers (cl_ext_image_from_buffer).
#include "driver_functions.h"
#include "enqueue_checks.h"

#include <algorithm>
#include <bit>

namespace clarity::test {
namespace {

constexpr cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                        CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
constexpr cl_image_format formats[] = {{CL_R, CL_UNSIGNED_INT8}, {CL_RGBA, CL_UNORM_INT8}, {CL_RGBA, CL_FLOAT}};
constexpr cl_image_requirements_info_ext alignments[] = {CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT,
                                                         CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
                                                         CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT};

struct GetImageRequirements : OpenCL {
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    if (!infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "no images";
    get = driverFunction<clGetImageRequirementsInfoEXT_fn>(*this, "clGetImageRequirementsInfoEXT");
  }
  template <class T>
  T value(cl_image_requirements_info_ext name, const cl_image_format* format, const cl_image_desc* desc,
          cl_mem_flags flags = 0) {
    T result{};
    size_t size = 0;
    EXPECT_SUCCESS(get(context, nullptr, flags, format, desc, name, sizeof result, &result, &size));
    EXPECT_EQ(size, sizeof result);
    return result;
  }
  /// An image of 32 x 4 x 3 texels, or as much of it as the type has.
  static cl_image_desc descOf(cl_mem_object_type type) {
    cl_image_desc desc{};
    desc.image_type = type;
    desc.image_width = 32;
    const bool plane =
        type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE1D_BUFFER && type != CL_MEM_OBJECT_IMAGE1D_ARRAY;
    desc.image_height = plane ? 4 : 0;
    desc.image_depth = type == CL_MEM_OBJECT_IMAGE3D ? 3 : 0;
    desc.image_array_size = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? 3 : 0;
    return desc;
  }
  static size_t texelBytes(const cl_image_format& format) {
    return (format.image_channel_order == CL_RGBA ? 4 : 1) * (format.image_channel_data_type == CL_FLOAT ? 4 : 1);
  }
  clGetImageRequirementsInfoEXT_fn get = nullptr;
};

TEST_F(GetImageRequirements, alignmentsArePowersOfTwo) {
  const auto pitch = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
  for (const auto name : alignments) {
    const size_t any = value<size_t>(name, nullptr, nullptr);
    for (const cl_image_format& format : formats)
      for (const cl_mem_object_type type : types) {
        const cl_image_desc desc = descOf(type);
        const size_t one = value<size_t>(name, &format, &desc, CL_MEM_KERNEL_READ_AND_WRITE);
        EXPECT_TRUE(std::has_single_bit(one));
        EXPECT_LE(one, any);
        EXPECT_GE(one, texelBytes(format)) << "texels lie across the alignment";
        EXPECT_LE(one * 16, any * texelBytes(format)) << "that of larger texels is the larger one";
        if (name != CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT) EXPECT_LE(any, size_t{pitch} * 16);
      }
  }
}

TEST_F(GetImageRequirements, largestExtents) {
  const auto most = [&](cl_device_info name) {
    return static_cast<cl_uint>(infoOf<size_t>(clGetDeviceInfo, device, name));
  };
  const cl_uint width2D = most(CL_DEVICE_IMAGE2D_MAX_WIDTH), width3D = most(CL_DEVICE_IMAGE3D_MAX_WIDTH);
  cl_image_desc desc{};
  for (const auto& [type, width, height, depth, layers] :
       {std::tuple{CL_MEM_OBJECT_IMAGE1D, width2D, 0U, 0U, 0U},
        {CL_MEM_OBJECT_IMAGE1D_BUFFER, most(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE), 0U, 0U, 0U},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, width2D, 0U, 0U, most(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)},
        {CL_MEM_OBJECT_IMAGE2D, width2D, most(CL_DEVICE_IMAGE2D_MAX_HEIGHT), 0U, 0U},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, width2D, most(CL_DEVICE_IMAGE2D_MAX_HEIGHT), 0U,
         most(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)},
        {CL_MEM_OBJECT_IMAGE3D, width3D, most(CL_DEVICE_IMAGE3D_MAX_HEIGHT), most(CL_DEVICE_IMAGE3D_MAX_DEPTH), 0U}}) {
    desc.image_type = cl_mem_object_type(type);
    // 0: the type has none.
    for (const auto& [name, wanted] : {std::pair{CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, width},
                                       {CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, height},
                                       {CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, depth},
                                       {CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, layers}}) {
      cl_uint got = 0;
      EXPECT_CL(wanted ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR,
                get(context, nullptr, 0, &formats[0], &desc, name, sizeof got, &got, nullptr))
          << type << " " << name;
      EXPECT_EQ(got, wanted) << type << " " << name;
      EXPECT_NE(value<cl_uint>(name, nullptr, nullptr), 0U);
    }
  }
}

// Without a type, what is said holds for all that have the dimension.
TEST_F(GetImageRequirements, largestExtentsOfAnyType) {
  for (const auto name : {CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT,
                          CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT}) {
    cl_uint least = ~cl_uint{0};
    for (const cl_mem_object_type type : types) {
      const cl_image_desc desc = descOf(type);
      cl_uint one = 0;
      if (get(context, nullptr, 0, nullptr, &desc, name, sizeof one, &one, nullptr) == CL_SUCCESS)
        least = std::min(least, one);
    }
    EXPECT_EQ(value<cl_uint>(name, nullptr, nullptr), least) << name;
  }
}

// The alignments of a query are those that creations ask of a buffer: of formats whose rows are counted in bytes, too.
TEST_F(GetImageRequirements, alignmentsOfRawFormats) {
  const cl_image_format raw{CL_R, 0x10E3};  // CL_UNSIGNED_INT_RAW10_EXT
  cl_image_desc desc = descOf(CL_MEM_OBJECT_IMAGE2D);
  const auto pitch = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
  const auto base = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT);
  EXPECT_EQ(value<size_t>(CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, &raw, &desc), pitch);
  EXPECT_EQ(value<size_t>(CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, &raw, &desc), base);
}

// The size suffices for an image of a buffer of any type, which shows the buffer's bytes.
TEST_F(GetImageRequirements, imagesOfBuffers) {
  cl_kernel k = nullptr;
  for (const cl_mem_object_type type : types)
    for (const cl_image_format& format : formats) {
      SCOPED_TRACE(std::to_string(type) + ", " + std::to_string(format.image_channel_data_type));
      cl_image_desc desc = descOf(type);
      const size_t size = value<size_t>(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &format, &desc);
      const std::vector<unsigned char> content = countingBytes(size, 3);
      cl_mem from = bufferOf(content);
      desc.buffer = from;
      cl_mem image = created([&](cl_int* e) { return clCreateImage(context, 0, &format, &desc, nullptr, e); });
      EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, image, CL_MEM_SIZE), size);
      EXPECT_EQ(infoOf<cl_mem>(clGetMemObjectInfo, image, CL_MEM_ASSOCIATED_MEMOBJECT), from);
      const size_t origin[3] = {};
      const bool rows = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      const size_t region[3] = {32, rows ? 3 : std::max<size_t>(desc.image_height, 1),
                                rows ? 1 : std::max<size_t>(desc.image_depth + desc.image_array_size, 1)};
      std::vector<unsigned char> got(size);
      EXPECT_SUCCESS(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, got.data(), 0, nullptr, nullptr));
      EXPECT_EQ(got, content);
      // A buffer that is too small.
      desc.buffer = buffer(size - 1);
      expectFails(CL_INVALID_IMAGE_SIZE,
                  [&](cl_int* e) { return clCreateImage(context, 0, &format, &desc, nullptr, e); });
    }
  // Read by a kernel, with pitches of its own.
  const size_t alignment = value<size_t>(CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT, &formats[0], nullptr);
  cl_image_desc desc = descOf(CL_MEM_OBJECT_IMAGE3D);
  desc.image_row_pitch = std::max<size_t>(alignment, 64);
  desc.image_slice_pitch = desc.image_row_pitch * 8;
  const std::vector<unsigned char> content = countingBytes(desc.image_slice_pitch * 3, 5);
  cl_mem from = bufferOf(content), out = buffer(4 * 32 * 4 * 3);
  desc.buffer = from;
  cl_mem image = created([&](cl_int* e) { return clCreateImage(context, 0, &formats[0], &desc, nullptr, e); });
  k = kernel(R"(kernel void k(read_only image3d_t i, global uint* o) {
    int x = get_global_id(0) % 32, y = get_global_id(0) / 32 % 4, z = get_global_id(0) / 128;
    o[get_global_id(0)] = read_imageui(i, (int4)(x, y, z, 0)).x; })",
             "k");
  EXPECT_SUCCESS(clSetKernelArg(k, 0, sizeof image, &image));
  EXPECT_SUCCESS(clSetKernelArg(k, 1, sizeof out, &out));
  launch(k, 384);
  const auto texels = read<cl_uint>(out, 384);
  for (size_t i = 0; i < 384; ++i)
    EXPECT_EQ(texels[i], content[i / 128 * desc.image_slice_pitch + i / 32 % 4 * desc.image_row_pitch + i % 32]) << i;
  // An image is made of an image only if both are 2D.
  desc = descOf(CL_MEM_OBJECT_IMAGE3D);
  desc.buffer = image;
  expectFails(CL_INVALID_IMAGE_DESCRIPTOR,
              [&](cl_int* e) { return clCreateImage(context, 0, &formats[0], &desc, nullptr, e); });
}

TEST_F(GetImageRequirements, checksSizes) {
  const cl_image_desc desc = descOf(CL_MEM_OBJECT_IMAGE3D);
  const auto query = [&](cl_context c, cl_image_requirements_info_ext name, size_t size, void* to, size_t* ret) {
    return get(c, nullptr, 0, &formats[1], &desc, name, size, to, ret);
  };
  for (const auto name : alignments) expectSizesChecked(query, context, name, sizeof(size_t));
  expectSizesChecked(query, context, CL_IMAGE_REQUIREMENTS_SIZE_EXT, sizeof(size_t));
  expectSizesChecked(query, context, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, sizeof(cl_uint));
}

TEST_F(GetImageRequirements, errors) {
  const cl_image_desc desc = descOf(CL_MEM_OBJECT_IMAGE2D);
  size_t got = 0;
  const auto call = [&](cl_context c, const cl_mem_properties* properties, cl_mem_flags flags,
                        const cl_image_format* format, const cl_image_desc* of, cl_image_requirements_info_ext name) {
    return get(c, properties, flags, format, of, name, sizeof got, &got, nullptr);
  };
  constexpr auto size = CL_IMAGE_REQUIREMENTS_SIZE_EXT, row = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
  const cl_mem_properties none = 0, some[] = {0x4321, 1, 0};
  EXPECT_SUCCESS(call(context, &none, 0, &formats[0], &desc, size));
  EXPECT_CL(CL_INVALID_PROPERTY, call(context, some, 0, &formats[0], &desc, size));
  EXPECT_CL(CL_INVALID_VALUE, call(context, nullptr, 0, nullptr, &desc, size));
  EXPECT_CL(CL_INVALID_VALUE, call(context, nullptr, 0, &formats[0], nullptr, size));
  EXPECT_CL(CL_INVALID_VALUE, call(context, nullptr, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &formats[0], &desc, row));
  EXPECT_CL(CL_INVALID_VALUE, call(context, nullptr, cl_mem_flags{1} << 50, &formats[0], &desc, row));
  EXPECT_CL(CL_INVALID_VALUE, call(context, nullptr, 0, &formats[0], &desc, CL_IMAGE_WIDTH));
  const cl_image_format bad{CL_R, CL_UNORM_SHORT_565};
  EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, call(context, nullptr, 0, &bad, &desc, row));
  cl_image_desc wrong = desc;
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_BUFFER, CL_MEM_OBJECT_PIPE}) {
    wrong.image_type = type;
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, call(context, nullptr, 0, &formats[0], &wrong, row)) << type;
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, call(context, nullptr, 0, nullptr, &wrong, row)) << type;
  }
  // No type, no width, or more than images can have: only queries of the largest extents take 0 for all values.
  const auto widest = static_cast<size_t>(value<cl_uint>(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, &formats[0], &desc));
  for (const auto& [type, width] : {std::pair<cl_mem_object_type, size_t>{0, 32},
                                    {CL_MEM_OBJECT_IMAGE2D, 0},
                                    {CL_MEM_OBJECT_IMAGE1D, 0},
                                    {CL_MEM_OBJECT_IMAGE2D, widest + 1}}) {
    wrong = desc;
    wrong.image_type = type;
    wrong.image_width = width;
    for (const auto name : {row, size, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT})
      EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, call(context, nullptr, 0, &formats[0], &wrong, name))
          << "type " << type << ", width " << width << ", query " << name;
  }
  for (const auto& handle : badHandles<cl_context>(*this))
    EXPECT_CL(CL_INVALID_CONTEXT, call(handle.handle, nullptr, 0, &formats[0], &desc, row))
        << "the context is " << handle.what;
}

}  // namespace
}  // namespace clarity::test
