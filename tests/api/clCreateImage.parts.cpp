// SPDX-License-Identifier: Apache-2.0
// This file tests images that clCreateImage makes of buffers, sub-buffers and images (OpenCL 3.0, section 5.3.1.2).
#include "image_test.h"

namespace clarity::test {
namespace {

struct CreateImageOf : ImageTest {
  cl_image_desc line(cl_mem memory, size_t width) {
    cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, {width, 1, 1});
    desc.buffer = memory;
    return desc;
  }
  cl_image_desc plane(cl_mem memory, size_t width, size_t height, size_t rowPitch = 0) {
    cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {width, height, 1});
    desc.buffer = memory;
    desc.image_row_pitch = rowPitch;
    return desc;
  }
  cl_int errorOf(const cl_image_desc& desc, cl_mem_flags flags = 0, void* host = nullptr,
                 const cl_image_format& format = rgba8) {
    cl_int error = CL_SUCCESS;
    cl_mem made = keep(driver->clCreateImage(context, flags, &format, &desc, host, &error));
    EXPECT_EQ(made != nullptr, error == CL_SUCCESS) << errorName(error);
    return error;
  }
  size_t rowAlignment(size_t texel) {
    return infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT) * texel;
  }
};

// Texels are those of the buffer: what is written to one is read from the other.
TEST_F(CreateImageOf, aBufferSharesItsMemory) {
  const Box content({64, 1, 1}, 4, 5);
  cl_mem memory = bufferOf(content.bytes);
  cl_mem made = image(line(memory, 60));
  EXPECT_EQ(infoOf<cl_mem>(clGetImageInfo, made, CL_IMAGE_BUFFER), memory);
  EXPECT_EQ(infoOf<cl_mem>(clGetMemObjectInfo, made, CL_MEM_ASSOCIATED_MEMOBJECT), memory);
  EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, made, CL_MEM_OFFSET), 0U);
  Box read = contentOf(made, {60, 1, 1});
  EXPECT_TRUE(std::equal(read.bytes.begin(), read.bytes.end(), content.bytes.begin()));
  const Triple origin{10, 0, 0}, region{2, 1, 1};
  const unsigned char texels[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  ASSERT_SUCCESS(
      clEnqueueWriteImage(queue, made, CL_TRUE, origin.data(), region.data(), 0, 0, texels, 0, nullptr, nullptr));
  std::vector<unsigned char> wanted = content.bytes;
  std::copy_n(texels, 8, wanted.begin() + 40);
  EXPECT_EQ(this->read<unsigned char>(memory, wanted.size()), wanted);
}

TEST_F(CreateImageOf, aBufferAs2DImageWithAPitch) {
  const size_t pitch = std::max<size_t>(rowAlignment(4), 4) * 4;
  const size_t width = pitch / 4 - 1, height = 5;
  Box content({width, height, 1}, 4, 11);
  std::vector<unsigned char> bytes(pitch * height, 0xAA);
  content.rows(zero, content.extent, [&](const unsigned char* texels, size_t y, size_t) {
    std::memcpy(&bytes[y * pitch], texels, width * 4);
  });
  cl_mem memory = bufferOf(bytes);
  cl_mem made = image(plane(memory, width, height, pitch));
  EXPECT_EQ(infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_ROW_PITCH), pitch);
  EXPECT_EQ(infoOf<size_t>(clGetImageInfo, made, CL_IMAGE_SLICE_PITCH), 0U);
  EXPECT_TRUE(contentOf(made, content.extent) == content);
  // Writing leaves what is between the rows.
  const Box other(content.extent, 4, 77);
  ASSERT_SUCCESS(clEnqueueWriteImage(queue, made, CL_TRUE, zero.data(), other.extent.data(), 0, 0, other.bytes.data(),
                                     0, nullptr, nullptr));
  for (size_t y = 0; y < height; ++y) std::memcpy(&bytes[y * pitch], other.at(0, y, 0), width * 4);
  EXPECT_EQ(read<unsigned char>(memory, bytes.size()), bytes);
}

