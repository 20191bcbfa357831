// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainSemaphoreKHR (cl_khr_semaphore).
#include "semaphore_fixture.h"

namespace clarity::test {
namespace {

using RetainSemaphore = SemaphoreTest;

TEST_F(RetainSemaphore, counts) {
  const auto count = [&] {
    return infoOf<cl_uint>(clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_REFERENCE_COUNT_KHR);
  };
  EXPECT_EQ(count(), 1u);
  EXPECT_SUCCESS(clRetainSemaphoreKHR(semaphore));
  EXPECT_EQ(count(), 2u);
  EXPECT_SUCCESS(clReleaseSemaphoreKHR(semaphore));
  EXPECT_EQ(count(), 1u);
}

TEST_F(RetainSemaphore, invalidSemaphore) {
  for (const auto& bad : badSemaphores())
    EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, clRetainSemaphoreKHR(bad.handle)) << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
