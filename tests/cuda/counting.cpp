// SPDX-License-Identifier: Apache-2.0
// This file tests which launches have their blocks count in shared memory, and how many blocks those have.
#include "compiler/nvptx/launch_abi.h"
#include "cuda_stub.h"

namespace clarity::test {
namespace {

struct CudaCounting : CudaStub {
  static constexpr size_t items = 1 << 20;

  static ClarityCudaLaunch& last() {
    static ClarityCudaLaunch launch;
    return launch;
  }
  cl_kernel counter() {
    defineKernel("count", [](const ClarityCudaLaunch* launch) { last() = *launch; });
    return kernel(
        "kernel void count(global const uchar* in, global uint* bins) {"
        "  atomic_inc(&bins[in[get_global_id(0)]]); }",
        "count");
  }
  /// How a launch was given to the GPU.
  ClarityCudaLaunch launched(cl_kernel kernel, cl_mem in, cl_mem bins, size_t global = items) {
    EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof in, &in));
    EXPECT_SUCCESS(clSetKernelArg(kernel, 1, sizeof bins, &bins));
    const size_t local = 128;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
    return last();
  }
  cl_mem part(cl_mem whole, size_t origin, size_t bytes) {
    const cl_buffer_region region{origin, bytes};
    return created([&](cl_int* error) {
      return clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, error);
    });
  }
};

unsigned sharedBytesOf(size_t bins) { return unsigned(bins + compiler::nvptx::localBefore); }

TEST_F(CudaCounting, blocksCountWhereThatRepaysTheirCopies) {
  const cl_kernel count = counter();
  const cl_mem in = buffer(items), bins = buffer(1024);
  const ClarityCudaLaunch launch = launched(count, in, bins);
  EXPECT_EQ(launch.sharedBytes, sharedBytesOf(1024));
  EXPECT_EQ(launch.block[0], 256U);
  const auto multiprocessors = infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS);
  EXPECT_GE(launch.grid[0], multiprocessors);
  EXPECT_LE(launch.grid[0], 8 * multiprocessors) << "as many as the driver's figures say at once";
  EXPECT_LE(launch.grid[0], items / (8 * 256)) << "eight work-items for each integer of a copy";
}

TEST_F(CudaCounting, otherLaunchesDoNot) {
  const cl_kernel count = counter();
  const cl_mem in = buffer(items), bins = buffer(1024), many = buffer(128 << 10), both = buffer(items + 4096);
  EXPECT_EQ(launched(count, in, many).sharedBytes, 0U) << "too many to have copies of";
  EXPECT_EQ(launched(count, in, bins, 1024).sharedBytes, 0U) << "too few work-items";
  EXPECT_EQ(launched(count, part(both, 0, items), part(both, items, 1024)).sharedBytes, sharedBytesOf(1024));
  EXPECT_EQ(launched(count, both, part(both, items, 1024)).sharedBytes, 0U) << "the kernel reads what it counts in";
}

// Copies for a launch are decided anew when its buffers are others.
TEST_F(CudaCounting, anotherBufferNextTime) {
  const cl_kernel count = counter();
  const cl_mem in = buffer(items), bins = buffer(1024), more = buffer(2048), many = buffer(128 << 10);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(launched(count, in, bins).sharedBytes, sharedBytesOf(1024));
    EXPECT_EQ(launched(count, in, more).sharedBytes, sharedBytesOf(2048));
    EXPECT_EQ(launched(count, in, many).sharedBytes, 0U);
  }
}

}  // namespace
}  // namespace clarity::test
