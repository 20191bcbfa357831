// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainMemObject (OpenCL 3.0, section 5.5.1).
#include "references.h"

namespace clarity::test {
namespace {

struct RetainMemObject : OpenCL {};

TEST_F(RetainMemObject, countsReferences) {
  expectReferencesCounted(buffer(16), clRetainMemObject, clReleaseMemObject, clGetMemObjectInfo,
                          CL_MEM_REFERENCE_COUNT);
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
  expectRefused(*this, CL_INVALID_MEM_OBJECT, clRetainMemObject, driver->clRetainMemObject);
}

}  // namespace
}  // namespace clarity::test
