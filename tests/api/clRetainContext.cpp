// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainContext (OpenCL 3.0, section 4.4).
#include "fixture.h"

namespace clarity::test {
namespace {

struct RetainContext : OpenCL {
  cl_uint count(cl_context of) { return infoOf<cl_uint>(clGetContextInfo, of, CL_CONTEXT_REFERENCE_COUNT); }
};

TEST_F(RetainContext, countsReferences) {
  cl_context own = otherContext();
  EXPECT_EQ(count(own), 1U);
  EXPECT_SUCCESS(clRetainContext(own));
  EXPECT_SUCCESS(clRetainContext(own));
  EXPECT_EQ(count(own), 3U);
  EXPECT_SUCCESS(clReleaseContext(own));
  EXPECT_SUCCESS(clReleaseContext(own));
  EXPECT_EQ(count(own), 1U);
}

// context is not a valid context.
TEST_F(RetainContext, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, clRetainContext(nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT, driver->clRetainContext(nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT, clRetainContext(notAnObject<cl_context>()));
  EXPECT_CL(CL_INVALID_CONTEXT, clRetainContext(reinterpret_cast<cl_context>(queue)));
}

// A context whose last reference is gone is no context any more.
TEST_F(RetainContext, invalidContextAfterTheLastRelease) {
  cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  ASSERT_NE(own, nullptr);
  ASSERT_SUCCESS(clReleaseContext(own));
  EXPECT_CL(CL_INVALID_CONTEXT, driver->clRetainContext(own));
}

}  // namespace
}  // namespace clarity::test
