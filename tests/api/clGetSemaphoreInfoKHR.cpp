// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSemaphoreInfoKHR (cl_khr_semaphore).
#include "semaphore_fixture.h"

namespace clarity::test {
namespace {

using GetSemaphoreInfo = SemaphoreTest;

TEST_F(GetSemaphoreInfo, answers) {
  const auto get = clGetSemaphoreInfoKHR;
  EXPECT_EQ(infoOf<cl_context>(get, semaphore, CL_SEMAPHORE_CONTEXT_KHR), context);
  EXPECT_EQ(infoOf<cl_uint>(get, semaphore, CL_SEMAPHORE_TYPE_KHR), cl_uint{CL_SEMAPHORE_TYPE_BINARY_KHR});
  EXPECT_EQ(payload(), 0u);
  EXPECT_EQ(infoVectorOf<cl_device_id>(get, semaphore, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR),
            std::vector<cl_device_id>{device});
  const std::vector<cl_ulong> properties{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  EXPECT_EQ(infoVectorOf<cl_ulong>(get, semaphore, CL_SEMAPHORE_PROPERTIES_KHR), properties);
  const std::vector<cl_uint> binary{CL_SEMAPHORE_TYPE_BINARY_KHR};
  EXPECT_EQ(infoVectorOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_SEMAPHORE_TYPES_KHR), binary);
  EXPECT_EQ(infoVectorOf<cl_uint>(clGetPlatformInfo, platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR), binary);
}

TEST_F(GetSemaphoreInfo, checksSizes) {
  const auto get = clGetSemaphoreInfoKHR;
  expectSizesChecked(get, semaphore, cl_uint{CL_SEMAPHORE_CONTEXT_KHR}, sizeof(void*));
  expectSizesChecked(get, semaphore, cl_uint{CL_SEMAPHORE_REFERENCE_COUNT_KHR}, sizeof(cl_uint));
  expectSizesChecked(get, semaphore, cl_uint{CL_SEMAPHORE_TYPE_KHR}, sizeof(cl_uint));
  expectSizesChecked(get, semaphore, cl_uint{CL_SEMAPHORE_PAYLOAD_KHR}, sizeof(cl_ulong));
  expectSizesChecked(get, semaphore, cl_uint{CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR}, sizeof(void*));
  expectSizesChecked(get, semaphore, cl_uint{CL_SEMAPHORE_PROPERTIES_KHR}, 3 * sizeof(cl_ulong));
}

TEST_F(GetSemaphoreInfo, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, clGetSemaphoreInfoKHR(semaphore, 0x7777, 0, nullptr, nullptr));
}

TEST_F(GetSemaphoreInfo, invalidSemaphore) {
  for (const auto& bad : badSemaphores())
    EXPECT_CL(CL_INVALID_SEMAPHORE_KHR,
              clGetSemaphoreInfoKHR(bad.handle, CL_SEMAPHORE_PAYLOAD_KHR, 0, nullptr, nullptr))
        << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
