// SPDX-License-Identifier: Apache-2.0
// This file tests clIcdGetFunctionAddressForPlatformKHR of cl_khr_icd 2: what a loader's own table is made of.
#include "driver_functions.h"

namespace clarity::test {
namespace {

struct IcdGetFunctionAddressForPlatform : OpenCL {
  void* address(cl_platform_id of, const char* name) {
    using Get = void*(CL_API_CALL*)(cl_platform_id, const char*);
    return driverFunction<Get>(*this, "clIcdGetFunctionAddressForPlatformKHR")(of, name);
  }
};

// Every entry point that the driver has; in the slots of the table that loaders call, the same.
TEST_F(IcdGetFunctionAddressForPlatform, everyEntryPoint) {
#define API_ENTRY(name, parameters) EXPECT_NE(address(platform, #name), nullptr) << #name;
#define API_BY_NAME(name, parameters) API_ENTRY(name, parameters)
#define API_UNSUPPORTED(name) EXPECT_EQ(address(platform, #name), nullptr) << #name;
#define API_ABSENT(name) API_UNSUPPORTED(name)
#include "support/api.def"
  EXPECT_EQ(address(platform, "clCreateBuffer"), reinterpret_cast<void*>(driver->clCreateBuffer));
  EXPECT_EQ(address(platform, "clEnqueueNDRangeKernel"), reinterpret_cast<void*>(driver->clEnqueueNDRangeKernel));
  // Those whose slots have the tag: they work.
  const auto get = reinterpret_cast<decltype(cl_icd_dispatch::clGetPlatformIDs)>(address(platform, "clGetPlatformIDs"));
  cl_uint count = 0;
  EXPECT_SUCCESS(get(0, nullptr, &count));
  EXPECT_EQ(count, 1U);
  EXPECT_SUCCESS(
      reinterpret_cast<decltype(cl_icd_dispatch::clUnloadCompiler)>(address(platform, "clUnloadCompiler"))());
}

// No name, a name that is none, and what is no platform.
TEST_F(IcdGetFunctionAddressForPlatform, nothing) {
  EXPECT_EQ(address(platform, nullptr), nullptr);
  EXPECT_EQ(address(platform, ""), nullptr);
  EXPECT_EQ(address(platform, "clNoSuchFunction"), nullptr);
  EXPECT_EQ(address(nullptr, "clCreateBuffer"), nullptr);
  EXPECT_EQ(address(notAnObject<cl_platform_id>(), "clCreateBuffer"), nullptr);
}

}  // namespace
}  // namespace clarity::test
