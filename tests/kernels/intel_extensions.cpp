// SPDX-License-Identifier: Apache-2.0
// This file compares the conversions of cl_intel_bfloat16_conversions with the same computed on the host, and uses the
// halves of barriers (cl_intel_split_work_group_barrier).
#include "device_test.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

const char* const ways[] = {"-cl-std=CL3.0 -Werror", "-cl-std=CL1.2 -Werror",
                            "-cl-std=CL3.0 -cl-clarity-packet-width=1", "-cl-std=CL3.0 -cl-clarity-packet-width=4",
                            "-cl-std=CL3.0 -cl-opt-disable"};

class IntelExtensions : public DeviceTest {};

/// To the nearest, of two equally near to the even one.
std::uint16_t bfloat16Of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto below = static_cast<std::uint16_t>(bits >> 16);
  if (std::isnan(x)) return static_cast<std::uint16_t>(below | 0x40);
  const std::uint32_t rest = bits & 0xFFFF;
  return static_cast<std::uint16_t>(below + (rest > 0x8000 || (rest == 0x8000 && (below & 1)) ? 1 : 0));
}

TEST_F(IntelExtensions, bfloat16) {
  constexpr char source[] = R"(
#ifndef cl_intel_bfloat16_conversions
#error extension
#endif
kernel void narrow(global const float* in, global ushort* out, global ushort* vectors) {
  size_t i = get_global_id(0);
  out[i] = intel_convert_bfloat16_as_ushort(in[i]);
  if (i % 16 == 0) {
    vstore2(intel_convert_bfloat162_as_ushort2(vload2(0, in + i)), 0, vectors + i);
    vstore3(intel_convert_bfloat163_as_ushort3(vload3(0, in + i + 2)), 0, vectors + i + 2);
    vstore4(intel_convert_bfloat164_as_ushort4(vload4(0, in + i + 5)), 0, vectors + i + 5);
    vstore8(intel_convert_bfloat168_as_ushort8(vload8(0, in + i + 8)), 0, vectors + i + 8);
  }
}
kernel void narrow16(global const float16* in, global ushort16* out) {
  out[get_global_id(0)] = intel_convert_bfloat1616_as_ushort16(in[get_global_id(0)]);
}
kernel void widen(global const ushort* in, global float* out, global float* vectors) {
  size_t i = get_global_id(0);
  out[i] = intel_convert_as_bfloat16_float(in[i]);
  if (i % 16 == 0) {
    float16 all = intel_convert_as_bfloat1616_float16(vload16(0, in + i));
    all.s01 = intel_convert_as_bfloat162_float2(vload2(0, in + i));
    all.s234 = intel_convert_as_bfloat163_float3(vload3(0, in + i + 2));
    all.s5678 = intel_convert_as_bfloat164_float4(vload4(0, in + i + 5));
    all.s89abcdef = intel_convert_as_bfloat168_float8(vload8(0, in + i + 8));
    vstore16(all, 0, vectors + i);
  }
}
)";
  // Every upper half with the lower halves around what is rounded.
  std::vector<float> in;
  for (std::uint32_t high = 0; high < 0x10000; high += 7)
    for (const std::uint32_t low : {0x0000U, 0x0001U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU})
      in.push_back(std::bit_cast<float>(high << 16 | low));
  in.push_back(std::numeric_limits<float>::max());
  in.push_back(std::numeric_limits<float>::infinity());
  while (in.size() % 16 != 0) in.push_back(-std::numeric_limits<float>::denorm_min());
  std::vector<std::uint16_t> expected, all(65536);
  for (const float x : in) expected.push_back(bfloat16Of(x));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (const char* way : ways) {
    if (!changeCode(way)) continue;
    build(source, way);
    std::vector<std::uint16_t> narrow(in.size()), vectors(in.size()), wide16(in.size());
    cl_mem from = bufferOf(in), to = bufferOf(narrow), toVectors = bufferOf(vectors), to16 = bufferOf(wide16);
    launch("narrow", {in.size()}, {}, from, to, toVectors);
    launch("narrow16", {in.size() / 16}, {}, from, to16);
    take(to, narrow), take(toVectors, vectors), take(to16, wide16);
    clReleaseMemObject(from);
    EXPECT_EQ(narrow, expected) << way;
    EXPECT_EQ(vectors, expected) << way;
    EXPECT_EQ(wide16, expected) << way;

    std::vector<std::uint32_t> wide(all.size()), wideVectors(all.size()), bits;
    for (const std::uint16_t x : all) bits.push_back(std::uint32_t{x} << 16);
    cl_mem halves = bufferOf(all), out = bufferOf(wide), outVectors = bufferOf(wideVectors);
    launch("widen", {all.size()}, {}, halves, out, outVectors);
    take(out, wide), take(outVectors, wideVectors);
    clReleaseMemObject(halves);
    EXPECT_EQ(wide, bits) << way;
    EXPECT_EQ(wideVectors, bits) << way;
  }
}

// Writes before arriving are seen after waiting, whatever is done between.
TEST_F(IntelExtensions, splitBarriers) {
  constexpr char source[] = R"(
#ifndef cl_intel_split_work_group_barrier
#error extension
#endif
kernel void turn(global const int* in, global int* out, global int* shared) {
  local int values[300];
  size_t i = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * n;
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    values[i] = in[first + i] + round;
    shared[first + i] = round * 1000 + (int)i;
#if __OPENCL_C_VERSION__ >= 200
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
#else
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
    int between = in[first + i] * 7;
#if __OPENCL_C_VERSION__ >= 200
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
#else
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
    sum += between + values[n - 1 - i] + shared[first + (i + 1) % n];
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
  out[first + i] = sum;
}
)";
  for (const char* way : ways) {
    if (!changeCode(way)) continue;
    build(source, way);
    for (const std::size_t local : {1, 7, 64, 300}) {
      const std::size_t n = local * 5;
      std::vector<cl_int> in(n), out(n), expected(n);
      for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<cl_int>(i * 37 % 1009);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t first = i / local * local, at = i % local;
        for (int round = 0; round < 3; ++round)
          expected[i] +=
              in[i] * 7 + in[first + local - 1 - at] + round + round * 1000 + static_cast<cl_int>((at + 1) % local);
      }
      cl_mem from = bufferOf(in), to = bufferOf(out), shared = bufferOf(out);
      launch("turn", {n}, {local}, from, to, shared);
      take(to, out);
      for (cl_mem memory : {from, shared}) clReleaseMemObject(memory);
      EXPECT_EQ(out, expected) << way << ", " << local;
    }
  }
}

}  // namespace
