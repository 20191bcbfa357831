// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateContext (OpenCL 3.0, section 4.4). CL_DEVICE_NOT_AVAILABLE cannot be provoked: the device is
// always available.
#include "fixture.h"

namespace clarity::test {
namespace {

using ContextProperties = std::vector<cl_context_properties>;

struct CreateContext : OpenCL {
  cl_context_properties ofPlatform() { return reinterpret_cast<cl_context_properties>(platform); }
  void expectError(cl_int code, const ContextProperties& properties,
                   std::source_location where = std::source_location::current()) {
    expectFails(
        code, [&](cl_int* e) { return clCreateContext(properties.data(), 1, &device, nullptr, nullptr, e); }, where);
  }
  cl_context with(const ContextProperties& properties) {
    return created([&](cl_int* e) { return clCreateContext(properties.data(), 1, &device, nullptr, nullptr, e); });
  }
};

struct ContextNotes {
  std::mutex lock;
  std::string all;
  static void CL_CALLBACK add(const char* text, const void* /*data*/, size_t /*bytes*/, void* notes) {
    auto* self = static_cast<ContextNotes*>(notes);
    const std::lock_guard hold(self->lock);
    self->all += std::string(text) + "\n";
  }
};

TEST_F(CreateContext, takesItsProperties) {
  EXPECT_NE(with({0}), nullptr);
  EXPECT_NE(with({CL_CONTEXT_PLATFORM, ofPlatform(), 0}), nullptr);
  EXPECT_NE(with({CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, CL_CONTEXT_PLATFORM, ofPlatform(), 0}), nullptr);
}

// A name that is no property may be any number: nothing is read where it points to.
TEST_F(CreateContext, namesOfPropertiesAreNoPointers) {
  for (const cl_context_properties name : {cl_context_properties{1}, cl_context_properties{0x10}, ofPlatform() + 8,
                                           cl_context_properties{-1}, ofPlatform()}) {
    const cl_context_properties properties[] = {name, 0, 0};
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateContext(properties, 1, &device, nullptr, nullptr, &error), nullptr);
    EXPECT_CL(CL_INVALID_PROPERTY, error);
  }
}

TEST_F(CreateContext, needsNoPlaceForTheError) {
  cl_context made = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  ASSERT_NE(made, nullptr);
  EXPECT_SUCCESS(clReleaseContext(made));
}

// A device that is given twice counts once.
TEST_F(CreateContext, ignoresDuplicateDevices) {
  const cl_device_id twice[] = {device, device};
  cl_context made = created([&](cl_int* e) { return clCreateContext(nullptr, 2, twice, nullptr, nullptr, e); });
  EXPECT_EQ(infoOf<cl_uint>(clGetContextInfo, made, CL_CONTEXT_NUM_DEVICES), 1U);
  EXPECT_EQ(infoVectorOf<cl_device_id>(clGetContextInfo, made, CL_CONTEXT_DEVICES), std::vector{device});
}

TEST_F(CreateContext, takesAParentAndItsPart) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  ASSERT_SUCCESS(clCreateSubDevices(device, properties, 1, &part, nullptr));
  keep(part);
  const std::vector<cl_device_id> both{device, part};
  cl_context made = created([&](cl_int* e) { return clCreateContext(nullptr, 2, both.data(), nullptr, nullptr, e); });
  EXPECT_EQ(infoVectorOf<cl_device_id>(clGetContextInfo, made, CL_CONTEXT_DEVICES), both);
}

// The platform of the properties is not a valid platform.
TEST_F(CreateContext, invalidPlatform) {
  expectError(CL_INVALID_PLATFORM, {CL_CONTEXT_PLATFORM, 0, 0});
  expectError(CL_INVALID_PLATFORM,
              {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(notAnObject<cl_platform_id>()), 0});
  expectError(CL_INVALID_PLATFORM, {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device), 0});
  // The driver itself: loaders choose the driver by the platform and refuse what is none.
  const cl_context_properties none[] = {CL_CONTEXT_PLATFORM, 0, 0};
  expectFails(CL_INVALID_PLATFORM,
              [&](cl_int* e) { return driver->clCreateContext(none, 1, &device, nullptr, nullptr, e); });
}

