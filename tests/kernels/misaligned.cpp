// SPDX-License-Identifier: Apache-2.0
// This file accesses vectors at addresses that are multiples of their elements only, as programs do that cast pointers
// to floats. The standard asks for more; CPUs and the implementations for them do not.
#include "device_test.h"

#include <string>
#include <vector>

namespace {

const char source[] = R"CL(
typedef struct { float4 v; float x; } S;
__kernel void loads(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  const float4 v = *(__global const float4*)(in + 4 * g + shift);
  out[g] = v.x + 2 * v.y + 4 * v.z + 8 * v.w;
}
__kernel void typed(__global const float4* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  const float4 v = in[g];
  out[g] = v.x + 2 * v.y + 4 * v.z + 8 * v.w;
}
__kernel void next_to_each_other(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  const float4 v = *(__global const float4*)(in + g + shift);
  out[g] = v.x + 2 * v.y + 4 * v.z + 8 * v.w;
}
__kernel void some(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  out[g] = 0;
  if (g % 3 != shift % 3) {
    const float4 v = *(__global const float4*)(in + 4 * g + shift);
    out[g] = v.x + 2 * v.y + 4 * v.z + 8 * v.w;
  }
}
__kernel void one(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  const float8 v = *(__global const float8*)(in + shift);
  out[g] = v.s0 + v.s7 * g;
}
__kernel void stores(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  *(__global float4*)(out + 4 * g + shift) = (float4)(g, g + 1, g + 2, g + 3);
}
__kernel void some_stores(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  if (g % 3 != shift % 3) *(__global float4*)(out + 4 * g + shift) = (float4)(g, g + 1, g + 2, g + 3);
}
__kernel void copies(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  *(__global S*)(out + 8 * g + shift) = *(__global const S*)(in + 8 * g + shift);
}
__kernel void through_local(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0), l = get_local_id(0);
  local float tile[4 * 16 + 8];
  *(local float4*)(tile + 4 * l + shift) = vload4(g, in);
  barrier(CLK_LOCAL_MEM_FENCE);
  const float4 v = *(local float4*)(tile + 4 * (15 - l) + shift);
  out[g] = v.x + 2 * v.y + 4 * v.z + 8 * v.w;
}
__kernel void through_private(__global const float* in, __global float* out, int shift) {
  const int g = get_global_id(0);
  float mine[12];
  for (int i = 0; i < 12; ++i) mine[i] = in[g + i];
  *(float4*)(mine + shift) *= 2.0f;
  const float4 v = *(float4*)(mine + shift + g % 2);
  out[g] = v.x + 2 * v.y + 4 * v.z + 8 * v.w;
}
)CL";

class Misaligned : public DeviceTest, public testing::WithParamInterface<const char*> {};

TEST_P(Misaligned, VectorsAreLoadedAndStored) {
  cl_device_type type = 0;
  clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  if (type != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "GPUs do not access such addresses";
  build(source, GetParam());
  constexpr std::size_t items = 96, room = 16;
  const auto combined = [](const std::vector<float>& from, std::size_t at) {
    return from[at] + 2 * from[at + 1] + 4 * from[at + 2] + 8 * from[at + 3];
  };
  for (cl_int shift = 0; shift < 4; ++shift) {
    std::vector<float> in(items * 8 + room);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 37 % 101);
    const auto s = static_cast<std::size_t>(shift);
    const auto run = [&](const char* name, std::size_t count) {
      std::vector<float> made(count, -1);
      cl_mem input = bufferOf(in), output = bufferOf(made);
      launch(name, {items}, {16}, input, output, shift);
      clReleaseMemObject(input);
      take(output, made);
      return made;
    };
    const auto loads = run("loads", items), neighbours = run("next_to_each_other", items), some = run("some", items),
               one = run("one", items), local = run("through_local", items), own = run("through_private", items);
    const auto stores = run("stores", items * 8 + room), someStores = run("some_stores", items * 8 + room),
               copies = run("copies", items * 8 + room);
    for (std::size_t g = 0; g < items; ++g) {
      const bool taken = g % 3 != s % 3;
      ASSERT_EQ(loads[g], combined(in, 4 * g + s)) << "work-item " << g << ", shift " << shift;
      ASSERT_EQ(neighbours[g], combined(in, g + s)) << "work-item " << g << ", shift " << shift;
      ASSERT_EQ(some[g], taken ? combined(in, 4 * g + s) : 0) << "work-item " << g << ", shift " << shift;
      ASSERT_EQ(one[g], in[s] + in[s + 7] * static_cast<float>(g)) << "work-item " << g << ", shift " << shift;
      ASSERT_EQ(local[g], combined(in, 4 * (g / 16 * 16 + 15 - g % 16))) << "work-item " << g << ", shift " << shift;
      std::vector<float> mine(in.begin() + static_cast<std::ptrdiff_t>(g),
                              in.begin() + static_cast<std::ptrdiff_t>(g) + 12);
      for (std::size_t i = 0; i < 4; ++i) mine[s + i] *= 2;
      ASSERT_EQ(own[g], combined(mine, s + g % 2)) << "work-item " << g << ", shift " << shift;
      for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_EQ(stores[4 * g + s + i], static_cast<float>(g + i)) << "work-item " << g << ", shift " << shift;
        ASSERT_EQ(someStores[4 * g + s + i], taken ? static_cast<float>(g + i) : -1)
            << "work-item " << g << ", shift " << shift;
      }
      for (std::size_t i = 0; i < 5; ++i)
        ASSERT_EQ(copies[8 * g + s + i], in[8 * g + s + i]) << "work-item " << g << ", shift " << shift;
    }
  }
}

/// A pointer to vectors into the middle of shared memory is not aligned as its type says.
TEST_P(Misaligned, ArgumentsOfVectorsLeadAnywhere) {
  cl_device_type type = 0;
  clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  if (type != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "GPUs do not access such addresses";
  build(source, GetParam());
  constexpr std::size_t items = 64;
  auto* in = static_cast<float*>(clSVMAlloc(context_, CL_MEM_READ_WRITE, (items * 4 + 4) * sizeof(float), 0));
  ASSERT_NE(in, nullptr);
  ASSERT_EQ(clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_WRITE, in, (items * 4 + 4) * sizeof(float), 0, nullptr, nullptr),
            CL_SUCCESS);
  for (std::size_t i = 0; i < items * 4 + 4; ++i) in[i] = static_cast<float>(i % 61);
  const std::vector<float> copy(in, in + items * 4 + 4);
  clEnqueueSVMUnmap(queue_, in, 0, nullptr, nullptr);
  std::vector<float> made(items);
  cl_mem output = bufferOf(made);
  cl_kernel kernel = clCreateKernel(program_, "typed", nullptr);
  const cl_int shift = 0;
  const std::size_t global = items, local = 16;
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 0, in + 1), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof output, &output), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel, 2, sizeof shift, &shift), CL_SUCCESS);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
  take(output, made);
  clReleaseKernel(kernel);
  for (std::size_t g = 0; g < items; ++g)
    ASSERT_EQ(made[g], copy[4 * g + 1] + 2 * copy[4 * g + 2] + 4 * copy[4 * g + 3] + 8 * copy[4 * g + 4]);
  clSVMFree(context_, in);
}

INSTANTIATE_TEST_SUITE_P(Builds, Misaligned,
                         testing::Values("", "-cl-opt-disable", "-cl-clarity-packet-width=1",
                                         "-cl-clarity-packet-width=16"));

}  // namespace
