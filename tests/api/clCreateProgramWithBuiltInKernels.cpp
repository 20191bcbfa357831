// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateProgramWithBuiltInKernels (OpenCL 3.0, section 5.8.1). The device has no built-in kernels, so
// every name is one that it does not know.
#include "fixture.h"

namespace clarity::test {
namespace {

struct CreateProgramWithBuiltInKernels : OpenCL {};

// A list of devices or names is missing, or a name is not that of a built-in kernel.
TEST_F(CreateProgramWithBuiltInKernels, invalidValue) {
  const auto with = [&](cl_uint count, const cl_device_id* devices, const char* names) {
    return [=, this](cl_int* e) { return clCreateProgramWithBuiltInKernels(context, count, devices, names, e); };
  };
  expectFails(CL_INVALID_VALUE, with(1, &device, "no_such_kernel"));
  EXPECT_TRUE(wasNotified("no_such_kernel")) << allNotified();
  expectFails(CL_INVALID_VALUE, with(1, &device, "first;second"));
  expectFails(CL_INVALID_VALUE, with(1, &device, nullptr));
  expectFails(CL_INVALID_VALUE, with(1, nullptr, "no_such_kernel"));
  expectFails(CL_INVALID_VALUE, with(0, &device, "no_such_kernel"));
}

// context is not a valid context.
TEST_F(CreateProgramWithBuiltInKernels, invalidContext) {
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return clCreateProgramWithBuiltInKernels(nullptr, 1, &device, "name", e); });
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return driver->clCreateProgramWithBuiltInKernels(nullptr, 1, &device, "name", e); });
  expectFails(CL_INVALID_CONTEXT,
              [&](cl_int* e) { return clCreateProgramWithBuiltInKernels(notAnObject<cl_context>(), 1, &device, "name", e); });
}

// A device of the list is not one of the context.
TEST_F(CreateProgramWithBuiltInKernels, invalidDevice) {
  const cl_device_id foreign = notAnObject<cl_device_id>();
  expectFails(CL_INVALID_DEVICE, [&](cl_int* e) { return clCreateProgramWithBuiltInKernels(context, 1, &foreign, "name", e); });
  const cl_device_id none = nullptr;
  expectFails(CL_INVALID_DEVICE, [&](cl_int* e) { return clCreateProgramWithBuiltInKernels(context, 1, &none, "name", e); });
}

}  // namespace
}  // namespace clarity::test