// A name that is not supported, a value that is not valid for its name, or a name given twice.
TEST_F(CreateContext, invalidProperty) {
  expectError(CL_INVALID_PROPERTY, {0x7777, 1, 0});
  expectError(CL_INVALID_PROPERTY, {CL_CONTEXT_PLATFORM, ofPlatform(), 0x7777, 1, 0});
  expectError(CL_INVALID_PROPERTY, {CL_CONTEXT_INTEROP_USER_SYNC, 7, 0});
  expectError(CL_INVALID_PROPERTY, {CL_CONTEXT_PLATFORM, ofPlatform(), CL_CONTEXT_PLATFORM, ofPlatform(), 0});
}

// No devices, or user data without a callback to give it to.
TEST_F(CreateContext, invalidValue) {
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return clCreateContext(nullptr, 1, nullptr, nullptr, nullptr, e); });
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return clCreateContext(nullptr, 0, &device, nullptr, nullptr, e); });
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return clCreateContext(nullptr, 1, &device, nullptr, this, e); });
  expectFails(CL_INVALID_VALUE,
              [&](cl_int* e) { return driver->clCreateContext(nullptr, 1, nullptr, nullptr, nullptr, e); });
  expectFails(CL_INVALID_VALUE,
              [&](cl_int* e) { return driver->clCreateContext(nullptr, 0, &device, nullptr, nullptr, e); });
}

// A device of the list is not a valid device.
TEST_F(CreateContext, invalidDevice) {
  for (cl_device_id wrong :
       {cl_device_id{nullptr}, notAnObject<cl_device_id>(), reinterpret_cast<cl_device_id>(context)}) {
    const cl_device_id devices[] = {device, wrong};
    expectFails(CL_INVALID_DEVICE,
                [&](cl_int* e) { return clCreateContext(nullptr, 2, devices, nullptr, nullptr, e); });
  }
  const cl_device_id foreign = notAnObject<cl_device_id>();
  expectFails(CL_INVALID_DEVICE, [&](cl_int* e) { return clCreateContext(nullptr, 1, &foreign, nullptr, nullptr, e); });
}

// pfn_notify reports errors of the creation too, with the value that was wrong.
TEST_F(CreateContext, notifiesOfAFailedCreation) {
  ContextNotes notes;
  const ContextProperties properties{0x7777, 1, 0};
  expectFails(CL_INVALID_PROPERTY,
              [&](cl_int* e) { return clCreateContext(properties.data(), 1, &device, &ContextNotes::add, &notes, e); });
  EXPECT_TRUE(notes.all.find("0x7777") != std::string::npos || notes.all.find("30583") != std::string::npos)
      << notes.all;
}

// A platform without the name that it belongs to.
TEST_F(CreateContext, platformsNeedTheirName) {
  ContextNotes notes;
  const ContextProperties properties{ofPlatform(), 0};
  expectFails(CL_INVALID_PROPERTY,
              [&](cl_int* e) { return clCreateContext(properties.data(), 1, &device, &ContextNotes::add, &notes, e); });
  EXPECT_TRUE(notes.all.contains("behind CL_CONTEXT_PLATFORM")) << notes.all;
}

// pfn_notify gets its own user_data, and each context's errors go to its own.
TEST_F(CreateContext, notifiesOfItsOwnErrors) {
  ContextNotes notes;
  cl_context own =
      created([&](cl_int* e) { return clCreateContext(nullptr, 1, &device, &ContextNotes::add, &notes, e); });
  expectFails(CL_INVALID_BUFFER_SIZE, [&](cl_int* e) { return clCreateBuffer(own, 0, 0, nullptr, e); });
  EXPECT_FALSE(notes.all.empty());
  EXPECT_FALSE(wasNotified("")) << allNotified();
}

}  // namespace
}  // namespace clarity::test
