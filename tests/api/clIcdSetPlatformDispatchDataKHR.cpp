// SPDX-License-Identifier: Apache-2.0
// This file tests clIcdSetPlatformDispatchDataKHR of cl_khr_icd 2: the word of the loader in every object.
#include "driver_functions.h"

#include <cstring>

namespace clarity::test {
namespace {

struct IcdSetPlatformDispatchData : OpenCL {
  /// The second word of an object, which is the loader's.
  static void* wordOf(const void* object) {
    void* words[2] = {};
    std::memcpy(words, object, sizeof words);
    return words[1];
  }
  cl_int set(cl_platform_id of, void* data) {
    using Set = cl_int(CL_API_CALL*)(cl_platform_id, void*);
    return driverFunction<Set>(*this, "clIcdSetPlatformDispatchDataKHR")(of, data);
  }
};

// Loaders recognise version 2 by two slots of the table.
TEST_F(IcdSetPlatformDispatchData, theTableIsTagged) {
  constexpr intptr_t tag = sizeof(intptr_t) == 4 ? intptr_t{0x434C3331} : intptr_t(0x4F50454E434C3331);
  EXPECT_EQ(reinterpret_cast<intptr_t>(driver->clGetPlatformIDs), tag);
  EXPECT_EQ(reinterpret_cast<intptr_t>(driver->clUnloadCompiler), tag);
  for (const cl_name_version& each :
       infoVectorOf<cl_name_version>(clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION))
    if (std::strcmp(each.name, "cl_khr_icd") == 0) EXPECT_EQ(each.version, CL_MAKE_VERSION(2, 0, 1));
}

// The platform and its devices have the word at once, and every object from its creation on.
TEST_F(IcdSetPlatformDispatchData, everyObjectHasIt) {
  void* const before = wordOf(platform);
  int mine = 0;
  ASSERT_SUCCESS(set(platform, &mine));
  atEnd([this, before] { set(platform, before); });
  EXPECT_EQ(wordOf(platform), &mine);
  EXPECT_EQ(wordOf(device), &mine);
  EXPECT_EQ(wordOf(otherContext()), &mine);
  EXPECT_EQ(wordOf(anotherQueue()), &mine);
  EXPECT_EQ(wordOf(buffer(16)), &mine);
  EXPECT_EQ(wordOf(userEvent()), &mine);
  cl_program program = build("kernel void test(global int* r) { *r = 1; }");
  EXPECT_EQ(wordOf(program), &mine);
  EXPECT_EQ(wordOf(kernel(program, "test")), &mine);
  if (infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT))
    EXPECT_EQ(wordOf(created([&](cl_int* e) {
                return clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, e);
              })),
              &mine);
  int other = 0;
  ASSERT_SUCCESS(set(platform, &other));
  EXPECT_EQ(wordOf(device), &other);
  EXPECT_EQ(wordOf(buffer(16)), &other);
}

// platform is no platform.
TEST_F(IcdSetPlatformDispatchData, invalidPlatform) {
  int mine = 0;
  for (const cl_platform_id bad : {cl_platform_id{nullptr}, notAnObject<cl_platform_id>()})
    EXPECT_CL(CL_INVALID_PLATFORM, set(bad, &mine));
}

}  // namespace
}  // namespace clarity::test
