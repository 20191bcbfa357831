// SPDX-License-Identifier: Apache-2.0
// This file tests clSetKernelExecInfo (OpenCL 3.0, section 5.9.2) with the names that extensions add.
#include "shared_memory.h"

#include "api/new_extensions.h"

namespace clarity::test {
namespace {

struct SetKernelExecInfo : SharedMemoryTest {
  cl_kernel follow() {
    return kernel(build("kernel void follow(global int* global* a) { **a = 5; }", "-cl-std=CL3.0"), "follow");
  }
};

constexpr cl_kernel_exec_info kLists[] = {CL_KERNEL_EXEC_INFO_SVM_PTRS, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                                          CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT};
constexpr cl_kernel_exec_info kFlags[] = {
    CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
    CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL};

TEST_F(SetKernelExecInfo, aKernelReachesWhatItIsTold) {
  auto** const pointer = allocated<cl_int*>(1);
  auto* const value = allocated<cl_int>(1);
  *pointer = value;
  *value = 0;
  cl_kernel it = follow();
  void* list[] = {value};
  ASSERT_SUCCESS(clSetKernelExecInfo(it, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list));
  ASSERT_SUCCESS(clSetKernelArgSVMPointer(it, 0, pointer));
  launch(it, 1);
  ASSERT_SUCCESS(clFinish(queue));
  EXPECT_EQ(*value, 5);
}

TEST_F(SetKernelExecInfo, everyName) {
  cl_kernel it = follow();
  int place = 0;
  void* list[] = {blank(), &place, nullptr};
  for (const cl_kernel_exec_info name : kLists) {
    EXPECT_SUCCESS(clSetKernelExecInfo(it, name, sizeof list, list));
    EXPECT_SUCCESS(clSetKernelExecInfo(it, name, 0, nullptr));
  }
  for (const cl_kernel_exec_info name : kFlags)
    for (const cl_bool value : {CL_TRUE, CL_FALSE}) EXPECT_SUCCESS(clSetKernelExecInfo(it, name, sizeof value, &value));
}

// kernel is not a kernel.
TEST_F(SetKernelExecInfo, invalidKernel) {
  const cl_bool yes = CL_TRUE;
  for (const auto& bad : badHandles<cl_kernel>(*this))
    EXPECT_CL(CL_INVALID_KERNEL, driver->clSetKernelExecInfo(bad.handle, kFlags[0], sizeof yes, &yes)) << bad.what;
}

// The name is unknown, the value is missing or of a wrong size.
TEST_F(SetKernelExecInfo, invalidValue) {
  cl_kernel it = follow();
  const cl_bool yes = CL_TRUE;
  void* list[] = {nullptr};
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(it, 0x7777, sizeof yes, &yes));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
  for (const cl_kernel_exec_info name : kLists) {
    EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(it, name, sizeof list, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(it, name, 7, list));
  }
  for (const cl_kernel_exec_info name : kFlags) {
    EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(it, name, sizeof yes, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(it, name, 1, &yes));
    EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(it, name, 0, nullptr));
  }
}

}  // namespace
}  // namespace clarity::test
