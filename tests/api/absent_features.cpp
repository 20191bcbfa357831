// SPDX-License-Identifier: Apache-2.0
// This file holds the table of the features of OpenCL 3.0 that the device does not have, and checks all of it: every
// query about a feature, every name of it, and every entry point. When the device gains a feature its row must go: its
// tests fail then, and its entry points need tests in files of their own.
#include "absent_features.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <type_traits>

namespace clarity::test {

void expectEnqueueFails(OpenCL& test, const Enqueue& enqueue) {
  cl_event event = nullptr;
  EXPECT_CL(CL_INVALID_OPERATION, enqueue(test.queue, 0, nullptr, &event));
  EXPECT_EQ(event, nullptr);
  EXPECT_TRUE(test.wasNotified("")) << "nothing was notified";
  EXPECT_CL(CL_INVALID_OPERATION, enqueue(test.queue, 0, nullptr, nullptr));
  expectQueueChecked(test, enqueue);
}

void expectKernelCallFails(OpenCL& test, const std::function<cl_int(cl_kernel)>& call) {
  EXPECT_CL(CL_INVALID_OPERATION, call(test.kernel("kernel void test(global int* r) { *r = 1; }", "test")));
  EXPECT_TRUE(test.wasNotified("")) << "nothing was notified";
  for (const auto& bad : badHandles<cl_kernel>(test))
    EXPECT_CL(CL_INVALID_KERNEL, call(bad.handle)) << "the kernel is " << bad.what;
}

namespace {

// ---- on-device command-queues (section 5.1)

// device has no replaceable default on-device queue: the call is wrong with any command-queue.
void setDefaultDeviceCommandQueue(OpenCL& test) {
  const auto call = [&](cl_context context, cl_device_id device, cl_command_queue queue) {
    return test.driver->clSetDefaultDeviceCommandQueue(context, device, queue);
  };
  EXPECT_CL(CL_INVALID_OPERATION, call(test.context, test.device, test.queue));
  EXPECT_CL(CL_INVALID_OPERATION, call(test.context, test.device, nullptr));
  for (const auto& bad : badHandles<cl_context>(test))
    EXPECT_CL(CL_INVALID_CONTEXT, call(bad.handle, test.device, test.queue)) << "the context is " << bad.what;
  for (cl_device_id bad : {cl_device_id{nullptr}, test.notAnObject<cl_device_id>()})
    EXPECT_CL(CL_INVALID_DEVICE, call(test.context, bad, test.queue));
}

// ---- the table

const std::vector<AbsentFeature>& absentFeatures() {
  static const std::vector<AbsentFeature> table{
      sharedVirtualMemory(),
      {"onDeviceQueues",
       {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
        CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, CL_DEVICE_MAX_ON_DEVICE_QUEUES,
        CL_DEVICE_MAX_ON_DEVICE_EVENTS},
       {"__opencl_c_device_enqueue"},
       {},
       {"DefaultDevice"},
       {{"clSetDefaultDeviceCommandQueue", setDefaultDeviceCommandQueue}},
       true},
  };
  return table;
}

std::string leavesTheTable(const AbsentFeature& feature) {
  return std::string("the device has '") + feature.name +
         "': move the feature out of the table (tests/api/absent_features.cpp) and test each entry point of it in a "
         "file "
         "of its own";
}

struct AbsentFeatures : OpenCL, testing::WithParamInterface<AbsentFeature> {
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure() || !GetParam().someDevicesHaveIt) return;
    const auto bytes = infoVectorOf<unsigned char>(clGetDeviceInfo, device, GetParam().queries.front());
    if (std::ranges::any_of(bytes, [](unsigned char byte) { return byte != 0; })) GTEST_SKIP() << "this device has it";
  }
  std::set<std::string> namesOf(cl_device_info list) {
    std::set<std::string> names;
    for (const cl_name_version& each : infoVectorOf<cl_name_version>(clGetDeviceInfo, device, list))
      names.insert(each.name);
    return names;
  }
};

TEST_P(AbsentFeatures, areAbsentFromEveryQuery) {
  const AbsentFeature& feature = GetParam();
  ASSERT_FALSE(feature.queries.empty());
  for (cl_device_info each : feature.queries) {
    const auto bytes = infoVectorOf<unsigned char>(clGetDeviceInfo, device, each);
    EXPECT_TRUE(std::ranges::all_of(bytes, [](unsigned char byte) { return byte == 0; }))
        << leavesTheTable(feature) << "; the query is " << each;
  }
}

