// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateImage (OpenCL 3.0, section 5.3.1) for images with memory of their own; images of buffers and
// of images are in clCreateImage.parts.cpp.
#include "image_test.h"

namespace clarity::test {
namespace {

struct CreateImage : ImageTest {
  cl_int errorOf(const cl_image_desc* desc, cl_mem_flags flags = 0, void* host = nullptr,
                 const cl_image_format* format = &rgba8) {
    cl_int error = CL_SUCCESS;
    cl_mem made = keep(driver->clCreateImage(context, flags, format, desc, host, &error));
    EXPECT_EQ(made != nullptr, error == CL_SUCCESS) << errorName(error);
    return error;
  }
  cl_int errorOf(const cl_image_desc& desc, cl_mem_flags flags = 0, void* host = nullptr,
                 const cl_image_format& format = rgba8) {
    return errorOf(&desc, flags, host, &format);
  }
  static cl_image_desc plane(size_t width, size_t height) {
    return describe(CL_MEM_OBJECT_IMAGE2D, {width, height, 1});
  }
};

TEST_F(CreateImage, everyTypeWithTheContentOfTheHost) {
  for (const ImageShape& shape : imageShapes()) {
    const Box content(shape.extent, 4, 3);
    cl_mem made = imageOf(shape, content);
    EXPECT_EQ(infoOf<cl_mem_object_type>(clGetMemObjectInfo, made, CL_MEM_TYPE), shape.type);
    EXPECT_TRUE(contentOf(made, shape.extent) == content) << shape.what;
  }
}

// Every format of the list, of every type: what is written is read again.
TEST_F(CreateImage, everyFormatOfTheList) {
  for (const ImageShape& shape : imageShapes()) {
    cl_uint count = 0;
    ASSERT_SUCCESS(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, shape.type, 0, nullptr, &count));
    std::vector<cl_image_format> formats(count);
    ASSERT_SUCCESS(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, shape.type, count, formats.data(), nullptr));
    for (const cl_image_format& format : formats) {
      SCOPED_TRACE(std::string(shape.what) + " order " + std::to_string(format.image_channel_order) + " type " +
                   std::to_string(format.image_channel_data_type));
      const Box large(shape.extent, 16);
      cl_mem made = imageOf(shape, large, format);
      const auto texel = infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_ELEMENT_SIZE);
      EXPECT_TRUE(texel == 1 || texel == 2 || texel == 4 || texel == 8 || texel == 16) << texel;
      Box wanted(shape.extent, texel);
      std::copy_n(large.bytes.begin(), wanted.bytes.size(), wanted.bytes.begin());
      EXPECT_TRUE(contentOf(made, shape.extent, texel) == wanted);
    }
  }
}

// The host's rows and slices have gaps: CL_MEM_COPY_HOST_PTR copies what is between, CL_MEM_USE_HOST_PTR leaves it.
TEST_F(CreateImage, withPitchesOfTheHost) {
  for (const ImageShape& shape : imageShapes()) {
    if (shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    for (const cl_mem_flags flags : {cl_mem_flags{CL_MEM_COPY_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR}}) {
      SCOPED_TRACE(std::string(shape.what) + " flags " + std::to_string(flags));
      cl_image_desc desc = describe(shape.type, shape.extent);
      const bool layers1D = shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      const bool slices = layers1D || shape.extent[2] > 1;
      desc.image_row_pitch = (shape.extent[0] + 3) * 4;
      if (slices) desc.image_slice_pitch = desc.image_row_pitch * (layers1D ? 2 : shape.extent[1] + 1);
      const size_t row = layers1D ? desc.image_slice_pitch : desc.image_row_pitch;
      Box content(shape.extent, 4, 9);
      std::vector<unsigned char> host((shape.extent[1] + 1) * row + shape.extent[2] * desc.image_slice_pitch, 0xAA);
      content.rows(zero, shape.extent, [&](const unsigned char* texels, size_t y, size_t z) {
        std::memcpy(host.data() + y * row + z * desc.image_slice_pitch, texels, shape.extent[0] * 4);
      });
      cl_mem made = image(desc, flags, host.data());
      EXPECT_EQ(infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_ROW_PITCH), desc.image_row_pitch);
      EXPECT_EQ(infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_SLICE_PITCH), desc.image_slice_pitch);
      EXPECT_TRUE(contentOf(made, shape.extent) == content);
      if (flags == CL_MEM_COPY_HOST_PTR) {
        std::fill(host.begin(), host.end(), static_cast<unsigned char>(0));
        EXPECT_TRUE(contentOf(made, shape.extent) == content) << "the host's memory was not copied";
      }
    }
  }
}

