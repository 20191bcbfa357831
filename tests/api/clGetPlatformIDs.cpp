// SPDX-License-Identifier: Apache-2.0
// This file tests clGetPlatformIDs (OpenCL 3.0, section 4.1).
#include "fixture.h"

#include <algorithm>

namespace clarity::test {
namespace {

struct GetPlatformIDs : OpenCL {};

TEST_F(GetPlatformIDs, countsAndListsThePlatforms) {
  cl_uint count = 0;
  ASSERT_SUCCESS(clGetPlatformIDs(0, nullptr, &count));
  ASSERT_GE(count, 1U);
  std::vector<cl_platform_id> platforms(count);
  ASSERT_SUCCESS(clGetPlatformIDs(count, platforms.data(), nullptr));
  EXPECT_EQ(std::count(platforms.begin(), platforms.end(), platform), 1);
}

TEST_F(GetPlatformIDs, fillsNoMoreThanAskedFor) {
  std::vector<cl_platform_id> platforms(2, nullptr);
  cl_uint count = 0;
  ASSERT_SUCCESS(clGetPlatformIDs(1, platforms.data(), &count));
  EXPECT_NE(platforms[0], nullptr);
  EXPECT_EQ(platforms[1], nullptr);
  EXPECT_GE(count, 1U);
}

// num_entries is 0 and platforms is not NULL, or neither platforms nor num_platforms is given.
TEST_F(GetPlatformIDs, invalidValue) {
  cl_platform_id one = nullptr;
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformIDs(0, &one, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformIDs(0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformIDs(1, nullptr, nullptr));
}

// The driver's own list, which the loader hides, by the names of the core and of cl_khr_icd.
TEST_F(GetPlatformIDs, theDriverItselfAnswersThroughItsExtension) {
  using Get = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
  const auto get = reinterpret_cast<Get>(clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR"));
  ASSERT_NE(get, nullptr);
  cl_uint count = 0;
  cl_platform_id one = nullptr;
  EXPECT_SUCCESS(get(0, nullptr, &count));
  EXPECT_EQ(count, 1U);
  EXPECT_SUCCESS(get(1, &one, nullptr));
  EXPECT_EQ(one, platform);
  // Its slot in the dispatch table is a mark of cl_khr_icd 2, so by name.
  const auto core = reinterpret_cast<Get>(clGetExtensionFunctionAddressForPlatform(platform, "clGetPlatformIDs"));
  ASSERT_NE(core, nullptr);
  for (const Get each : {get, core}) {
    EXPECT_CL(CL_INVALID_VALUE, each(0, &one, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, each(0, nullptr, nullptr));
  }
}

}  // namespace
}  // namespace clarity::test
