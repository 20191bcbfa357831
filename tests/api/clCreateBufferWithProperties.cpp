// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateBufferWithProperties (OpenCL 3.0, section 5.2.1).
#include "api/entry_points.h"
#include "enqueue_checks.h"

#include <cstdint>

namespace clarity::test {
namespace {

struct CreateBufferWithProperties : OpenCL {
  std::vector<unsigned char> host = countingBytes(64);
  const cl_mem_properties none[1] = {0};

  cl_int errorOf(const cl_mem_properties* properties, cl_mem_flags flags, size_t size, void* pointer) {
    cl_int error = CL_SUCCESS;
    cl_mem memory = driver->clCreateBufferWithProperties(context, properties, flags, size, pointer, &error);
    EXPECT_EQ(memory, nullptr);
    if (memory != nullptr) clReleaseMemObject(memory);
    return error;
  }
};

TEST_F(CreateBufferWithProperties, noPropertiesIsLikeClCreateBuffer) {
  cl_int error = CL_INVALID_VALUE;
  cl_mem memory =
      keep(clCreateBufferWithProperties(context, nullptr, CL_MEM_COPY_HOST_PTR, host.size(), host.data(), &error));
  ASSERT_SUCCESS(error);
  EXPECT_EQ(read<unsigned char>(memory, host.size()), host);
  EXPECT_TRUE(infoVectorOf<cl_mem_properties>(clGetMemObjectInfo, memory, CL_MEM_PROPERTIES).empty());
}

// The list is returned as given, its ending 0 included.
TEST_F(CreateBufferWithProperties, anEmptyListIsKept) {
  cl_int error = CL_INVALID_VALUE;
  cl_mem memory = keep(clCreateBufferWithProperties(context, none, CL_MEM_READ_ONLY, 64, nullptr, &error));
  ASSERT_SUCCESS(error);
  const auto properties = infoVectorOf<cl_mem_properties>(clGetMemObjectInfo, memory, CL_MEM_PROPERTIES);
  ASSERT_EQ(properties.size(), 1U);
  EXPECT_EQ(properties[0], 0U);
}

// context is not a valid context.
TEST_F(CreateBufferWithProperties, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this)) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(driver->clCreateBufferWithProperties(bad.handle, none, 0, 64, nullptr, &error), nullptr);
    EXPECT_CL(CL_INVALID_CONTEXT, error) << "the context is " << bad.what;
  }
}

// A property name that is not supported; the standard itself defines none.
TEST_F(CreateBufferWithProperties, invalidProperty) {
  const cl_mem_properties unknown[] = {0x7FFF, 1, 0};
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf(unknown, CL_MEM_READ_WRITE, 64, nullptr));
  const cl_mem_properties twice[] = {0x7FFF, 1, 0x7FFF, 1, 0};
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf(twice, CL_MEM_READ_WRITE, 64, nullptr));
}

// A device of the list is none of the context's (cl_khr_external_memory).
TEST_F(CreateBufferWithProperties, invalidDevice) {
  const cl_mem_properties none = reinterpret_cast<cl_mem_properties>(context);
  const cl_mem_properties list[] = {CL_MEM_DEVICE_HANDLE_LIST_KHR,           none, 0,
                                    CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 0,    0};
  EXPECT_CL(CL_INVALID_DEVICE, errorOf(list, CL_MEM_READ_WRITE, 64, nullptr));
}

// A bit that is no flag, or flags that exclude each other.
TEST_F(CreateBufferWithProperties, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, errorOf(none, cl_mem_flags{1} << 40, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(nullptr, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(nullptr, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, errorOf(none, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host.data()));
}

// size is 0 or more than the device can allocate at once.
TEST_F(CreateBufferWithProperties, invalidBufferSize) {
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf(none, CL_MEM_READ_WRITE, 0, nullptr));
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf(nullptr, CL_MEM_READ_WRITE, SIZE_MAX, nullptr));
}

// host_ptr is missing with the flags that need it, or given without them.
TEST_F(CreateBufferWithProperties, invalidHostPtr) {
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(none, CL_MEM_USE_HOST_PTR, 64, nullptr));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(none, CL_MEM_COPY_HOST_PTR, 64, nullptr));
  EXPECT_CL(CL_INVALID_HOST_PTR, errorOf(nullptr, CL_MEM_READ_WRITE, 64, host.data()));
}

}  // namespace
}  // namespace clarity::test
