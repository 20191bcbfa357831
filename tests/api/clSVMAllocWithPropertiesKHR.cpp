// SPDX-License-Identifier: Apache-2.0
// This file tests clSVMAllocWithPropertiesKHR (cl_khr_unified_svm): memory of every type in kernels and commands, the
// queries of types, and every error.
#include "unified_svm.h"

#include <cstdint>
#include <cstring>

namespace clarity::test {
namespace {

struct SVMAllocWithProperties : UnifiedSvmTest {
  void expectError(cl_int code, const Properties& properties, cl_uint type, size_t size = kSize) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(allocate(context, properties.data(), type, size, &error), nullptr);
    EXPECT_CL(code, error);
    EXPECT_EQ(allocate(context, properties.data(), type, size, nullptr), nullptr);
  }
};

TEST_F(SVMAllocWithProperties, isReported) {
  EXPECT_NE(infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS).find("cl_khr_unified_svm"), std::string::npos);
  for (const cl_name_version& each :
       infoVectorOf<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS_WITH_VERSION))
    if (std::strcmp(each.name, "cl_khr_unified_svm") == 0) EXPECT_EQ(each.version, CL_MAKE_VERSION(0, 9, 0));
  EXPECT_EQ(infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR), 1U);
}

// A device has at least what the platform has of a type, or nothing. No two types are the same; what is owned by a
// device belongs to one, what is owned by the host to none.
TEST_F(SVMAllocWithProperties, typesAreConsistent) {
  const auto ofDevice = infoVectorOf<Capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR);
  ASSERT_EQ(ofDevice.size(), types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    EXPECT_TRUE(ofDevice[i] == 0 || (ofDevice[i] & types[i]) == types[i]) << i;
    for (size_t k = 0; k < i; ++k) EXPECT_NE(types[i], types[k]);
    if (types[i] & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR)
      EXPECT_FALSE(types[i] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR) << i;
    if (types[i] & CL_SVM_CAPABILITY_HOST_OWNED_KHR)
      EXPECT_TRUE(types[i] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR) << i;
  }
  expectSizesChecked(clGetPlatformInfo, platform, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR);
  expectSizesChecked(clGetDeviceInfo, device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR);
}

// Written by a kernel that is given the pointer, one into the middle, and one that finds it in memory.
TEST_F(SVMAllocWithProperties, kernelsUseEveryType) {
  cl_program program = build(R"(
    kernel void direct(global int* p, global ulong* place) { p[get_global_id(0)] = 7; place[0] = (ulong)p; }
    kernel void indirect(global int* p, global ulong* place) {
      ((global int*)place[0])[get_global_id(0)] += p[0];
    }
  )");
  cl_mem place = buffer(sizeof(cl_ulong));
  const size_t items = kSize / 8;
  for (cl_uint type = 0; type < types.size(); ++type) {
    SCOPED_TRACE(type);
    unsigned char* memory = made(type);
    auto* const middle = reinterpret_cast<cl_int*>(memory + kSize / 2);
    for (const char* name : {"direct", "indirect"}) {
      cl_kernel its = kernel(program, name);
      ASSERT_SUCCESS(clSetKernelArgSVMPointer(its, 0, middle));
      ASSERT_SUCCESS(clSetKernelArg(its, 1, sizeof place, &place));
      const cl_bool yes = CL_TRUE;
      EXPECT_SUCCESS(clSetKernelExecInfo(its, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof yes, &yes));
      launch(its, items);
    }
    EXPECT_EQ(read<cl_ulong>(place, 1)[0], reinterpret_cast<std::uintptr_t>(middle));
    std::vector<cl_int> values(items);
    ASSERT_SUCCESS(
        clEnqueueSVMMemcpy(queue, CL_TRUE, values.data(), middle, items * sizeof(cl_int), 0, nullptr, nullptr));
    // The first work-item may have changed what the others add.
    EXPECT_EQ(values[0], 14);
  }
}

