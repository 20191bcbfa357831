// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainKernel (OpenCL 3.0, section 5.9.1).
#include "references.h"

namespace clarity::test {
namespace {

using RetainKernel = OpenCL;

TEST_F(RetainKernel, countsReferences) {
  expectReferencesCounted(kernel("kernel void none() {}", "none"), clRetainKernel, clReleaseKernel, clGetKernelInfo,
                          CL_KERNEL_REFERENCE_COUNT);
}

// kernel is not a valid kernel.
TEST_F(RetainKernel, invalidKernel) { expectRefused(*this, CL_INVALID_KERNEL, clRetainKernel, driver->clRetainKernel); }

}  // namespace
}  // namespace clarity::test
