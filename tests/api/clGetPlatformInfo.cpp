// SPDX-License-Identifier: Apache-2.0
// This file tests clGetPlatformInfo (OpenCL 3.0, section 4.1).
#include "fixture.h"

#include <set>
#include <sstream>

namespace clarity::test {
namespace {

struct GetPlatformInfo : OpenCL {
  std::string text(cl_platform_info name) { return infoStringOf(clGetPlatformInfo, platform, name); }
};

TEST_F(GetPlatformInfo, namesItself) {
  EXPECT_EQ(text(CL_PLATFORM_NAME), "Clarity");
  EXPECT_FALSE(text(CL_PLATFORM_VENDOR).empty());
  EXPECT_EQ(text(CL_PLATFORM_PROFILE), "FULL_PROFILE");
}

// CL_PLATFORM_VERSION: "OpenCL", a space, major.minor, a space and the platform's own words; the numeric version
// agrees.
TEST_F(GetPlatformInfo, versionsAgree) {
  EXPECT_EQ(text(CL_PLATFORM_VERSION).rfind("OpenCL 3.1 Clarity ", 0), 0U) << text(CL_PLATFORM_VERSION);
  const auto version = infoOf<cl_version>(clGetPlatformInfo, platform, CL_PLATFORM_NUMERIC_VERSION);
  EXPECT_EQ(CL_VERSION_MAJOR(version), 3U);
  EXPECT_EQ(CL_VERSION_MINOR(version), 1U);
}

// CL_PLATFORM_EXTENSIONS_WITH_VERSION holds the names of CL_PLATFORM_EXTENSIONS, each once.
TEST_F(GetPlatformInfo, extensionListsAgree) {
  std::istringstream words(text(CL_PLATFORM_EXTENSIONS));
  std::set<std::string> names;
  for (std::string word; words >> word;) EXPECT_TRUE(names.insert(word).second) << word << " is there twice";
  const auto versions = infoVectorOf<cl_name_version>(clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION);
  std::set<std::string> versioned;
  for (const cl_name_version& each : versions) {
    EXPECT_TRUE(versioned.insert(each.name).second) << each.name << " is there twice";
    EXPECT_GT(each.version, 0U) << each.name;
  }
  EXPECT_EQ(names, versioned);
  EXPECT_TRUE(names.contains("cl_khr_icd"));
}

// An extension that all devices of the platform support is one of the platform; there is one device. Extensions that
// only devices of one kind can have are left out: the platform does not know its GPUs when loaders ask.
TEST_F(GetPlatformInfo, extensionsOfTheDeviceAreThePlatforms) {
  const std::string ofPlatform = " " + text(CL_PLATFORM_EXTENSIONS) + " ";
  std::istringstream words(infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS));
  unsigned found = 0;
  for (std::string word; words >> word; ++found)
    EXPECT_TRUE(ofPlatform.find(" " + word + " ") != std::string::npos || word == "cl_khr_pci_bus_info" ||
                word == "cl_nv_device_attribute_query")
        << word << " is not of the platform";
  EXPECT_GE(found, 10U);
}

TEST_F(GetPlatformInfo, hasAnIcdSuffix) { EXPECT_FALSE(text(CL_PLATFORM_ICD_SUFFIX_KHR).empty()); }

// CL_PLATFORM_HOST_TIMER_RESOLUTION is 0 exactly when the timers cannot be synchronised.
TEST_F(GetPlatformInfo, hostTimerResolutionIsTrue) {
  const auto resolution = infoOf<cl_ulong>(clGetPlatformInfo, platform, CL_PLATFORM_HOST_TIMER_RESOLUTION);
  cl_ulong time = 0;
  EXPECT_CL(resolution != 0 ? CL_SUCCESS : CL_INVALID_OPERATION, clGetHostTimer(device, &time));
}

TEST_F(GetPlatformInfo, sizesAreChecked) {
  for (cl_platform_info name :
       {CL_PLATFORM_PROFILE, CL_PLATFORM_VERSION, CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_EXTENSIONS,
        CL_PLATFORM_EXTENSIONS_WITH_VERSION, CL_PLATFORM_ICD_SUFFIX_KHR})
    expectSizesChecked(clGetPlatformInfo, platform, name);
  expectSizesChecked(clGetPlatformInfo, platform, CL_PLATFORM_NUMERIC_VERSION, sizeof(cl_version));
  expectSizesChecked(clGetPlatformInfo, platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof(cl_ulong));
}

// platform is not a valid platform.
TEST_F(GetPlatformInfo, invalidPlatform) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_PLATFORM, clGetPlatformInfo(notAnObject<cl_platform_id>(), CL_PLATFORM_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_PLATFORM,
            clGetPlatformInfo(reinterpret_cast<cl_platform_id>(device), CL_PLATFORM_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_PLATFORM,
            clGetPlatformInfo(reinterpret_cast<cl_platform_id>(queue), CL_PLATFORM_NAME, 0, nullptr, &size));
}

// The meaning of NULL is the implementation's choice; it is no crash.
TEST_F(GetPlatformInfo, nullPlatformIsAChoice) {
  size_t size = 0;
  const cl_int error = driver->clGetPlatformInfo(nullptr, CL_PLATFORM_NAME, 0, nullptr, &size);
  EXPECT_TRUE(error == CL_SUCCESS || error == CL_INVALID_PLATFORM) << errorName(error);
}

// param_name is not one of the supported values.
TEST_F(GetPlatformInfo, invalidValue) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_DEVICE_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0x7777, 0, nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
