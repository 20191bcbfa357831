// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of cl_khr_unified_svm start from: its entry points by their names.
#pragma once

#include "shared_memory.h"
#include "support/unified_svm_types.h"

#include <string>

namespace clarity::test {

struct UnifiedSvmTest : SharedMemoryTest {
  using Capabilities = cl_svm_capabilities_khr;
  using Properties = std::vector<cl_svm_alloc_properties_khr>;
  static constexpr cl_uint kNone = ~cl_uint{0};

  void* (*allocate)(cl_context, const cl_svm_alloc_properties_khr*, cl_uint, size_t, cl_int*) = nullptr;
  cl_int (*free)(cl_context, const cl_svm_free_properties_khr*, cl_svm_free_flags_khr, void*) = nullptr;
  cl_int (*info)(cl_context, cl_device_id, const void*, cl_svm_pointer_info_khr, size_t, void*, size_t*) = nullptr;
  cl_int (*suggest)(cl_context, Capabilities, Capabilities, const cl_svm_alloc_properties_khr*, size_t,
                    cl_uint*) = nullptr;
  std::vector<Capabilities> types;

  void SetUp() override {
    SharedMemoryTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    const auto find = [&](auto& function, const char* name) {
      function = byName<std::remove_reference_t<decltype(function)>>(name);
      ASSERT_NE(function, nullptr) << name;
    };
    find(allocate, "clSVMAllocWithPropertiesKHR");
    find(free, "clSVMFreeWithPropertiesKHR");
    find(info, "clGetSVMPointerInfoKHR");
    find(suggest, "clGetSVMSuggestedTypeIndexKHR");
    types = infoVectorOf<Capabilities>(clGetPlatformInfo, platform, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR);
    ASSERT_FALSE(types.empty());
  }

  cl_svm_alloc_properties_khr ofDevice() { return reinterpret_cast<cl_svm_alloc_properties_khr>(device); }
  /// Properties that a type must be given.
  Properties needed(cl_uint type) {
    if (types[type] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR) return {0};
    return {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, ofDevice(), 0};
  }
  /// Memory of a type until the end of the test.
  unsigned char* made(cl_uint type, const Properties& properties, size_t size = kSize) {
    cl_int error = CL_INVALID_VALUE;
    void* const memory = allocate(context, properties.empty() ? nullptr : properties.data(), type, size, &error);
    EXPECT_SUCCESS(error);
    EXPECT_NE(memory, nullptr) << allNotified();
    if (memory) atEnd([this, memory] { free(context, nullptr, 0, memory); });
    return static_cast<unsigned char*>(memory);
  }
  unsigned char* made(cl_uint type) { return made(type, needed(type)); }

  /// One value of clGetSVMPointerInfoKHR.
  template <class T>
  T valueOf(const void* pointer, cl_svm_pointer_info_khr name, cl_device_id of = nullptr) {
    T value{};
    size_t size = 0;
    EXPECT_SUCCESS(info(context, of, pointer, name, sizeof value, &value, &size));
    EXPECT_EQ(size, sizeof value);
    return value;
  }
};

}  // namespace clarity::test
