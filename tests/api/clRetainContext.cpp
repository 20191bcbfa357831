// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainContext (OpenCL 3.0, section 4.4).
#include "references.h"

namespace clarity::test {
namespace {

using RetainContext = OpenCL;

TEST_F(RetainContext, countsReferences) {
  expectReferencesCounted(otherContext(), clRetainContext, clReleaseContext, clGetContextInfo,
                          CL_CONTEXT_REFERENCE_COUNT);
}

// context is not a valid context.
TEST_F(RetainContext, invalidContext) {
  expectRefused(*this, CL_INVALID_CONTEXT, clRetainContext, driver->clRetainContext);
}

}  // namespace
}  // namespace clarity::test
