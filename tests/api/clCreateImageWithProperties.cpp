// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateImageWithProperties (OpenCL 3.0, section 5.3.1); what it has in common with clCreateImage is
// in clCreateImage.cpp.
#include "api/entry_points.h"
#include "image_test.h"

namespace clarity::test {
namespace {

struct CreateImageWithProperties : ImageTest {
  const cl_image_desc desc = describe(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1});
  auto with(const cl_mem_properties* properties, cl_mem_flags flags = 0, const cl_image_format* format = &rgba8,
            const cl_image_desc* description = nullptr) {
    return [=, this](cl_int* e) {
      return driver->clCreateImageWithProperties(context, properties, flags, format, description ? description : &desc,
                                                 nullptr, e);
    };
  }
};

TEST_F(CreateImageWithProperties, withAnEmptyListOrNone) {
  const cl_mem_properties none[] = {0};
  cl_mem empty = created(with(none)), null = created(with(nullptr));
  EXPECT_EQ(infoVectorOf<cl_mem_properties>(clGetMemObjectInfo, empty, CL_MEM_PROPERTIES),
            std::vector<cl_mem_properties>{0});
  EXPECT_TRUE(infoVectorOf<cl_mem_properties>(clGetMemObjectInfo, null, CL_MEM_PROPERTIES).empty());
  EXPECT_EQ(infoOf<size_t>(clGetImageInfo, empty, CL_IMAGE_WIDTH), 4U);
}

// A property that is none of images.
TEST_F(CreateImageWithProperties, invalidProperty) {
  const cl_mem_properties unknown[] = {0x1234, 1, 0};
  expectFails(CL_INVALID_PROPERTY, with(unknown));
  EXPECT_TRUE(wasNotifiedOf(0x1234)) << allNotified();
}

// A device of the list is none of the context's (cl_khr_external_memory).
TEST_F(CreateImageWithProperties, invalidDevice) {
  const cl_mem_properties none = reinterpret_cast<cl_mem_properties>(context);
  const cl_mem_properties list[] = {CL_MEM_DEVICE_HANDLE_LIST_KHR,           none, 0,
                                    CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 0,    0};
  expectFails(CL_INVALID_DEVICE, with(list));
}

TEST_F(CreateImageWithProperties, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this))
    expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) {
      return driver->clCreateImageWithProperties(bad.handle, nullptr, 0, &rgba8, &desc, nullptr, e);
    });
}

// The errors of clCreateImage, one of each.
TEST_F(CreateImageWithProperties, theErrorsOfCreateImage) {
  expectFails(CL_INVALID_VALUE, with(nullptr, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY));
  expectFails(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, with(nullptr, 0, nullptr));
  cl_image_desc wrong = desc;
  wrong.image_type = CL_MEM_OBJECT_BUFFER;
  expectFails(CL_INVALID_IMAGE_DESCRIPTOR, with(nullptr, 0, &rgba8, &wrong));
  wrong = desc;
  wrong.image_width = 0;
  expectFails(CL_INVALID_IMAGE_SIZE, with(nullptr, 0, &rgba8, &wrong));
  expectFails(CL_INVALID_HOST_PTR, with(nullptr, CL_MEM_COPY_HOST_PTR));
  const cl_image_format rgb{CL_RGB, CL_UNORM_INT8};
  expectFails(CL_IMAGE_FORMAT_NOT_SUPPORTED, with(nullptr, 0, &rgb));
  expectFails(CL_INVALID_IMAGE_DESCRIPTOR, [&](cl_int* e) {
    return driver->clCreateImageWithProperties(context, nullptr, 0, &rgba8, nullptr, nullptr, e);
  });
}

}  // namespace
}  // namespace clarity::test
