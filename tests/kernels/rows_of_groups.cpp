// SPDX-License-Identifier: Apache-2.0
// This file runs work-groups that take a part of a buffer each, and each work-item a row of it. The last rows end
// early, or begin behind the end: their loops have no iteration, and what is in the buffer there must not be read.
#include "device_test.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace {

const char source[] = R"CL(
#define GROUPS __kernel __attribute__((reqd_work_group_size(256, 1, 1)))
GROUPS void by_32_bits(ulong n, __global const ulong* in, __global const uchar* heads, __global ulong* out) {
  const uint l = get_local_id(0);
  const ulong begin = get_group_id(0) * 4096, end = min(n, begin + 4096);
  const uint count = (uint)(end - begin);
  ulong sum = 0;
  for (uint i = l * 16; i < min(count, (l + 1) * 16); ++i) sum = sum * 3 + in[begin + i];
  out[get_global_id(0)] = sum;
}
GROUPS void by_64_bits(ulong n, __global const ulong* in, __global const uchar* heads, __global ulong* out) {
  const uint l = get_local_id(0);
  const ulong begin = get_group_id(0) * 4096, end = min(n, begin + 4096);
  ulong sum = 0;
  for (ulong i = begin + l * 16; i < min(end, begin + (l + 1) * 16); ++i) sum = sum * 3 + in[i];
  out[get_global_id(0)] = sum;
}
GROUPS void with_heads(ulong n, __global const ulong* in, __global const uchar* heads, __global ulong* out) {
  __local ulong part[256];
  const uint l = get_local_id(0);
  const ulong begin = get_group_id(0) * 4096, end = min(n, begin + 4096);
  const uint count = (uint)(end - begin);
  ulong sum = 0;
  for (uint i = l * 16; i < min(count, (l + 1) * 16); ++i) {
    if (heads && heads[begin + i]) sum = 0;
    sum = sum * 3 + in[begin + i];
  }
  part[255 - l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[255 - l];
}
)CL";

using RowsOfGroups = DeviceTest;

TEST_F(RowsOfGroups, EndInTheMiddle) {
  constexpr std::size_t groups = 18, items = groups * 256, all = groups * 4096;
  std::vector<cl_ulong> in(all);
  std::vector<cl_uchar> heads(all);
  for (std::size_t i = 0; i < all; ++i) {
    in[i] = i * 2654435761u >> 3;
    heads[i] = i % 37 == 5;
  }
  build(source, "");
  for (const char* name : {"by_32_bits", "by_64_bits", "with_heads"})
    for (const cl_ulong n : {70'001ul, 70'007ul, 73'000ul, 73'728ul})
      for (const bool hasHeads : {false, true}) {
        cl_mem input = bufferOf(in), marks = bufferOf(heads);
        std::vector<cl_ulong> made(items, 7);
        cl_mem output = bufferOf(made);
        for (int turn = 0; turn < 3; ++turn)
          launch(name, {items}, {256}, n, input, hasHeads ? marks : cl_mem{}, output);
        take(output, made);
        clReleaseMemObject(marks);
        clReleaseMemObject(input);
        const bool restarts = hasHeads && std::string(name) == "with_heads";
        for (std::size_t id = 0; id < items; ++id) {
          cl_ulong sum = 0;
          for (std::size_t i = id * 16; i < std::min<std::size_t>(n, id * 16 + 16); ++i)
            sum = (restarts && heads[i] ? 0 : sum) * 3 + in[i];
          ASSERT_EQ(made[id], sum) << name << ", work-item " << id << ", n = " << n << (hasHeads ? ", heads" : "");
        }
      }
}

}  // namespace