// The application's memory ends with the last texel, as that of a part of a larger picture may do: no byte behind it is
// touched. (The bytes behind are those of an address sanitizer, or unmapped in the tests of faults.)
TEST_F(CreateImage, allocatesForAllFlags) {
  std::vector<unsigned char> host(64 * 64 * 4);
  EXPECT_SUCCESS(errorOf(plane(64, 64), CL_MEM_ALLOC_HOST_PTR));
  EXPECT_SUCCESS(errorOf(plane(64, 64), CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, host.data()));
  EXPECT_SUCCESS(errorOf(plane(64, 64), CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY));
  EXPECT_SUCCESS(errorOf(plane(64, 64), CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
  EXPECT_SUCCESS(errorOf(plane(64, 64), CL_MEM_READ_WRITE | CL_MEM_HOST_WRITE_ONLY));
}

// Extents that a type does not have are not looked at.
TEST_F(CreateImage, ignoresExtentsThatTheTypeDoesNotHave) {
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE1D, {16, 0, 0});
  desc.image_height = SIZE_MAX;
  desc.image_array_size = SIZE_MAX;
  EXPECT_SUCCESS(errorOf(desc));
  desc = plane(16, 16);
  desc.image_depth = desc.image_array_size = 0;
  EXPECT_SUCCESS(errorOf(desc));
  desc = describe(CL_MEM_OBJECT_IMAGE1D_ARRAY, {16, 3, 0});
  desc.image_height = 0;
  EXPECT_SUCCESS(errorOf(desc));
}

TEST_F(CreateImage, mipmapsOfAllTypes) {
  for (const ImageShape& shape : imageShapes()) {
    if (shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    SCOPED_TRACE(shape.what);
    cl_image_desc desc = describe(shape.type, shape.extent);
    const auto most = static_cast<cl_uint>(std::bit_width(
        shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? shape.extent[0] : std::max(shape.extent[0], shape.extent[1])));
    for (const cl_uint levels : {0U, 1U, 2U, most}) {
      desc.num_mip_levels = levels;
      EXPECT_SUCCESS(errorOf(desc)) << levels;
    }
    desc.num_mip_levels = most + 1;
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(desc));
    std::vector<unsigned char> host(1 << 16);
    desc.num_mip_levels = 2;
    EXPECT_CL(CL_INVALID_VALUE, errorOf(desc, CL_MEM_COPY_HOST_PTR, host.data()));
    EXPECT_CL(CL_INVALID_VALUE, errorOf(desc, CL_MEM_USE_HOST_PTR, host.data()));
    EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(desc, 0, host.data()));
  }
  // Depth images and images of buffers have one level.
  cl_image_desc desc = plane(8, 8);
  desc.num_mip_levels = 2;
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(desc, 0, nullptr, {CL_DEPTH, CL_FLOAT}));
  desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, {8, 1, 1});
  desc.num_mip_levels = 2;
  desc.buffer = buffer(64);
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(desc));
}

// context is no context.
TEST_F(CreateImage, invalidContext) {
  const cl_image_desc desc = plane(4, 4);
  for (const auto& bad : badHandles<cl_context>(*this))
    expectFails(CL_INVALID_CONTEXT,
                [&](cl_int* e) { return driver->clCreateImage(bad.handle, 0, &rgba8, &desc, nullptr, e); });
}

// Flags that are none, or that exclude each other.
TEST_F(CreateImage, invalidValueOfFlags) {
  char host[64] = {};
  EXPECT_CL(CL_INVALID_VALUE, errorOf(plane(2, 2), cl_mem_flags{1} << 40));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(plane(2, 2), CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(plane(2, 2), CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(plane(2, 2), CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(plane(2, 2), CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, host));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(plane(2, 2), CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, host));
}

// image_format is NULL, or has values that are none or do not go together.
TEST_F(CreateImage, invalidImageFormatDescriptor) {
  const cl_image_desc desc = plane(4, 4);
  EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(&desc, 0, nullptr, nullptr));
  for (const cl_image_format& wrong :
       {cl_image_format{0, CL_UNORM_INT8}, cl_image_format{CL_RGBA, 0}, cl_image_format{0x7777, CL_UNORM_INT8},
        cl_image_format{CL_RGBA, 0x7777}, cl_image_format{CL_RGBA, CL_UNORM_SHORT_565},
        cl_image_format{CL_R, CL_UNORM_INT_101010}, cl_image_format{CL_RGB, CL_UNORM_INT_101010_2},
        cl_image_format{CL_R, CL_UNORM_INT24}, cl_image_format{CL_RG, raw10.image_channel_data_type},
        cl_image_format{CL_A, 0x10E1 /* CL_UNORM_INT10X6_EXT */}, cl_image_format{CL_BGRA, 0x10E8}})
    EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(desc, 0, nullptr, wrong))
        << wrong.image_channel_order << ' ' << wrong.image_channel_data_type;
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
}

