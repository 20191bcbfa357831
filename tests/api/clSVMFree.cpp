// SPDX-License-Identifier: Apache-2.0
// This file tests clSVMFree on a device without shared virtual memory (OpenCL 3.0, section 5.6.1).
#include "absent_features.h"

namespace clarity::test {
namespace {

struct SVMFree : WithoutSvm {};

// NULL is ignored, and on a device without SVM every pointer is: nothing is freed that the application still uses.
TEST_F(SVMFree, doesNothing) {
  clSVMFree(context, nullptr);
  auto* mine = new std::vector<unsigned char>(64, 5);
  clSVMFree(context, mine->data());
  EXPECT_EQ(*mine, std::vector<unsigned char>(64, 5));
  delete mine;
  for (const auto& bad : badHandles<cl_context>(*this)) driver->clSVMFree(bad.handle, nullptr);
}

}  // namespace
}  // namespace clarity::test
