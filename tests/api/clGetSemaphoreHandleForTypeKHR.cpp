// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSemaphoreHandleForTypeKHR (cl_khr_external_semaphore), which no device of this platform has.
#include "semaphore_fixture.h"

namespace clarity::test {
namespace {

struct GetSemaphoreHandleForType : SemaphoreTest {
  api::cl_api_clGetSemaphoreHandleForTypeKHR get = nullptr;

  void SetUp() override {
    SemaphoreTest::SetUp();
    if (HasFatalFailure()) return;
    get = reinterpret_cast<decltype(get)>(
        clGetExtensionFunctionAddressForPlatform(platform, "clGetSemaphoreHandleForTypeKHR"));
    ASSERT_NE(get, nullptr);
  }
  cl_int handleOf(cl_semaphore_khr it, cl_device_id of) {
    int handle = -1;
    return get(it, of, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof handle, &handle, nullptr);
  }
};

// No semaphore is created with a type of handle.
TEST_F(GetSemaphoreHandleForType, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, handleOf(semaphore, device));
  const std::string extensions = infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS);
  EXPECT_EQ(extensions.find("cl_khr_external_semaphore"), std::string::npos);
}

TEST_F(GetSemaphoreHandleForType, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE, handleOf(semaphore, nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, handleOf(semaphore, notAnObject<cl_device_id>()));
  EXPECT_CL(CL_INVALID_DEVICE, handleOf(semaphore, reinterpret_cast<cl_device_id>(queue)));
}

TEST_F(GetSemaphoreHandleForType, invalidSemaphore) {
  for (const auto& bad : badSemaphores())
    EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, handleOf(bad.handle, device)) << "it is " << bad.what;
}

}  // namespace
}  // namespace clarity::test