TEST_F(CreateImageOf, aSubBuffer) {
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  std::vector<unsigned char> bytes = countingBytes(align * 2 + 256);
  cl_mem memory = bufferOf(bytes);
  const cl_buffer_region region{align, align + 256};
  cl_mem part =
      created([&](cl_int* e) { return clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, e); });
  cl_mem made = image(line(part, 16));
  EXPECT_EQ(infoOf<cl_mem>(clGetImageInfo, made, CL_IMAGE_BUFFER), part);
  const Box read = contentOf(made, {16, 1, 1});
  EXPECT_TRUE(std::equal(read.bytes.begin(), read.bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(align)));
  // An image keeps its buffer, and that the buffer that it is a part of.
  EXPECT_SUCCESS(clRetainMemObject(part));
  EXPECT_SUCCESS(clReleaseMemObject(part));
}

// The same texels with another channel order.
TEST_F(CreateImageOf, anImageWithAnotherOrder) {
  const ImageShape shape{"2D", CL_MEM_OBJECT_IMAGE2D, {13, 5, 1}};
  const Box content(shape.extent, 4, 2);
  cl_mem linear = imageOf(shape, content);
  cl_mem srgb = image(plane(linear, 13, 5), 0, nullptr, {CL_sRGBA, CL_UNORM_INT8});
  EXPECT_TRUE(contentOf(srgb, shape.extent) == content);
  EXPECT_EQ(infoOf<cl_mem>(clGetMemObjectInfo, srgb, CL_MEM_ASSOCIATED_MEMOBJECT), linear);
  const cl_float white[4] = {1, 1, 1, 1};
  ASSERT_SUCCESS(clEnqueueFillImage(queue, srgb, white, zero.data(), shape.extent.data(), 0, nullptr, nullptr));
  Box wanted = content;
  std::fill(wanted.bytes.begin(), wanted.bytes.end(), static_cast<unsigned char>(0xFF));
  EXPECT_TRUE(contentOf(linear, shape.extent) == wanted);
  cl_mem back = image(plane(srgb, 13, 5));
  EXPECT_TRUE(contentOf(back, shape.extent) == wanted);
  // A depth image of one with red only.
  const cl_image_format red{CL_R, CL_FLOAT};
  cl_mem reds = imageOf(shape, content, red);
  cl_mem depth = image(plane(reds, 13, 5), 0, nullptr, {CL_DEPTH, CL_FLOAT});
  EXPECT_TRUE(contentOf(depth, shape.extent) == content);
}

// The image lives as long as it is used, whatever the application releases first.
TEST_F(CreateImageOf, anImageKeepsItsBuffer) {
  const std::vector<unsigned char> bytes = countingBytes(256);
  cl_mem memory =
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes.size(), const_cast<unsigned char*>(bytes.data()), nullptr);
  cl_mem made = image(line(memory, 64));
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_EQ(contentOf(made, {64, 1, 1}).bytes, bytes);
}

TEST_F(CreateImageOf, flagsAreInherited) {
  const auto flagsOf = [&](cl_mem_flags buffer, cl_mem_flags own) {
    return infoOf<cl_mem_flags>(clGetMemObjectInfo, image(line(this->buffer(64, buffer), 4), own), CL_MEM_FLAGS);
  };
  EXPECT_EQ(flagsOf(CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 0),
            cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY});
  EXPECT_EQ(flagsOf(CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY), cl_mem_flags{CL_MEM_WRITE_ONLY});
  EXPECT_EQ(flagsOf(CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, 0),
            cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR});
  alignas(64) unsigned char host[256];
  std::copy_n(countingBytes(256).begin(), 256, host);
  cl_mem made = image(line(buffer(256, CL_MEM_USE_HOST_PTR, host), 64));
  EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, made, CL_MEM_HOST_PTR), static_cast<void*>(host));
  EXPECT_EQ(contentOf(made, {64, 1, 1}).bytes, countingBytes(256));
}

// Flags that contradict those of the memory object, or that are about host memory.
TEST_F(CreateImageOf, invalidValue) {
  char host[64] = {};
  const auto error = [&](cl_mem_flags buffer, cl_mem_flags own, void* memory = nullptr) {
    return errorOf(line(this->buffer(64, buffer), 4), own, memory);
  };
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR, host));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR, host));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY));
  EXPECT_CL(CL_INVALID_VALUE, error(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY));
}

TEST_F(CreateImageOf, invalidHostPtr) {
  char host[64] = {};
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(line(buffer(64), 4), 0, host));
}