TEST_P(AbsentFeatures, areAbsentFromTheLists) {
  const AbsentFeature& feature = GetParam();
  const std::set<std::string> language = namesOf(CL_DEVICE_OPENCL_C_FEATURES);
  const std::set<std::string> extensions = namesOf(CL_DEVICE_EXTENSIONS_WITH_VERSION);
  ASSERT_TRUE(language.contains("__opencl_c_int64") && extensions.contains("cl_khr_fp64")) << "the lists are not read";
  for (const char* each : feature.languageFeatures)
    EXPECT_FALSE(language.contains(each)) << leavesTheTable(feature) << "; it reports " << each;
  for (const char* each : feature.extensions)
    EXPECT_FALSE(extensions.contains(each)) << leavesTheTable(feature) << "; it reports " << each;
}

TEST_P(AbsentFeatures, areRefusedByEveryEntryPoint) {
  ASSERT_FALSE(GetParam().entryPoints.empty());
  for (const AbsentEntryPoint& each : GetParam().entryPoints) {
    SCOPED_TRACE(each.name);
    {
      const std::lock_guard hold(notifiedLock);
      notified.clear();  // each entry point notifies by itself
    }
    each.check(*this);
  }
}

INSTANTIATE_TEST_SUITE_P(, AbsentFeatures, testing::ValuesIn(absentFeatures()),
                         [](const auto& test) { return std::string(test.param.name); });

const std::set<std::string>& entryPoints() {
  static const std::set<std::string> names{
#define API_ENTRY(name, parameters) #name,
#include "support/api.def"
  };
  return names;
}

// An entry point belongs to a feature by its name, so that none can be left out.
TEST(AbsentFeatureTable, holdsEveryEntryPointOfItsFeatures) {
  std::map<std::string, std::string> featureOf;
  for (const AbsentFeature& feature : absentFeatures())
    for (const AbsentEntryPoint& each : feature.entryPoints) {
      EXPECT_TRUE(featureOf.emplace(each.name, feature.name).second) << each.name << " is in the table twice";
      EXPECT_TRUE(entryPoints().contains(each.name)) << each.name << " is not an entry point of src/support/api.def";
    }
  for (const AbsentFeature& feature : absentFeatures())
    for (const char* part : feature.namesHold) {
      unsigned found = 0;
      for (const std::string& name : entryPoints()) {
        if (name.find(part) == std::string::npos) continue;
        ++found;
        EXPECT_EQ(featureOf[name], feature.name) << name << " is not in the table";
      }
      EXPECT_GT(found, 0U) << "no entry point has '" << part << "' in its name";
    }
}

// ---- extensions with entry points that Clarity does not have

struct AbsentExtensions : OpenCL {};

/// Calls an entry point with zeros, and with a place for the error where it returns an object.
template <class Result, class... Args>
cl_int errorOf(Result(CL_API_CALL* function)(Args...)) {
  cl_int error = CL_SUCCESS;
  const auto argument = [&]<class T>(std::type_identity<T>) -> T {
    if constexpr (std::is_same_v<T, cl_int*>)
      return &error;
    else
      return T{};
  };
  if constexpr (std::is_same_v<Result, cl_int>) {
    return function(argument(std::type_identity<Args>{})...);
  } else {
    EXPECT_EQ(function(argument(std::type_identity<Args>{})...), nullptr);
    return error;
  }
}

TEST_F(AbsentExtensions, haveNoEntryPoints) {
#define API_UNSUPPORTED(name)                                      \
  EXPECT_CL(CL_INVALID_OPERATION, errorOf(driver->name)) << #name; \
  EXPECT_EQ(driver->clGetExtensionFunctionAddressForPlatform(platform, #name), nullptr) << #name;
#define API_ABSENT(name)                     \
  EXPECT_EQ(driver->name, nullptr) << #name; \
  EXPECT_EQ(driver->clGetExtensionFunctionAddressForPlatform(platform, #name), nullptr) << #name;
#include "support/api.def"
  const std::string extensions = infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS);
  for (const char* each :
       {"cl_ext_device_fission", "cl_khr_gl_sharing", "cl_khr_gl_event", "cl_khr_egl_image", "cl_khr_egl_event",
        "cl_khr_d3d10_sharing", "cl_khr_d3d11_sharing", "cl_khr_dx9_media_sharing"})
    EXPECT_EQ(extensions.find(each), std::string::npos) << each;
}

}  // namespace
}  // namespace clarity::test
