// SPDX-License-Identifier: Apache-2.0
// This file checks what the entry points of shared virtual memory answer on a device without it (OpenCL 3.0,
// section 5.6).
#include "absent_features.h"

namespace clarity::test {
namespace {

/// An enqueue that is given memory of the application, which no command may write.
using SvmEnqueue = cl_int (*)(const cl_icd_dispatch& driver, unsigned char* bytes, cl_command_queue queue,
                              cl_uint waits, const cl_event* waitList, cl_event* event);
void expectSvmEnqueueFails(OpenCL& test, SvmEnqueue enqueue) {
  alignas(128) unsigned char bytes[256];
  const std::vector<unsigned char> before = countingBytes(sizeof bytes);
  std::copy(before.begin(), before.end(), bytes);
  expectEnqueueFails(test, [&](cl_command_queue queue, cl_uint waits, const cl_event* waitList, cl_event* event) {
    return enqueue(*test.driver, bytes, queue, waits, waitList, event);
  });
  EXPECT_SUCCESS(clFinish(test.queue));
  EXPECT_EQ(std::vector<unsigned char>(bytes, bytes + sizeof bytes), before)
      << "a command that was refused has written";
}

#define ENQUEUE(...)                                                                                      \
  [](OpenCL& test) {                                                                                      \
    expectSvmEnqueueFails(test,                                                                           \
                          [](const cl_icd_dispatch& driver, unsigned char* bytes, cl_command_queue queue, \
                             cl_uint waits, const cl_event* waitList, cl_event* event) -> cl_int {        \
                            void* list[] = {bytes};                                                       \
                            const void* constList[] = {bytes};                                            \
                            (void)list, (void)constList;                                                  \
                            return driver.__VA_ARGS__;                                                    \
                          });                                                                             \
  }

// There is no error code: NULL says that no device of the context has it.
void svmAlloc(OpenCL& test) {
  EXPECT_EQ(clSVMAlloc(test.context, CL_MEM_READ_WRITE, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(test.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 128), nullptr);
  EXPECT_EQ(clSVMAlloc(test.context, CL_MEM_READ_WRITE, 0, 0), nullptr);
  for (const auto& bad : badHandles<cl_context>(test))
    EXPECT_EQ(test.driver->clSVMAlloc(bad.handle, CL_MEM_READ_WRITE, 64, 0), nullptr) << "the context is " << bad.what;
}

// NULL is ignored, and on a device without SVM every pointer is: nothing is freed that the application still uses.
void svmFree(OpenCL& test) {
  clSVMFree(test.context, nullptr);
  auto mine = std::make_unique<std::vector<unsigned char>>(64, 5);
  clSVMFree(test.context, mine->data());
  EXPECT_EQ(*mine, std::vector<unsigned char>(64, 5));
  for (const auto& bad : badHandles<cl_context>(test)) test.driver->clSVMFree(bad.handle, nullptr);
}

void setKernelArgSVMPointer(OpenCL& test) {
  int place = 0;
  expectKernelCallFails(test, [&](cl_kernel of) { return test.driver->clSetKernelArgSVMPointer(of, 0, &place); });
  // The argument is not set by it.
  cl_kernel kernel = test.kernel("kernel void test(global int* r) { *r = 1; }", "test");
  EXPECT_CL(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(kernel, 0, &place));
  const size_t global = 1;
  EXPECT_CL(CL_INVALID_KERNEL_ARGS,
            clEnqueueNDRangeKernel(test.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  // arg_index is not that of an argument: which of the two errors comes first is open.
  const cl_int error = clSetKernelArgSVMPointer(kernel, 9, &place);
  EXPECT_TRUE(error == CL_INVALID_ARG_INDEX || error == CL_INVALID_OPERATION) << errorName(error);
}

void setKernelExecInfo(OpenCL& test) {
  int place = 0;
  void* pointers[1] = {&place};
  const cl_bool yes = CL_TRUE;
  const cl_kernel_exec_info list = CL_KERNEL_EXEC_INFO_SVM_PTRS, system = CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
  expectKernelCallFails(
      test, [&](cl_kernel of) { return test.driver->clSetKernelExecInfo(of, list, sizeof pointers, &pointers); });
  expectKernelCallFails(test,
                        [&](cl_kernel of) { return test.driver->clSetKernelExecInfo(of, system, sizeof yes, &yes); });
  // param_name is not valid.
  cl_kernel kernel = test.kernel("kernel void test(global int* r) { *r = 1; }", "test");
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0x7777, sizeof yes, &yes));
  EXPECT_TRUE(test.wasNotifiedOf(0x7777)) << test.allNotified();
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0, 0, nullptr));
  // A value is missing or of a wrong size: which of the two errors comes first is open.
  for (cl_int error :
       {clSetKernelExecInfo(kernel, list, sizeof pointers, nullptr), clSetKernelExecInfo(kernel, system, 1, &yes)})
    EXPECT_TRUE(error == CL_INVALID_VALUE || error == CL_INVALID_OPERATION) << errorName(error);
}

}  // namespace

AbsentFeature sharedVirtualMemory() {
  return {
      "sharedVirtualMemory",
      {CL_DEVICE_SVM_CAPABILITIES},
      {},
      {"cl_arm_shared_virtual_memory", "cl_intel_unified_shared_memory"},
      {"SVM", "KernelExecInfo"},
      {{"clSVMAlloc", svmAlloc},
       {"clSVMFree", svmFree},
       {"clEnqueueSVMFree", ENQUEUE(clEnqueueSVMFree(queue, 1, list, nullptr, nullptr, waits, waitList, event))},
       {"clEnqueueSVMMemcpy",
        ENQUEUE(clEnqueueSVMMemcpy(queue, CL_TRUE, bytes, bytes + 128, 64, waits, waitList, event))},
       {"clEnqueueSVMMemFill", ENQUEUE(clEnqueueSVMMemFill(queue, bytes, bytes + 128, 4, 64, waits, waitList, event))},
       {"clEnqueueSVMMap", ENQUEUE(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, bytes, 64, waits, waitList, event))},
       {"clEnqueueSVMUnmap", ENQUEUE(clEnqueueSVMUnmap(queue, bytes, waits, waitList, event))},
       {"clEnqueueSVMMigrateMem",
        ENQUEUE(clEnqueueSVMMigrateMem(queue, 1, constList, nullptr, 0, waits, waitList, event))},
       {"clSetKernelArgSVMPointer", setKernelArgSVMPointer},
       {"clSetKernelExecInfo", setKernelExecInfo}},
      true};
}

}  // namespace clarity::test
