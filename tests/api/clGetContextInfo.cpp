// SPDX-License-Identifier: Apache-2.0
// This file tests clGetContextInfo (OpenCL 3.0, section 4.4).
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetContextInfo : OpenCL {};

TEST_F(GetContextInfo, tellsItsDevices) {
  EXPECT_EQ(infoOf<cl_uint>(clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES), 1U);
  EXPECT_EQ(infoVectorOf<cl_device_id>(clGetContextInfo, context, CL_CONTEXT_DEVICES), std::vector{device});
  EXPECT_EQ(infoOf<cl_uint>(clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT), 1U);
}

// The objects of a context are no references of the application.
TEST_F(GetContextInfo, countsOnlyTheApplicationsReferences) {
  buffer(64);
  anotherQueue();
  source("kernel void none() {}");
  userEvent();
  EXPECT_EQ(infoOf<cl_uint>(clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT), 1U);
}

// The properties come back as they were given; without any there are none, not even a terminating 0.
TEST_F(GetContextInfo, tellsItsProperties) {
  EXPECT_TRUE(infoVectorOf<cl_context_properties>(clGetContextInfo, context, CL_CONTEXT_PROPERTIES).empty());
  const std::vector<cl_context_properties> properties{CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, CL_CONTEXT_PLATFORM,
                                                      reinterpret_cast<cl_context_properties>(platform), 0};
  cl_context own =
      created([&](cl_int* e) { return clCreateContext(properties.data(), 1, &device, nullptr, nullptr, e); });
  EXPECT_EQ(infoVectorOf<cl_context_properties>(clGetContextInfo, own, CL_CONTEXT_PROPERTIES), properties);
  const std::vector<cl_context_properties> none{0};
  own = created([&](cl_int* e) { return clCreateContext(none.data(), 1, &device, nullptr, nullptr, e); });
  EXPECT_EQ(infoVectorOf<cl_context_properties>(clGetContextInfo, own, CL_CONTEXT_PROPERTIES), none);
}

TEST_F(GetContextInfo, sizesAreChecked) {
  expectSizesChecked(clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT, sizeof(cl_uint));
  expectSizesChecked(clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES, sizeof(cl_uint));
  expectSizesChecked(clGetContextInfo, context, CL_CONTEXT_DEVICES, sizeof(cl_device_id));
  expectSizesChecked(clGetContextInfo, context, CL_CONTEXT_PROPERTIES, 0);
}

// context is not a valid context.
TEST_F(GetContextInfo, invalidContext) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_CONTEXT, clGetContextInfo(nullptr, CL_CONTEXT_DEVICES, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_CONTEXT, driver->clGetContextInfo(nullptr, CL_CONTEXT_DEVICES, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_CONTEXT, clGetContextInfo(notAnObject<cl_context>(), CL_CONTEXT_DEVICES, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_CONTEXT,
            clGetContextInfo(reinterpret_cast<cl_context>(device), CL_CONTEXT_DEVICES, 0, nullptr, &size));
}

// param_name is not one of the supported values.
TEST_F(GetContextInfo, invalidValue) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetContextInfo(context, 0, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetContextInfo(context, CL_DEVICE_NAME, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetContextInfo(context, 0x7777, 0, nullptr, &size));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
}

}  // namespace
}  // namespace clarity::test
