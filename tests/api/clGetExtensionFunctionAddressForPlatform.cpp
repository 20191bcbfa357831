// SPDX-License-Identifier: Apache-2.0
// This file tests clGetExtensionFunctionAddressForPlatform (OpenCL 3.0, section 4.5).
#include "fixture.h"

#include <map>
#include <set>

namespace clarity::test {
namespace {

struct GetExtensionFunctionAddressForPlatform : OpenCL {
  void* address(const char* name) { return clGetExtensionFunctionAddressForPlatform(platform, name); }
};

TEST_F(GetExtensionFunctionAddressForPlatform, findsTheFunctionOfTheLoader) {
  EXPECT_NE(address("clIcdGetPlatformIDsKHR"), nullptr);
}

// Every function of an extension that the device reports is there.
TEST_F(GetExtensionFunctionAddressForPlatform, findsTheFunctionsOfReportedExtensions) {
  const std::multimap<std::string, const char*> functions{
      {"cl_khr_create_command_queue", "clCreateCommandQueueWithPropertiesKHR"},
      {"cl_khr_il_program", "clCreateProgramWithILKHR"},
      {"cl_khr_subgroups", "clGetKernelSubGroupInfoKHR"},
      {"cl_khr_terminate_context", "clTerminateContextKHR"},
      {"cl_khr_suggested_local_work_size", "clGetKernelSuggestedLocalWorkSizeKHR"},
      {"cl_khr_command_buffer", "clCreateCommandBufferKHR"},
      {"cl_khr_semaphore", "clCreateSemaphoreWithPropertiesKHR"},
      {"cl_ext_device_fission", "clCreateSubDevicesEXT"},
      {"cl_ext_device_fission", "clReleaseDeviceEXT"},
      {"cl_ext_device_fission", "clRetainDeviceEXT"},
      {"cl_ext_migrate_memobject", "clEnqueueMigrateMemObjectEXT"}};
  const std::string extensions = " " + infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
  std::multiset<std::string> reported;
  for (const auto& [extension, function] : functions) {
    if (extensions.find(" " + extension + " ") == std::string::npos) continue;
    reported.insert(extension);
    EXPECT_NE(address(function), nullptr) << function << " of " << extension;
  }
  EXPECT_TRUE(reported.contains("cl_khr_subgroups")) << extensions;
}

// NULL is the answer for a function that is not there, and for a platform that is none. A loader may put a platform of
// its choice for NULL, so the driver itself is asked.
TEST_F(GetExtensionFunctionAddressForPlatform, findsNothing) {
  EXPECT_EQ(address("clNoSuchFunctionKHR"), nullptr);
  EXPECT_EQ(address(""), nullptr);
  EXPECT_EQ(driver->clGetExtensionFunctionAddressForPlatform(platform, nullptr), nullptr);
  EXPECT_EQ(driver->clGetExtensionFunctionAddressForPlatform(nullptr, "clIcdGetPlatformIDsKHR"), nullptr);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(notAnObject<cl_platform_id>(), "clIcdGetPlatformIDsKHR"), nullptr);
}

}  // namespace
}  // namespace clarity::test
