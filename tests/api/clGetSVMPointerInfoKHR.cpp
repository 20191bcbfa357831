// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSVMPointerInfoKHR (cl_khr_unified_svm).
#include "unified_svm.h"

namespace clarity::test {
namespace {

struct GetSVMPointerInfo : UnifiedSvmTest {
  Properties propertiesOf(const void* pointer) {
    size_t bytes = 0;
    EXPECT_SUCCESS(info(context, nullptr, pointer, CL_SVM_INFO_PROPERTIES_KHR, 0, nullptr, &bytes));
    Properties properties(bytes / sizeof(properties[0]));
    if (bytes)
      EXPECT_SUCCESS(info(context, nullptr, pointer, CL_SVM_INFO_PROPERTIES_KHR, bytes, properties.data(), nullptr));
    return properties;
  }
};

// Pointers to the first byte and to one within, with and without a device.
TEST_F(GetSVMPointerInfo, tellsOfEveryType) {
  for (cl_uint type = 0; type < types.size(); ++type) {
    SCOPED_TRACE(type);
    const Properties given{CL_SVM_ALLOC_ACCESS_FLAGS_KHR, CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR,
                           CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, ofDevice(), 0};
    unsigned char* memory = made(type, given);
    for (unsigned char* pointer : {memory, memory + kSize - 1})
      for (cl_device_id of : {cl_device_id{nullptr}, device}) {
        EXPECT_EQ(valueOf<cl_uint>(pointer, CL_SVM_INFO_TYPE_INDEX_KHR, of), type);
        EXPECT_EQ(valueOf<Capabilities>(pointer, CL_SVM_INFO_CAPABILITIES_KHR, of), types[type]);
        EXPECT_EQ(valueOf<cl_svm_alloc_access_flags_khr>(pointer, CL_SVM_INFO_ACCESS_FLAGS_KHR, of),
                  cl_svm_alloc_access_flags_khr{CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR});
        EXPECT_EQ(valueOf<void*>(pointer, CL_SVM_INFO_BASE_PTR_KHR, of), memory);
        EXPECT_EQ(valueOf<size_t>(pointer, CL_SVM_INFO_SIZE_KHR, of), kSize);
        EXPECT_EQ(valueOf<cl_device_id>(pointer, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, of), device);
        EXPECT_EQ(propertiesOf(pointer), given);
      }
  }
}

TEST_F(GetSVMPointerInfo, tellsOfClSVMAlloc) {
  unsigned char* coarse = allocated(kSize);
  unsigned char* fine = allocated(kSize, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
  EXPECT_FALSE(valueOf<Capabilities>(coarse, CL_SVM_INFO_CAPABILITIES_KHR) & CL_SVM_CAPABILITY_HOST_READ_KHR);
  EXPECT_TRUE(valueOf<Capabilities>(coarse, CL_SVM_INFO_CAPABILITIES_KHR) & CL_SVM_CAPABILITY_HOST_MAP_KHR);
  EXPECT_TRUE(valueOf<Capabilities>(fine, CL_SVM_INFO_CAPABILITIES_KHR) & CL_SVM_CAPABILITY_HOST_READ_KHR);
  EXPECT_TRUE(valueOf<Capabilities>(fine, CL_SVM_INFO_CAPABILITIES_KHR) & CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR);
  for (unsigned char* memory : {coarse, fine}) {
    EXPECT_EQ(valueOf<size_t>(memory + 1, CL_SVM_INFO_SIZE_KHR), kSize);
    EXPECT_EQ(valueOf<cl_svm_alloc_access_flags_khr>(memory, CL_SVM_INFO_ACCESS_FLAGS_KHR), 0U);
    EXPECT_EQ(valueOf<cl_device_id>(memory, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR), nullptr);
    EXPECT_TRUE(propertiesOf(memory).empty());
  }
}

// Without properties there are none; an empty list is one.
TEST_F(GetSVMPointerInfo, tellsPropertiesAsGiven) {
  EXPECT_TRUE(propertiesOf(made(0, {})).empty());
  EXPECT_EQ(propertiesOf(made(0, {0})), Properties{0});
}

// Addresses of no such allocation give defaults and no error.
TEST_F(GetSVMPointerInfo, tellsOfOtherAddresses) {
  int own = 0;
  unsigned char* memory = made(0);
  const auto usmAlloc = byName<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  void* usm = usmAlloc(context, nullptr, kSize, 0, nullptr);
  for (const void* pointer : {static_cast<const void*>(nullptr), static_cast<const void*>(&own),
                              static_cast<const void*>(memory + kSize), static_cast<const void*>(usm)})
    for (cl_device_id of : {cl_device_id{nullptr}, device}) {
      EXPECT_EQ(valueOf<cl_uint>(pointer, CL_SVM_INFO_TYPE_INDEX_KHR, of), kNone);
      EXPECT_EQ(valueOf<Capabilities>(pointer, CL_SVM_INFO_CAPABILITIES_KHR, of), 0U);
      EXPECT_EQ(valueOf<cl_svm_alloc_access_flags_khr>(pointer, CL_SVM_INFO_ACCESS_FLAGS_KHR, of), 0U);
      EXPECT_EQ(valueOf<void*>(pointer, CL_SVM_INFO_BASE_PTR_KHR, of), nullptr);
      EXPECT_EQ(valueOf<size_t>(pointer, CL_SVM_INFO_SIZE_KHR, of), 0U);
      EXPECT_EQ(valueOf<cl_device_id>(pointer, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, of), nullptr);
      EXPECT_TRUE(propertiesOf(pointer).empty());
    }
  byName<clMemFreeINTEL_fn>("clMemFreeINTEL")(context, usm);
}

TEST_F(GetSVMPointerInfo, invalidContext) {
  EXPECT_CL(CL_INVALID_CONTEXT, info(nullptr, nullptr, nullptr, CL_SVM_INFO_SIZE_KHR, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT,
            info(notAnObject<cl_context>(), nullptr, nullptr, CL_SVM_INFO_SIZE_KHR, 0, nullptr, nullptr));
}

// No device, and one that is not of the context.
TEST_F(GetSVMPointerInfo, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE,
            info(context, reinterpret_cast<cl_device_id>(context), nullptr, CL_SVM_INFO_SIZE_KHR, 0, nullptr, nullptr));
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2) return;
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  ASSERT_SUCCESS(clCreateSubDevices(device, properties, 1, &part, nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, info(context, keep(part), nullptr, CL_SVM_INFO_SIZE_KHR, 0, nullptr, nullptr));
}

// A name that is not known; too little room.
TEST_F(GetSVMPointerInfo, invalidValue) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, info(context, nullptr, made(0), 0x7777, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, info(context, nullptr, made(0), CL_SVM_INFO_SIZE_KHR, sizeof size - 1, &size, nullptr));
}

}  // namespace
}  // namespace clarity::test
