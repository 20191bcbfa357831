// SPDX-License-Identifier: Apache-2.0
// This file tests clGetMemObjectInfo (OpenCL 3.0, section 5.5.5).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct GetMemObjectInfo : OpenCL {};

TEST_F(GetMemObjectInfo, ofABuffer) {
  cl_mem memory = buffer(100, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR);
  EXPECT_EQ(infoOf<cl_mem_object_type>(clGetMemObjectInfo, memory, CL_MEM_TYPE),
            cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(infoOf<cl_mem_flags>(clGetMemObjectInfo, memory, CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR});
  EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, memory, CL_MEM_SIZE), 100U);
  EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, memory, CL_MEM_HOST_PTR), nullptr);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0U);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_context>(clGetMemObjectInfo, memory, CL_MEM_CONTEXT), context);
  EXPECT_EQ(infoOf<cl_mem>(clGetMemObjectInfo, memory, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
  EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, memory, CL_MEM_OFFSET), 0U);
  EXPECT_EQ(infoOf<cl_bool>(clGetMemObjectInfo, memory, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
  EXPECT_TRUE(infoVectorOf<cl_mem_properties>(clGetMemObjectInfo, memory, CL_MEM_PROPERTIES).empty());
}

TEST_F(GetMemObjectInfo, ofASubBuffer) {
  cl_mem memory = buffer(4096);
  const size_t align = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region region{align, 24};
  cl_mem part = keep(clCreateSubBuffer(memory, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(infoOf<cl_mem_object_type>(clGetMemObjectInfo, part, CL_MEM_TYPE),
            cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, part, CL_MEM_SIZE), 24U);
  EXPECT_EQ(infoOf<size_t>(clGetMemObjectInfo, part, CL_MEM_OFFSET), align);
  EXPECT_EQ(infoOf<cl_mem>(clGetMemObjectInfo, part, CL_MEM_ASSOCIATED_MEMOBJECT), memory);
  EXPECT_EQ(infoOf<cl_context>(clGetMemObjectInfo, part, CL_MEM_CONTEXT), context);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, part, CL_MEM_REFERENCE_COUNT), 1U);
  EXPECT_TRUE(infoVectorOf<cl_mem_properties>(clGetMemObjectInfo, part, CL_MEM_PROPERTIES).empty());
}

// Only CL_MEM_USE_HOST_PTR makes the host pointer part of the object.
TEST_F(GetMemObjectInfo, hostPointer) {
  std::vector<unsigned char> host(64);
  EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, buffer(64, CL_MEM_USE_HOST_PTR, host.data()), CL_MEM_HOST_PTR),
            host.data());
  EXPECT_EQ(infoOf<void*>(clGetMemObjectInfo, buffer(64, CL_MEM_COPY_HOST_PTR, host.data()), CL_MEM_HOST_PTR), nullptr);
}

TEST_F(GetMemObjectInfo, mapCountFollowsMapAndUnmap) {
  cl_mem memory = buffer(64);
  void* first = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, 32, 0, nullptr, nullptr, nullptr);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 1U);
  void* second = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 16, 32, 0, nullptr, nullptr, nullptr);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 2U);
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, memory, first, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 1U);
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, memory, second, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0U);
}

// param_value_size is less than the size of the value and param_value is not NULL.
TEST_F(GetMemObjectInfo, sizesOfAllQueries) {
  cl_mem memory = buffer(64);
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_TYPE, sizeof(cl_mem_object_type));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_FLAGS, sizeof(cl_mem_flags));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_SIZE, sizeof(size_t));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_HOST_PTR, sizeof(void*));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT, sizeof(cl_uint));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT, sizeof(cl_uint));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_CONTEXT, sizeof(cl_context));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_OFFSET, sizeof(size_t));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_USES_SVM_POINTER, sizeof(cl_bool));
  expectSizesChecked(clGetMemObjectInfo, memory, CL_MEM_PROPERTIES, 0);
}

// memobj is not a memory object.
TEST_F(GetMemObjectInfo, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clGetMemObjectInfo(bad.handle, CL_MEM_TYPE, 0, nullptr, nullptr))
        << bad.what;
}

// param_name is none of the queries.
TEST_F(GetMemObjectInfo, invalidValue) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetMemObjectInfo(buffer(16), 0x9999, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetMemObjectInfo(buffer(16), CL_DEVICE_NAME, 0, nullptr, &size));
}

}  // namespace
}  // namespace clarity::test
