// SPDX-License-Identifier: Apache-2.0
// This file is the kernel of most tests on the stub.
#include "cuda_stub.h"

#include <cstring>

namespace clarity::test {
namespace {

CudaStub* running = nullptr;

}  // namespace

CudaStub& CudaStub::current() { return *running; }

void CudaStub::SetUp() {
  running = this;
  OpenCL::SetUp();
  ASSERT_TRUE(openControls()) << "the driver has not opened the stub: LD_LIBRARY_PATH, CLARITY_DEVICES";
}

void CudaStub::TearDown() {
  resetControls();
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
