// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateSemaphoreWithPropertiesKHR (cl_khr_semaphore).
#include "semaphore_fixture.h"

namespace clarity::test {
namespace {

struct CreateSemaphore : SemaphoreTest {
  cl_int create(cl_context of, const std::vector<cl_semaphore_properties_khr>& properties) {
    cl_int error = CL_SUCCESS;
    cl_semaphore_khr result =
        clCreateSemaphoreWithPropertiesKHR(of, properties.empty() ? nullptr : properties.data(), &error);
    EXPECT_EQ(result != nullptr, error == CL_SUCCESS);
    if (result) EXPECT_SUCCESS(clReleaseSemaphoreKHR(result));
    return error;
  }
  cl_semaphore_properties_khr handle(cl_device_id of) { return reinterpret_cast<cl_semaphore_properties_khr>(of); }
  static constexpr cl_semaphore_properties_khr kType = CL_SEMAPHORE_TYPE_KHR, kBinary = CL_SEMAPHORE_TYPE_BINARY_KHR,
                                               kDevices = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR;
};

TEST_F(CreateSemaphore, ofTheDevice) {
  EXPECT_SUCCESS(create(context, {kType, kBinary, 0}));
  EXPECT_SUCCESS(create(context, {kType, kBinary, kDevices, handle(device), 0, 0}));
  EXPECT_SUCCESS(create(context, {kDevices, handle(device), 0, kType, kBinary, 0}));
}

TEST_F(CreateSemaphore, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this))
    EXPECT_CL(CL_INVALID_CONTEXT, create(bad.handle, {kType, kBinary, 0})) << "the context is " << bad.what;
}

// There are no properties, or no type among them.
TEST_F(CreateSemaphore, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, create(context, {}));
  EXPECT_CL(CL_INVALID_VALUE, create(context, {0}));
  EXPECT_CL(CL_INVALID_VALUE, create(context, {kDevices, handle(device), 0, 0}));
}

TEST_F(CreateSemaphore, invalidProperty) {
  EXPECT_CL(CL_INVALID_PROPERTY, create(context, {kType, 77, 0}));
  EXPECT_CL(CL_INVALID_PROPERTY, create(context, {kType, kBinary, 0x7777, 1, 0}));
  EXPECT_CL(CL_INVALID_PROPERTY, create(context, {kType, kBinary, kType, kBinary, 0}));
  EXPECT_CL(CL_INVALID_PROPERTY,
            create(context, {kType, kBinary, kDevices, handle(device), 0, kDevices, handle(device), 0, 0}));
}

TEST_F(CreateSemaphore, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE, create(context, {kType, kBinary, kDevices, 0, 0}));
  EXPECT_CL(CL_INVALID_DEVICE, create(context, {kType, kBinary, kDevices, handle(device), handle(device), 0, 0}));
  EXPECT_CL(CL_INVALID_DEVICE,
            create(context, {kType, kBinary, kDevices, handle(reinterpret_cast<cl_device_id>(queue)), 0, 0}));
}

}  // namespace
}  // namespace clarity::test
