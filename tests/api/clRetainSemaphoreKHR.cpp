// SPDX-License-Identifier: Apache-2.0
// This file tests clRetainSemaphoreKHR (cl_khr_semaphore).
#include "references.h"
#include "semaphore_fixture.h"

namespace clarity::test {
namespace {

using RetainSemaphore = SemaphoreTest;

TEST_F(RetainSemaphore, countsReferences) {
  expectReferencesCounted(semaphore, clRetainSemaphoreKHR, clReleaseSemaphoreKHR, clGetSemaphoreInfoKHR,
                          CL_SEMAPHORE_REFERENCE_COUNT_KHR);
}

TEST_F(RetainSemaphore, invalidSemaphore) {
  expectRefused(CL_INVALID_SEMAPHORE_KHR, clRetainSemaphoreKHR, badSemaphores());
}

}  // namespace
}  // namespace clarity::test
