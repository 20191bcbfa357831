// SPDX-License-Identifier: Apache-2.0
// This file tests clSVMFreeWithPropertiesKHR (cl_khr_unified_svm) and the other ways to free such memory.
#include "unified_svm.h"

namespace clarity::test {
namespace {

struct SVMFreeWithProperties : UnifiedSvmTest {
  void* raw(cl_uint type) { return allocate(context, needed(type).data(), type, kSize, nullptr); }
  bool isKnown(const void* memory) { return valueOf<cl_uint>(memory, CL_SVM_INFO_TYPE_INDEX_KHR) != kNone; }
};

// Memory of both functions is freed by both.
TEST_F(SVMFreeWithProperties, freesEveryType) {
  for (cl_uint type = 0; type < types.size(); ++type) {
    void* first = raw(type);
    EXPECT_TRUE(isKnown(first));
    EXPECT_SUCCESS(free(context, nullptr, 0, first));
    EXPECT_FALSE(isKnown(first));
    void* second = raw(type);
    clSVMFree(context, second);
    EXPECT_FALSE(isKnown(second));
    void* third = raw(type);
    ASSERT_SUCCESS(clEnqueueSVMFree(queue, 1, &third, nullptr, nullptr, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFinish(queue));
    EXPECT_FALSE(isKnown(third));
  }
  const cl_svm_free_properties_khr none[] = {0};
  EXPECT_SUCCESS(free(context, none, 0, clSVMAlloc(context, CL_MEM_READ_WRITE, kSize, 0)));
  EXPECT_SUCCESS(free(context, nullptr, 0, nullptr));
}

// context is not a valid context.
TEST_F(SVMFreeWithProperties, invalidContext) {
  void* memory = made(0);
  EXPECT_CL(CL_INVALID_CONTEXT, free(nullptr, nullptr, 0, memory));
  EXPECT_CL(CL_INVALID_CONTEXT, free(notAnObject<cl_context>(), nullptr, 0, memory));
}

// There are no properties.
TEST_F(SVMFreeWithProperties, invalidProperty) {
  const cl_svm_free_properties_khr properties[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 4, 0};
  EXPECT_CL(CL_INVALID_PROPERTY, free(context, properties, 0, made(0)));
}

// Flags, of which there are none; pointers into the middle, from elsewhere, freed, of another context, and those of
// cl_intel_unified_shared_memory.
TEST_F(SVMFreeWithProperties, invalidValue) {
  unsigned char* memory = made(0);
  EXPECT_CL(CL_INVALID_VALUE, free(context, nullptr, 1, memory));
  EXPECT_CL(CL_INVALID_VALUE, free(context, nullptr, 0, memory + 1));
  int own = 0;
  EXPECT_CL(CL_INVALID_VALUE, free(context, nullptr, 0, &own));
  EXPECT_CL(CL_INVALID_VALUE, free(otherContext(), nullptr, 0, memory));
  void* freed = raw(0);
  EXPECT_SUCCESS(free(context, nullptr, 0, freed));
  EXPECT_CL(CL_INVALID_VALUE, free(context, nullptr, 0, freed));
  const auto usmAlloc = byName<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  const auto usmFree = byName<clMemFreeINTEL_fn>("clMemFreeINTEL");
  void* usm = usmAlloc(context, nullptr, kSize, 0, nullptr);
  EXPECT_CL(CL_INVALID_VALUE, free(context, nullptr, 0, usm));
  EXPECT_SUCCESS(usmFree(context, usm));
  EXPECT_CL(CL_INVALID_VALUE, usmFree(context, memory));
}

}  // namespace
}  // namespace clarity::test