TEST_F(SVMAllocWithProperties, commandsUseEveryType) {
  for (cl_uint type = 0; type < types.size(); ++type) {
    SCOPED_TRACE(type);
    unsigned char* memory = made(type);
    const cl_uint pattern = 0xABCD0123;
    ASSERT_SUCCESS(clEnqueueSVMMemFill(queue, memory, &pattern, 4, kSize, 0, nullptr, nullptr));
    if (types[type] & CL_SVM_CAPABILITY_HOST_MAP_KHR) {
      ASSERT_SUCCESS(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, kSize, 0, nullptr, nullptr));
      EXPECT_EQ(std::memcmp(memory + kSize - 4, &pattern, 4), 0);
      ASSERT_SUCCESS(clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr));
    }
    const void* pointers[] = {memory, nullptr};
    ASSERT_SUCCESS(clEnqueueSVMMigrateMem(queue, 2, pointers, nullptr, 0, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(queue));
  }
}

TEST_F(SVMAllocWithProperties, takesItsProperties) {
  for (cl_uint type = 0; type < types.size(); ++type)
    for (cl_svm_alloc_properties_khr alignment = 1; alignment <= 128; alignment *= 2) {
      unsigned char* memory = made(type,
                                   {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, ofDevice(), CL_SVM_ALLOC_ALIGNMENT_KHR,
                                    alignment, CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
                                    CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR, 0},
                                   3);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
    }
}

// No bytes are no error, here and in clSVMAlloc, and a copy and a fill of none may have null pointers.
TEST_F(SVMAllocWithProperties, noBytes) {
  for (cl_uint type = 0; type < types.size(); ++type) {
    cl_int error = CL_INVALID_VALUE;
    EXPECT_EQ(allocate(context, needed(type).data(), type, 0, &error), nullptr);
    EXPECT_SUCCESS(error);
  }
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0), nullptr);
  EXPECT_FALSE(wasNotified("")) << allNotified();
  cl_int value = 0;
  EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, nullptr, &value, 0, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, &value, nullptr, 0, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, nullptr, &value, 4, 0, 0, nullptr, nullptr));
  void* none[] = {nullptr};
  EXPECT_SUCCESS(clEnqueueSVMFree(queue, 1, none, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
}

// context is not a valid context.
TEST_F(SVMAllocWithProperties, invalidContext) {
  for (cl_context wrong : {cl_context{nullptr}, notAnObject<cl_context>(), reinterpret_cast<cl_context>(device)}) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(allocate(wrong, nullptr, 0, kSize, &error), nullptr);
    EXPECT_CL(CL_INVALID_CONTEXT, error);
  }
}

// A name that is not known, one that is given twice, values that are not valid, and no device where one is needed.
TEST_F(SVMAllocWithProperties, invalidProperty) {
  expectError(CL_INVALID_PROPERTY, {0x7777, 0, 0}, 0);
  expectError(CL_INVALID_PROPERTY, {CL_SVM_ALLOC_ALIGNMENT_KHR, 4, CL_SVM_ALLOC_ALIGNMENT_KHR, 4, 0}, 0);
  for (const cl_svm_alloc_properties_khr alignment : {3, 256, 1 << 20, -1})
    expectError(CL_INVALID_PROPERTY, {CL_SVM_ALLOC_ALIGNMENT_KHR, alignment, 0}, 0);
  for (const cl_svm_alloc_properties_khr flags : {1 << 2, 1 << 10, -1})
    expectError(CL_INVALID_PROPERTY, {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, flags, 0}, 0);
  for (void* wrong : {static_cast<void*>(context), static_cast<void*>(notAnObject<cl_device_id>())})
    expectError(CL_INVALID_PROPERTY,
                {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, reinterpret_cast<cl_svm_alloc_properties_khr>(wrong), 0},
                0);
  for (cl_uint type = 0; type < types.size(); ++type)
    if (!(types[type] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR)) expectError(CL_INVALID_PROPERTY, {0}, type);
}

// svm_type_index is not that of a type.
TEST_F(SVMAllocWithProperties, invalidValue) {
  expectError(CL_INVALID_VALUE, {0}, static_cast<cl_uint>(types.size()));
  expectError(CL_INVALID_VALUE, {0}, kNone);
}

TEST_F(SVMAllocWithProperties, outOfResources) { expectError(CL_OUT_OF_RESOURCES, {0}, 0, ~size_t{0} / 2); }

}  // namespace
}  // namespace clarity::test
