// SPDX-License-Identifier: Apache-2.0
// This file tests what launches say of local memory: the code that sets it to zero (cl_khr_initialize_memory) reads how
// much there is.
#include "cuda_stub.h"

#include "compiler/nvptx/launch_abi.h"

namespace clarity::test {
namespace {

struct CudaLocalMemory : CudaStub {
  static inline unsigned long long told = 0, shared = 0;

  void launch(cl_kernel kernel, size_t global, size_t local) {
    told = shared = 0;
    defineKernel("k", [](const ClarityCudaLaunch* launch) {
      compiler::nvptx::LaunchInfo info{};
      std::memcpy(&info, launch->parameters[launch->parameterCount - 1], sizeof info);
      told = info.localBytes;
      shared = launch->sharedBytes;
    });
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
  }
};

constexpr const char* kSource =
    "kernel void k(global int* out, local int* scratch) {\n"
    "  local int own[100]; own[get_local_id(0)] = scratch[get_local_id(0)] = get_global_id(0);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[get_global_id(0)] = own[(get_local_id(0) * 7 + 1) % get_local_size(0)] + scratch[get_local_id(0) / 2]; }";

// The kernel's own and what the argument asks for; all of it lies in the block's shared memory.
TEST_F(CudaLocalMemory, isKnownToTheKernel) {
  const cl_mem out = buffer(1 << 20);
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-clarity-tile=1x1"}) {
    const cl_kernel it = kernel(build(kSource, options), "k");
    EXPECT_SUCCESS(clSetKernelArg(it, 0, sizeof out, &out));
    for (const size_t global : {size_t{64}, size_t{100}, size_t{4096}, size_t{1} << 18}) {
      EXPECT_SUCCESS(clSetKernelArg(it, 1, 300, nullptr));
      launch(it, global, 64);
      EXPECT_GE(told, 400U + 300U) << global;
      EXPECT_GE(shared, told + compiler::nvptx::localBefore) << global;
    }
  }
}

// Kernels of dpnp read an element behind the memory of their argument, which would be an illegal access.
TEST_F(CudaLocalMemory, hasRoomBehindAnArgument) {
  const cl_mem out = buffer(64 * sizeof(cl_int));
  const cl_kernel it = kernel(
      "kernel void reads(global int* out, local int* scratch) {"
      "  const int i = get_local_id(0);"
      "  scratch[i] = i;"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  const int next = scratch[i + 1];"
      "  out[i] = i + 1 < get_local_size(0) ? next : -1; }",
      "reads");
  EXPECT_SUCCESS(clSetKernelArg(it, 0, sizeof out, &out));
  EXPECT_SUCCESS(clSetKernelArg(it, 1, 64 * sizeof(cl_int), nullptr));
  const size_t size = 64;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, it, 1, nullptr, &size, &size, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_EQ(read<cl_int>(out, 64)[62], 63);
}

}  // namespace
}  // namespace clarity::test
