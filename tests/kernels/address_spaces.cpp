// SPDX-License-Identifier: Apache-2.0
// This file asks kernels which memory generic pointers lead to (OpenCL C 3.0, 6.15.10), known to the compiler and not.
#include "device_test.h"

#include <array>
#include <numeric>
#include <vector>

namespace {

const char source[] = R"CL(
// 1 global, 2 local, 4 private; 8 for each fence flag.
int kindOf(int* p) {
  return (to_global(p) != 0) + 2 * (to_local(p) != 0) + 4 * (to_private(p) != 0) + 8 * (int)get_fence(p);
}
__attribute__((noinline)) int kindAsked(int* p) { return kindOf(p); }

__kernel void known(__global int* out, __global int* data, __local int* given) {
  const size_t id = get_global_id(0);
  int mine = (int)id;
  __local int shared[4];
  out[4 * id] = kindOf(data + id);
  out[4 * id + 1] = kindOf(given + 1);
  out[4 * id + 2] = kindOf(shared + id % 4);
  out[4 * id + 3] = kindOf(&mine);
}

__kernel void chosen(__global int* out, __global int* data, __local int* given) {
  const size_t id = get_global_id(0);
  int mine[3] = {(int)id, (int)id + 1, (int)id + 2};
  __local int shared[4];
  int* p = id % 4 == 0 ? (int*)(data + id) : id % 4 == 1 ? (int*)(given + 1) : id % 4 == 2 ? (int*)shared
           : (int*)(mine + id % 3);
  out[4 * id] = kindOf(p);
  out[4 * id + 1] = kindAsked(p);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[4 * id + 2] = kindAsked(p);
  out[4 * id + 3] = kindOf(mine + out[4 * id] % 3);
}

// Local memory is written in whole vectors, which reach from the first array into the second.
__kernel void neighbours(__global int* out, __global const int* in, __local int* restrict odd,
                         __local int* restrict next) {
  const int id = get_local_id(0);
  odd[2 * id + 1] = id;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int sum = odd[2 * (in[id] % 16) + 1];
  next[id] = in[id] + 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  odd[2 * id + 1] = in[id] + 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum + 100 * next[in[id] % 16] + 10000 * odd[2 * (in[id] % 16) + 1];
}
)CL";

class AddressSpaces : public DeviceTest {
protected:
  std::vector<cl_int> run(const char* name, const char* options, cl_int* data) {
    build(source, std::string("-cl-std=CL3.0 ") + options);
    std::vector<cl_int> made(4 * items);
    cl_mem output = bufferOf(made);
    cl_mem used = clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, items * sizeof(cl_int), data, nullptr);
    launch(name, {items}, {20}, output, used, LocalBytes{64});
    take(output, made);
    clReleaseMemObject(used);
    return made;
  }

  static constexpr std::size_t items = 100;
  static constexpr cl_int global = 1 + 8 * 2, local = 2 + 8 * 1,
                          priv = 4 + 8 * 2;  // get_fence: local memory has one flag, the rest the other
};

constexpr const char* ways[] = {"", "-cl-opt-disable", "-cl-clarity-packet-width=1", "-cl-clarity-packet-width=8"};

TEST_F(AddressSpaces, RestrictedNeighbours) {
  constexpr int groups = 4, size = 16;
  std::vector<cl_int> in(size), expected;
  std::iota(in.begin(), in.end(), 5);
  for (int id = 0; id < groups * size; ++id) {
    const int place = in[id % size] % size;
    expected.push_back(place + 100 * (in[place] + 3) + 10000 * (in[place] + 7));
  }
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(source, std::string("-cl-std=CL3.0 ") + options);
    std::vector<cl_int> made(groups * size);
    cl_mem output = bufferOf(made), input = bufferOf(in);
    launch("neighbours", {groups * size}, {size}, output, input, LocalBytes{2 * size * sizeof(cl_int)},
           LocalBytes{size * sizeof(cl_int)});
    take(output, made);
    clReleaseMemObject(input);
    EXPECT_EQ(made, expected) << options;
  }
}

TEST_F(AddressSpaces, Known) {
  std::vector<cl_int> data(items);
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    const std::vector<cl_int> made = run("known", options, data.data());
    for (std::size_t id = 0; id < items; ++id)
      EXPECT_EQ(std::vector<cl_int>(made.begin() + 4 * id, made.begin() + 4 * id + 4),
                (std::vector<cl_int>{global, local, local, priv}))
          << id << ' ' << options;
  }
}

/// The buffer lies on the stack of the thread that may execute the kernel: it is global all the same.
TEST_F(AddressSpaces, Chosen) {
  alignas(128) std::array<cl_int, items> data{};
  constexpr cl_int kinds[] = {global, local, local, priv};
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    const std::vector<cl_int> made = run("chosen", options, data.data());
    for (std::size_t id = 0; id < items; ++id)
      EXPECT_EQ(std::vector<cl_int>(made.begin() + 4 * id, made.begin() + 4 * id + 4),
                (std::vector<cl_int>{kinds[id % 4], kinds[id % 4], kinds[id % 4], priv}))
          << id << ' ' << options;
  }
}

}  // namespace
