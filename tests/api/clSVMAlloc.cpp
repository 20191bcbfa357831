// SPDX-License-Identifier: Apache-2.0
// This file tests clSVMAlloc on a device without shared virtual memory (OpenCL 3.0, section 5.6.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct SVMAlloc : WithoutSvm {};

// There is no error code: NULL says that no device of the context has it.
TEST_F(SVMAlloc, givesNull) {
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 128), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0), nullptr);
  for (const auto& bad : badHandles<cl_context>(*this))
    EXPECT_EQ(driver->clSVMAlloc(bad.handle, CL_MEM_READ_WRITE, 64, 0), nullptr) << "the context is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
