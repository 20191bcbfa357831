// SPDX-License-Identifier: Apache-2.0
// This file finds the controls of the stub that the driver has opened.
#include "cuda_stub.h"

#include <dlfcn.h>

#include <cstring>

namespace clarity::test {
namespace {

CudaStub* running = nullptr;

}  // namespace

CudaStub& CudaStub::current() { return *running; }

void CudaStub::SetUp() {
  running = this;
  OpenCL::SetUp();
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr) << "the driver has not opened the stub: LD_LIBRARY_PATH, CLARITY_DEVICES";
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    ASSERT_NE(function, nullptr) << name;
  };
  find(defineKernel, "clarityCudaDefineKernel");
  find(fault, "clarityCudaFault");
  find(memory, "clarityCudaMemory");
  find(failCall, "clarityCudaFailCall");
  find(calls, "clarityCudaCalls");
  find(timedRecords, "clarityCudaTimedRecords");
  find(holdKernels, "clarityCudaHoldKernels");
  find(delay, "clarityCudaDelay");
  find(maxThreads, "clarityCudaMaxThreads");
  find(defineOccupancy, "clarityCudaDefineOccupancy");
  find(readCounts, "clarityCudaCounts");
}

void CudaStub::TearDown() {
  if (failCall) failCall(nullptr, 0, 0);
  if (holdKernels) holdKernels(0);
  if (defineOccupancy) defineOccupancy(nullptr);
  if (delay) delay(0);
  if (maxThreads) maxThreads(1024);
  OpenCL::TearDown();
}

void CudaStub::add(const ClarityCudaLaunch* launch) {
  cl_int value = 0;
  std::memcpy(&value, launch->parameters[1], sizeof value);
  at<cl_int>(launch, 0) += value;
}

cl_kernel CudaStub::adder(cl_mem data, cl_int value) {
  defineKernel("add", add);
  cl_kernel made = kernel("kernel void add(global int* data, int value) { *data += value; }", "add");
  EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof data, &data));
  EXPECT_SUCCESS(clSetKernelArg(made, 1, sizeof value, &value));
  return made;
}

void CudaStub::launchOne(cl_command_queue queueOfLaunch, cl_kernel kernel, const std::vector<cl_event>& after,
                         cl_event* event) {
  const size_t one = 1;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queueOfLaunch, kernel, 1, nullptr, &one, &one, cl_uint(after.size()),
                                        after.empty() ? nullptr : after.data(), event));
}

}  // namespace clarity::test
