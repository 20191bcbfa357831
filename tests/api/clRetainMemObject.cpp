// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainMemObject (OpenCL 3.0, section 5.5.1).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct RetainMemObject : OpenCL {};

TEST_F(RetainMemObject, addsOneReference) {
  cl_mem memory = buffer(16);
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT), 1U);
  ASSERT_SUCCESS(clRetainMemObject(memory));
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT), 2U);
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT), 1U);
}

TEST_F(RetainMemObject, aSubBufferHasItsOwnCount) {
  cl_mem memory = buffer(4096);
  const cl_buffer_region region{0, 64};
  cl_mem part = keep(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  ASSERT_SUCCESS(clRetainMemObject(part));
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, part, CL_MEM_REFERENCE_COUNT), 2U);
  ASSERT_SUCCESS(clReleaseMemObject(part));
}

// memobj is not a memory object.
TEST_F(RetainMemObject, invalidMemObject) {
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clRetainMemObject(bad.handle)) << "the memory object is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