// image_desc is NULL, its type is none, or something in it must be 0.
TEST_F(CreateImage, invalidImageDescriptor) {
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(nullptr, 0, nullptr, &rgba8));
  for (const cl_mem_object_type type : {0U, unsigned{CL_MEM_OBJECT_BUFFER}, unsigned{CL_MEM_OBJECT_PIPE}})
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(describe(type, {4, 4, 1}))) << type;
  cl_image_desc desc = plane(4, 4);
  desc.num_samples = 4;
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(desc));
  EXPECT_TRUE(wasNotifiedOf(4)) << allNotified();
  // An image where only a buffer may be, and what is no memory object.
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    desc = describe(type, {4, 2, 2});
    desc.buffer = image2D(4, 4);
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(desc)) << type;
  }
  for (const auto& bad : badHandles<cl_mem>(*this)) {
    desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, {4, 1, 1});
    desc.buffer = bad.handle;
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(desc)) << "the buffer is " << bad.what;
  }
  desc.buffer = image2D(4, 4);
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(desc)) << "a 1D image buffer of an image";
}

// cl_ext_image_raw10_raw12: the width is a multiple of the texels of a block; no levels.
TEST_F(CreateImage, invalidImageDescriptorOfRawFormats) {
  EXPECT_SUCCESS(errorOf(plane(8, 3), CL_MEM_READ_ONLY, nullptr, raw10));
  EXPECT_SUCCESS(errorOf(plane(6, 3), CL_MEM_READ_ONLY, nullptr, raw12));
  for (const size_t width : {6, 7, 9}) {
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(plane(width, 3), CL_MEM_READ_ONLY, nullptr, raw10)) << width;
  }
  EXPECT_TRUE(wasNotifiedOf(9)) << allNotified();
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(plane(7, 3), CL_MEM_READ_ONLY, nullptr, raw12));
  cl_image_desc desc = plane(8, 8);
  desc.num_mip_levels = 2;
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(desc, CL_MEM_READ_ONLY, nullptr, raw10));
}

// Kernels do not write texels that share bytes.
TEST_F(CreateImage, imageFormatNotSupportedForWriting) {
  for (const cl_mem_flags flags : {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_WRITE_ONLY}})
    EXPECT_CL(CL_IMAGE_FORMAT_NOT_SUPPORTED, errorOf(plane(8, 3), flags, nullptr, raw12)) << flags;
  cl_image_desc desc = plane(8, 2);
  desc.buffer = buffer(64);
  EXPECT_CL(CL_IMAGE_FORMAT_NOT_SUPPORTED, errorOf(desc, 0, nullptr, raw10)) << "it inherits the buffer's flags";
  const auto alignment = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);  // of bytes here
  for (const size_t bytes : {10, 13}) {
    desc.image_row_pitch = (bytes + alignment - 1) / alignment * alignment;
    EXPECT_SUCCESS(errorOf(desc, CL_MEM_READ_ONLY, nullptr, raw10));
  }
}

// Pitches without host memory, too small, or no multiples of what they count.
TEST_F(CreateImage, invalidImageDescriptorOfPitches) {
  std::vector<unsigned char> host(1 << 16);
  const auto with = [&](cl_mem_object_type type, size_t row, size_t slice, void* memory) {
    cl_image_desc desc = describe(type, {8, 4, 2});
    desc.image_row_pitch = row;
    desc.image_slice_pitch = slice;
    return errorOf(desc, memory ? CL_MEM_COPY_HOST_PTR : 0, memory);
  };
  EXPECT_SUCCESS(with(CL_MEM_OBJECT_IMAGE3D, 36, 36 * 5, host.data()));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE2D, 32, 0, nullptr));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE3D, 0, 128, nullptr));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE2D, 31, 0, host.data()));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE2D, 28, 0, host.data()));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE2D, 34, 0, host.data()));
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY}) {
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(type, 32, 96, host.data()));
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(type, 32, 130, host.data()));
    EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(type, 40, 128, host.data()));
  }
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE1D_ARRAY, 32, 28, host.data()));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE1D_ARRAY, 32, 48, host.data()));
  // Products that do not fit.
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE2D, SIZE_MAX - 3, 0, host.data()));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, with(CL_MEM_OBJECT_IMAGE3D, 32, SIZE_MAX - 31, host.data()));
  EXPECT_TRUE(wasNotifiedOf(130)) << allNotified();
}

