// SPDX-License-Identifier: Apache-2.0
// This file runs loops whose work-items go through memory together, of more work-items than are taken at a time, and
// with buffers that no cache holds.
#include "device_test.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace {

const char source[] = R"CL(
__kernel void sums(__global const uint* in, __global uint* out, uint n) {
  uint sum = 0, turn = 0;
  const size_t items = get_global_size(0) * get_global_size(1),
      id = get_global_id(1) * get_global_size(0) + get_global_id(0);
  for (size_t i = id; i < n; i += items) sum = sum * 3 + (in[i] ^ turn++);
  out[id] = sum;
}
__kernel void copies(__global const uint* in, __global uint* out, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i] + 1;
}
__kernel __attribute__((reqd_work_group_size(1024, 1, 1))) void trees(__global const uint* in, __global uint* out,
    uint n) {
  __local uint all[1024];
  const uint lid = get_local_id(0);
  uint sum = lid;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  all[lid] = sum;
  for (uint k = 512; k > 0; k >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < k) all[lid] += all[lid + k];
  }
  if (lid == 0) out[get_group_id(0)] = all[0];
}
)CL";

class LargeStrides : public DeviceTest {
protected:
  std::vector<cl_uint> run(const char* name, std::vector<std::size_t> global, const std::vector<cl_uint>& in, cl_uint n,
                           std::size_t results) {
    std::vector<cl_uint> made(results, 7);
    // Larger than the caches: that is where the order of the loops' turns matters.
    cl_mem input = largeBufferOf(in), output = bufferOf(made);
    launch(name, global, {}, input, output, n);
    take(output, made);
    clReleaseMemObject(input);
    return made;
  }

  static std::vector<cl_uint> numbers(std::size_t count) {
    std::vector<cl_uint> result(count);
    for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<cl_uint>(i * 2654435761u >> 3);
    return result;
  }
};

TEST_F(LargeStrides, Sums) {
  build(source, "");
  const std::vector<cl_uint> in = numbers(100'003);
  // Wide, high, and of sizes that pieces and packets do not fill.
  for (const auto& global :
       {std::vector<std::size_t>{4096}, {20'011}, {100'000}, {200'000}, {300, 50}, {5000, 3}, {7, 3001}, {1, 9000}})
    for (const cl_uint n : {100'003u, 1000u, 0u}) {
      std::size_t items = 1;
      for (const std::size_t size : global) items *= size;
      const std::vector<cl_uint> made = run("sums", global, in, n, items);
      for (std::size_t id = 0; id < items; ++id) {
        cl_uint sum = 0, turn = 0;
        for (std::size_t i = id; i < n; i += items) sum = sum * 3 + (in[i] ^ turn++);
        ASSERT_EQ(made[id], sum) << "work-item " << id << " of " << global[0] << " x " << items / global[0]
                                 << ", n = " << n;
      }
    }
}

TEST_F(LargeStrides, CopiesPastTheCaches) {
  build(source, "");
  const cl_ulong cache = cacheBytes();
  const std::size_t count = cache / 4 + 12'345;
  if (count > std::size_t{1} << 27) GTEST_SKIP() << "the cache holds " << cache << " bytes";
  const std::vector<cl_uint> in = numbers(count);
  const std::vector<cl_uint> made = run("copies", {10'007}, in, static_cast<cl_uint>(count - 5), count);
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(made[i], i < count - 5 ? in[i] + 1 : 7) << i;
}

TEST_F(LargeStrides, Trees) {
  build(source, "");
  const std::vector<cl_uint> in = numbers(100'003);
  for (const std::size_t groups : {1, 3, 8})
    for (const cl_uint n : {100'003u, 1025u, 1u}) {
      const std::vector<cl_uint> made = run("trees", {groups * 1024}, in, n, groups);
      std::vector<cl_uint> expected(groups, 1023 * 1024 / 2);
      for (std::size_t i = 0; i < n; ++i) expected[i / 1024 % groups] += in[i];
      EXPECT_EQ(made, expected) << groups << " work-groups, n = " << n;
    }
}

}  // namespace