TEST_F(CreateImageOf, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, errorOf(line(bufferOfAnotherContext(*this, 64), 4)));
  EXPECT_CL(CL_INVALID_CONTEXT, errorOf(plane(imageOfAnotherContext(), 8, 8), 0, nullptr, {CL_sRGBA, CL_UNORM_INT8}));
}

// The buffer is too small, or the image larger than one of a buffer may be.
TEST_F(CreateImageOf, invalidImageSize) {
  EXPECT_SUCCESS(errorOf(line(buffer(64), 16)));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, errorOf(line(buffer(64), 17)));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, errorOf(line(buffer(63), 16)));
  const size_t pitch = std::max<size_t>(rowAlignment(4), 64);
  EXPECT_SUCCESS(errorOf(plane(buffer(pitch * 4), 3, 4, pitch)));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, errorOf(plane(buffer(pitch * 4 - 1), 3, 4, pitch)));
  const auto most = infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, errorOf(line(buffer(64), most + 1)));
  EXPECT_TRUE(wasNotifiedOf(most + 1)) << allNotified();
}

// Pitches of a buffer that do not suit the rows, or are not aligned as the device says.
TEST_F(CreateImageOf, invalidPitches) {
  cl_mem memory = buffer(1 << 16);
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(plane(memory, 64, 4, 4)));
  EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(plane(memory, 4, 4, 4097)));
  cl_image_desc lines = describe(CL_MEM_OBJECT_IMAGE1D_ARRAY, {4, 4, 1});
  lines.buffer = memory;
  lines.image_row_pitch = std::max<size_t>(rowAlignment(4), 16) + 1;
  EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(lines));
  cl_image_desc box = describe(CL_MEM_OBJECT_IMAGE3D, {4, 4, 4});
  box.buffer = memory;
  box.image_row_pitch = std::max<size_t>(rowAlignment(4), 16);
  box.image_slice_pitch = box.image_row_pitch * 4 + 1;
  EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(box));
  if (const size_t align = rowAlignment(4); align > 4) {
    EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(plane(memory, 4, 4, align * 4 + 4)));
    EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(plane(memory, 3, 4)));
  }
  alignas(4096) static unsigned char host[8192];
  const size_t base = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT) * 4;
  const size_t pitch = std::max<size_t>(rowAlignment(4), 16);
  EXPECT_SUCCESS(errorOf(plane(buffer(4096, CL_MEM_USE_HOST_PTR, host + base), 4, 2, pitch)));
  EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            errorOf(plane(buffer(4096, CL_MEM_USE_HOST_PTR, host + base + 2), 4, 2, pitch)));
  // Image buffers too: texels are not split.
  EXPECT_SUCCESS(errorOf(line(buffer(4096, CL_MEM_USE_HOST_PTR, host + base), 4)));
  EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(line(buffer(4096, CL_MEM_USE_HOST_PTR, host + base + 1), 4)));
}

// An image of an image is like it, but for an order that is compatible.
TEST_F(CreateImageOf, imagesThatAreNotLikeTheirs) {
  cl_mem linear = image2D(13, 5);
  const cl_image_format srgb{CL_sRGBA, CL_UNORM_INT8};
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(plane(linear, 12, 5), 0, nullptr, srgb));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(plane(linear, 13, 6), 0, nullptr, srgb));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(plane(linear, 13, 5, 64), 0, nullptr, srgb));
  cl_mem line = image(describe(CL_MEM_OBJECT_IMAGE1D, {13, 1, 1}));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, errorOf(plane(line, 13, 1), 0, nullptr, srgb));
  EXPECT_SUCCESS(errorOf(plane(linear, 13, 5, 52), 0, nullptr, srgb));
  for (const cl_image_format& wrong : {rgba8, cl_image_format{CL_sBGRA, CL_UNORM_INT8},
                                       cl_image_format{CL_RGBA, CL_SNORM_INT8}, cl_image_format{CL_R, CL_FLOAT}})
    EXPECT_CL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, errorOf(plane(linear, 13, 5), 0, nullptr, wrong))
        << wrong.image_channel_order << ' ' << wrong.image_channel_data_type;
}

}  // namespace
}  // namespace clarity::test