// An extent is 0 or larger than the device supports.
TEST_F(CreateImage, invalidImageSize) {
  struct Limit {
    cl_mem_object_type type;
    size_t dimension;
    cl_device_info most;
  };
  for (const auto& [type, dimension, most] : {Limit{CL_MEM_OBJECT_IMAGE1D, 0, CL_DEVICE_IMAGE2D_MAX_WIDTH},
                                              Limit{CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, CL_DEVICE_IMAGE2D_MAX_WIDTH},
                                              Limit{CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE},
                                              Limit{CL_MEM_OBJECT_IMAGE2D, 0, CL_DEVICE_IMAGE2D_MAX_WIDTH},
                                              Limit{CL_MEM_OBJECT_IMAGE2D, 1, CL_DEVICE_IMAGE2D_MAX_HEIGHT},
                                              Limit{CL_MEM_OBJECT_IMAGE2D_ARRAY, 0, CL_DEVICE_IMAGE2D_MAX_WIDTH},
                                              Limit{CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, CL_DEVICE_IMAGE2D_MAX_HEIGHT},
                                              Limit{CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE},
                                              Limit{CL_MEM_OBJECT_IMAGE3D, 0, CL_DEVICE_IMAGE3D_MAX_WIDTH},
                                              Limit{CL_MEM_OBJECT_IMAGE3D, 1, CL_DEVICE_IMAGE3D_MAX_HEIGHT},
                                              Limit{CL_MEM_OBJECT_IMAGE3D, 2, CL_DEVICE_IMAGE3D_MAX_DEPTH}}) {
    SCOPED_TRACE("type " + std::to_string(type) + " dimension " + std::to_string(dimension));
    const auto limit = infoOf<size_t>(clGetDeviceInfo, device, most);
    Triple extent{1, 1, 1};
    extent[dimension] = limit;
    EXPECT_SUCCESS(errorOf(describe(type, extent)));
    for (const size_t wrong : {size_t{0}, limit + 1, SIZE_MAX}) {
      extent[dimension] = wrong;
      EXPECT_CL(CL_INVALID_IMAGE_SIZE, errorOf(describe(type, extent))) << wrong;
    }
  }
  cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, {0, 1, 1});
  desc.buffer = buffer(64);
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, errorOf(desc));
  EXPECT_TRUE(wasNotifiedOf(SIZE_MAX)) << allNotified();
}

// Flags and host_ptr contradict each other.
TEST_F(CreateImage, invalidHostPtr) {
  char host[64] = {};
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(plane(2, 2), CL_MEM_USE_HOST_PTR));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(plane(2, 2), CL_MEM_COPY_HOST_PTR));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(plane(2, 2), CL_MEM_READ_WRITE, host));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(plane(2, 2), CL_MEM_ALLOC_HOST_PTR, host));
}

// Formats of the standard that no device has, for all types or for some.
TEST_F(CreateImage, imageFormatNotSupported) {
  EXPECT_CL(CL_IMAGE_FORMAT_NOT_SUPPORTED, errorOf(plane(4, 4), 0, nullptr, {CL_DEPTH_STENCIL, CL_FLOAT}));
  EXPECT_CL(CL_IMAGE_FORMAT_NOT_SUPPORTED, errorOf(plane(4, 4), 0, nullptr, {CL_RGB, CL_UNORM_INT8}));
  EXPECT_CL(CL_IMAGE_FORMAT_NOT_SUPPORTED, errorOf(plane(4, 4), 0, nullptr, {CL_LUMINANCE, CL_SIGNED_INT8}));
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_ARRAY})
    EXPECT_CL(CL_IMAGE_FORMAT_NOT_SUPPORTED, errorOf(describe(type, {4, 2, 2}), 0, nullptr, {CL_DEPTH, CL_FLOAT}));
  EXPECT_TRUE(wasNotified("channel order CL_DEPTH_STENCIL and type CL_FLOAT")) << allNotified();
}

// More bytes than the device gives out at once.
TEST_F(CreateImage, memObjectAllocationFailure) {
  const auto side = [&](cl_device_info name) { return infoOf<size_t>(clGetDeviceInfo, device, name); };
  const cl_image_desc desc = describe(
      CL_MEM_OBJECT_IMAGE2D_ARRAY,
      {side(CL_DEVICE_IMAGE2D_MAX_WIDTH), side(CL_DEVICE_IMAGE2D_MAX_HEIGHT), side(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)});
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, errorOf(desc, 0, nullptr, {CL_RGBA, CL_FLOAT}));
}

}  // namespace
}  // namespace clarity::test
