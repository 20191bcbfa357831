// SPDX-License-Identifier: Apache-2.0
// This file tests kernels whose work-items exchange values through local memory without a barrier, as the threads of a
// warp may and as the standard's memory model forbids: reductions, scans and butterflies as they are written for GPUs.
#include "group_launches.h"

#include <cstdlib>
#include <string_view>

namespace {

using groups::Range;

/// With registers of another width than the processor's (CLARITY_CPU) the first ones do.
std::vector<const char*> optionSets() {
  if (std::getenv("CLARITY_CPU")) return {""};
  return {"", "-cl-clarity-packet-width=1", "-cl-clarity-packet-width=32", "-cl-opt-disable"};
}

class Warps : public groups::Launches {
protected:
  std::string log() {
    std::string text(1 << 16, '\0');
    clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, text.size(), text.data(), nullptr);
    return text.c_str();
  }

  /// `name(global const T* in, global T* out, local T* s)` with `each` elements of local memory for each work-item.
  template <class T>
  std::vector<T> launchWith(const char* name, std::size_t groups, std::size_t size, const std::vector<T>& in,
                            std::size_t results, std::size_t each = 2) {
    std::vector<T> out(results, T(77));
    cl_mem input = bufferOf(in), output = bufferOf(out);
    launch(name, {groups * size}, {size}, input, output, LocalBytes{each * size * sizeof(T) + 256 * sizeof(T)});
    take(output, out);
    clReleaseMemObject(input);
    return out;
  }

  /// A sum of `perItem` values for each work-item of a group, for sizes of groups.
  template <class T>
  void expectSums(const std::string& source, const std::vector<std::size_t>& sizes, std::size_t perItem) {
    for (const std::string type : {"", "volatile "})
      for (const char* options : optionSets())
        for (const std::size_t size : sizes) {
          SCOPED_TRACE("groups of " + std::to_string(size) + ", options '" + options + "', " + type);
          build("#define SHARED " + type + "local\n#define SIZE " + std::to_string(size) + "\n" + source, options);
          if (HasFailure()) return;
          if (options[0] == '\0') EXPECT_NE(log().find("run in step"), std::string::npos) << log();
          const std::size_t count = 5;
          const auto in = numbers<T>(count * size * perItem, 1000);
          std::vector<T> expected(count, 0);
          for (std::size_t i = 0; i < in.size(); ++i) expected[i / (size * perItem)] += in[i];
          EXPECT_EQ(launchWith("test", count, size, in, count), expected);
          if (HasFailure()) return;
        }
  }

  /// The results of each work-item from the values of its warp.
  template <class Expected>
  void expectByWarp(const std::string& source, const std::vector<std::size_t>& sizes, Expected expected,
                    std::size_t warp = 32) {
    for (const std::string type : {"", "volatile "})
      for (const char* options : optionSets())
        for (const std::size_t size : sizes) {
          if (warp == 64 && std::string_view(options).find("=32") != std::string_view::npos) continue;
          SCOPED_TRACE("groups of " + std::to_string(size) + ", options '" + options + "', " + type);
          build("#define SHARED " + type + "local\n#define SIZE " + std::to_string(size) + "\n" + source, options);
          if (HasFailure()) return;
          const std::size_t count = 3;
          const auto in = numbers<cl_int>(count * size, 1000);
          std::vector<cl_int> all(in.size());
          for (std::size_t group = 0; group < count; ++group)
            for (std::size_t first = 0; first < size; first += warp) {
              const std::size_t width = std::min(warp, size - first), at = group * size + first;
              const std::vector<cl_int> values(in.begin() + static_cast<std::ptrdiff_t>(at),
                                               in.begin() + static_cast<std::ptrdiff_t>(at + width));
              for (std::size_t lane = 0; lane < width; ++lane) all[at + lane] = expected(values, lane);
            }
          EXPECT_EQ(launchWith("test", count, size, in, in.size()), all);
          if (HasFailure()) return;
        }
  }
};

const char* const reduce4 = R"(
kernel void test(global const T *src, global T *dst, SHARED T *sm) {
  size_t lid = get_local_id(0), lsize = get_local_size(0), group_id = get_group_id(0);
  size_t gid = group_id * lsize * 2 + lid;
  sm[lid] = src[gid] + src[gid + lsize];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = lsize >> 1; i > 32; i >>= 1) {
    if (lid < i) sm[lid] += sm[lid + i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid < 32) {
    sm[lid] += sm[lid + 32];
    sm[lid] += sm[lid + 16];
    sm[lid] += sm[lid + 8];
    sm[lid] += sm[lid + 4];
    sm[lid] += sm[lid + 2];
    sm[lid] += sm[lid + 1];
  }
  if (lid == 0) dst[group_id] = sm[0];
})";

TEST_F(Warps, sumsWithTheLastWarpUnrolled) {
  expectSums<cl_double>(std::string("typedef double T;") + reduce4, {64, 128, 512}, 2);
  expectSums<cl_int>(std::string("typedef int T;") + reduce4, {64, 512}, 2);
}

TEST_F(Warps, sumsWithAllUnrolled) {
  expectSums<cl_double>(R"(
constant size_t blocksize = SIZE;
kernel void test(global const double *src, global double *dst, SHARED double *sm) {
  size_t lid = get_local_id(0), lsize = get_local_size(0), group_id = get_group_id(0);
  size_t gid = group_id * lsize * 2 + lid;
  sm[lid] = src[gid] + src[gid + lsize];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (blocksize >= 512) {
    if (lid < 256) sm[lid] += sm[lid + 256];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (blocksize >= 256) {
    if (lid < 128) sm[lid] += sm[lid + 128];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (blocksize >= 128) {
    if (lid < 64) sm[lid] += sm[lid + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid < 32) {
    if (blocksize >= 64) sm[lid] += sm[lid + 32];
    if (blocksize >= 32) sm[lid] += sm[lid + 16];
    if (blocksize >= 16) sm[lid] += sm[lid + 8];
    if (blocksize >= 8) sm[lid] += sm[lid + 4];
    if (blocksize >= 4) sm[lid] += sm[lid + 2];
    if (blocksize >= 2) sm[lid] += sm[lid + 1];
  }
  if (lid == 0) dst[group_id] = sm[0];
})",
                        {32, 64, 128, 512}, 2);
}

/// In a function of its own, and a grid stride.
TEST_F(Warps, sumsInAFunction) {
  expectSums<cl_float>(R"(
void warpReduce(SHARED float *s, unsigned int tid) {
  if (SIZE >= 64) s[tid] += s[tid + 32];
  if (SIZE >= 32) s[tid] += s[tid + 16];
  if (SIZE >= 16) s[tid] += s[tid + 8];
  if (SIZE >= 8) s[tid] += s[tid + 4];
  if (SIZE >= 4) s[tid] += s[tid + 2];
  if (SIZE >= 2) s[tid] += s[tid + 1];
}
kernel void test(global const float *in, global float *out, SHARED float *s) {
  unsigned int tid = get_local_id(0), i = get_group_id(0) * SIZE * 4 + tid, end = i + SIZE * 4 - tid;
  s[tid] = 0;
  while (i < end) { s[tid] += in[i] + in[i + SIZE]; i += SIZE * 2; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (SIZE >= 512) { if (tid < 256) s[tid] += s[tid + 256]; barrier(CLK_LOCAL_MEM_FENCE); }
  if (SIZE >= 256) { if (tid < 128) s[tid] += s[tid + 128]; barrier(CLK_LOCAL_MEM_FENCE); }
  if (SIZE >= 128) { if (tid < 64) s[tid] += s[tid + 64]; barrier(CLK_LOCAL_MEM_FENCE); }
  if (tid < 32) warpReduce(s, tid);
  if (tid == 0) out[get_group_id(0)] = s[0];
})",
                       {64, 256, 512}, 4);
}

/// In a loop, with a variable of the kernel.
TEST_F(Warps, sumsInALoop) {
  expectSums<cl_int>(R"(
kernel void test(global const int *in, global int *out, local int *unused) {
  SHARED int s[SIZE + 32];
  int lid = get_local_linear_id();
  s[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = SIZE / 2; o >= 32; o /= 2) {
    if (lid < o) s[lid] += s[lid + o];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid < 32)
    for (int o = 16; o > 0; o >>= 1) s[lid] += s[lid + o];
  if (!lid) out[get_group_id(0)] = s[0];
})",
                     {64, 512}, 1);
}

/// A wavefront of 64.
TEST_F(Warps, sumsInAWavefront) {
  if (!onProcessor()) GTEST_SKIP() << "the warps of a GPU have 32 threads";
  for (const std::string type : {"", "volatile "})
    for (const char* options : {"", "-cl-clarity-packet-width=64", "-cl-opt-disable"})
      for (const std::size_t size : {64u, 128u, 256u}) {
        SCOPED_TRACE("groups of " + std::to_string(size) + ", options '" + options + "', " + type);
        build("#define SHARED " + type + R"(local
kernel void test(global const int *in, global int *out, SHARED int *s) {
  int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  s[lid + get_local_size(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = get_local_size(0) / 2; o > 64; o /= 2) {
    if (lid < o) s[lid] += s[lid + o];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid < 64) {
    s[lid] += s[lid + 64];
    s[lid] += s[lid + 32];
    s[lid] += s[lid + 16];
    s[lid] += s[lid + 8];
    s[lid] += s[lid + 4];
    s[lid] += s[lid + 2];
    s[lid] += s[lid + 1];
  }
  if (lid == 0) out[get_group_id(0)] = s[0];
})",
              options);
        ASSERT_FALSE(HasFailure());
        const auto in = numbers<cl_int>(3 * size, 1000);
        std::vector<cl_int> expected(3, 0);
        for (std::size_t i = 0; i < in.size(); ++i) expected[i / size] += in[i];
        EXPECT_EQ(launchWith("test", 3, size, in, 3), expected);
      }
}

cl_int scanned(const std::vector<cl_int>& values, std::size_t lane) {
  cl_int sum = 0;
  for (std::size_t i = 0; i <= lane; ++i) sum += values[i];
  return sum;
}

/// Kogge and Stone's scan, by conditions and by zeros ahead of each warp.
TEST_F(Warps, scans) {
  expectByWarp(R"(
kernel void test(global const int *in, global int *out, SHARED int *s) {
  const uint lid = get_local_id(0), lane = lid & 31;
  s[lid] = in[get_global_id(0)];
  if (lane >= 1) s[lid] = s[lid - 1] + s[lid];
  if (lane >= 2) s[lid] = s[lid - 2] + s[lid];
  if (lane >= 4) s[lid] = s[lid - 4] + s[lid];
  if (lane >= 8) s[lid] = s[lid - 8] + s[lid];
  if (lane >= 16) s[lid] = s[lid - 16] + s[lid];
  out[get_global_id(0)] = s[lid];
})",
               {32, 64, 96, 100, 512}, scanned);
  expectByWarp(R"(
int scan(int value, SHARED int *s, int size) {
  int at = 2 * get_local_id(0) - (get_local_id(0) & (size - 1));
  s[at] = 0;
  at += size;
  s[at] = value;
  for (uint offset = 1; offset < size; offset <<= 1) s[at] += s[at - offset];
  return s[at];
}
kernel void test(global const int *in, global int *out, SHARED int *s) {
  out[get_global_id(0)] = scan(in[get_global_id(0)], s, 32);
})",
               {32, 64, 96, 512}, scanned);
}

/// Partners at distances that are powers of two, in work-groups of one and of two dimensions.
TEST_F(Warps, butterflies) {
  const auto sum = [](const std::vector<cl_int>& values, std::size_t) { return scanned(values, values.size() - 1); };
  expectByWarp(R"(
kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  for (int mask = 16; mask > 0; mask /= 2) s[lid] = s[lid] + s[lid ^ mask];
  out[get_global_id(0)] = s[lid];
})",
               {32, 64, 96, 512}, sum);
  expectByWarp(R"(
kernel void test(global const int *in, global int *out, SHARED int *unused) {
  SHARED int s[SIZE / 32][33];
  const int lane = get_local_id(0) % 32, warp = get_local_id(0) / 32;
  int value = in[get_global_id(0)];
  for (int i = 0; i < 5; ++i) {
    s[warp][lane] = value;
    value += s[warp][lane ^ (1 << i)];
  }
  out[get_global_id(0)] = value;
})",
               {32, 64, 96, 512}, sum);
}

/// A value that one work-item stores all load, and a row that turns.
TEST_F(Warps, broadcastsAndTurns) {
  expectByWarp(R"(
kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)] * 3;
  out[get_global_id(0)] = s[lid | 31];
})",
               {32, 64, 96, 512}, [](const std::vector<cl_int>& values, std::size_t) { return values[31] * 3; });
  expectByWarp(R"(
kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0), lane = lid & 31, first = lid - lane;
  s[lid] = in[get_global_id(0)];
  for (int i = 0; i < 7; ++i) {
    const int next = s[first + (lane + 1) % 32];
    s[lid] = next + 1;
  }
  out[get_global_id(0)] = s[lid];
})",
               {32, 64, 96, 512},
               [](const std::vector<cl_int>& values, std::size_t lane) { return values[(lane + 7) % 32] + 7; });
}

/// Vectors, and two-dimensional work-groups whose rows are no warps.
TEST_F(Warps, sumsOfVectorsInTwoDimensions) {
  for (const char* options : optionSets()) {
    build(R"(
kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void test(global const int *in, global int *out, local int *unused) {
  local int4 s[160];
  const int lid = get_local_id(1) * 16 + get_local_id(0);
  s[lid] = vload4(lid + get_group_id(0) * 128, in);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid < 64) s[lid] += s[lid + 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid < 32) {
    s[lid] += s[lid + 32];
    s[lid] += s[lid + 16];
    s[lid] += s[lid + 8];
    s[lid] += s[lid + 4];
    s[lid] += s[lid + 2];
    s[lid] += s[lid + 1];
  }
  if (lid == 0) vstore4(s[0], get_group_id(0), out);
})",
          options);
    ASSERT_FALSE(HasFailure());
    const auto in = numbers<cl_int>(2 * 128 * 4, 1000);
    std::vector<cl_int> expected(8, 0), out(8);
    for (std::size_t i = 0; i < in.size(); ++i) expected[i / 512 * 4 + i % 4] += in[i];
    cl_mem input = bufferOf(in), output = bufferOf(out);
    launch("test", {32, 8}, {16, 8}, input, output, LocalBytes{4});
    take(output, out);
    clReleaseMemObject(input);
    EXPECT_EQ(out, expected) << options;
  }
}

/// Indices that nothing is known about: with a required size of sub-groups, or packets of that size.
TEST_F(Warps, stepsThatAreRequired) {
  const std::string body = R"(
void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  const int partner = lid ^ ((in[get_global_id(0)] >> 20) + 31);
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    s[lid] = s[partner] + i;
    sum += s[lid];
  }
  out[get_global_id(0)] = sum;
})";
  const auto expected = [](const std::vector<cl_int>& values, std::size_t lane) {
    return 2 * (values[lane ^ 31] + values[lane]) + 10;
  };
  expectByWarp("kernel __attribute__((intel_reqd_sub_group_size(32)))" + body, {32, 64, 96, 512}, expected);
  for (const char* type : {"", "volatile "}) {
    build(std::string("#define SHARED ") + type + "local\nkernel" + body, "-cl-clarity-packet-width=32");
    const auto in = numbers<cl_int>(128, 1000);
    std::vector<cl_int> all;
    for (std::size_t i = 0; i < in.size(); ++i) all.push_back(2 * (in[i ^ 31] + in[i]) + 10);
    EXPECT_EQ(launchWith("test", 2, 64, in, 128), all);
  }
}

/// Forms that programs have: fences, pointers, sums kept in variables, small elements, the size of the work-group.
TEST_F(Warps, sumsInOtherForms) {
  const auto sum = [](const std::vector<cl_int>& values, std::size_t) { return scanned(values, values.size() - 1); };
  const char* const forms[] = {
      R"(
  const int lid = get_local_id(0), lane = lid % 32;
  int mine = in[get_global_id(0)];
  s[lid] = mine;
  if (lane < 16) {
    s[lid] = mine = mine + s[lid + 16];
    mem_fence(CLK_LOCAL_MEM_FENCE);
    s[lid] = mine = mine + s[lid + 8];
    s[lid] = mine = mine + s[lid + 4];
    s[lid] = mine = mine + s[lid + 2];
    s[lid] = mine = mine + s[lid + 1];
  }
  out[get_global_id(0)] = s[lid - lane];)",
      R"(
  const int lid = get_local_id(0);
  SHARED int *p = s + lid;
  *p = in[get_global_id(0)];
  if ((lid & 31) < 16) {
    for (int o = 16; o; o >>= 1) *p += p[o];
  }
  out[get_global_id(0)] = s[lid & ~31];)",
      R"(
  SHARED ushort small[SIZE + 32];
  const int lid = get_local_id(0);
  small[lid] = in[get_global_id(0)];
  for (uint o = 1; o < 32; o *= 2)
    if (lid % (2 * o) == 0) small[lid] += small[lid + o];
  out[get_global_id(0)] = small[lid / 32 * 32];)",
      R"(
  SHARED int sums[SIZE / 32];
  const int lid = get_local_id(0), lane = lid & 31, warp = lid >> 5;
  s[lid] = in[get_global_id(0)];
  for (int o = 1; o < 32; o <<= 1)
    if (lane >= o) s[lid] += s[lid - o];
  if (lane == 31) sums[warp] = s[lid];
  out[get_global_id(0)] = sums[warp];)"};
  for (const char* form : forms)
    expectByWarp(std::string("kernel void test(global const int *in, global int *out, SHARED int *s) {") + form + "}",
                 {96, 512}, sum);
  expectByWarp(R"(
kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  s[lid + get_local_size(0)] = 0;
  for (int o = get_local_size(0) / 2; o > 0; o >>= 1) s[lid] += s[lid + o];
  out[get_global_id(0)] = s[0];
})",
               {32, 16}, [](const std::vector<cl_int>& values, std::size_t) {
                 // The elements that are complete when they are added: the first one's.
                 return scanned(values, values.size() - 1);
               });
}

/// Rows of eight, four of which are a warp: the sum of each column.
TEST_F(Warps, sumsOfColumns) {
  for (const char* required : {"", "__attribute__((reqd_work_group_size(8, 8, 1)))"})
    for (const char* options : optionSets()) {
      build(
          std::string("kernel ") + required + R"( void test(global const int *in, global int *out, local int *unused) {
  local int s[64];
  const int x = get_local_id(0), y = get_local_id(1);
  s[y * 8 + x] = in[get_group_id(1) * 64 + y * 8 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 4; i > 0; i >>= 1)
    if (y < i) s[y * 8 + x] += s[(y + i) * 8 + x];
  if (y == 0) out[get_group_id(1) * 8 + x] = s[x];
})",
          options);
      ASSERT_FALSE(HasFailure());
      const auto in = numbers<cl_int>(3 * 64, 1000);
      std::vector<cl_int> expected(24, 0), out(24);
      for (std::size_t i = 0; i < in.size(); ++i) expected[i / 64 * 8 + i % 8] += in[i];
      cl_mem input = bufferOf(in), output = bufferOf(out);
      launch("test", {8, 24}, {8, 8}, input, output, LocalBytes{4});
      take(output, out);
      clReleaseMemObject(input);
      EXPECT_EQ(out, expected) << options << required;
    }
}

/// Kernels whose barriers suffice are left alone.
TEST_F(Warps, kernelsWithBarriersAreNoExchange) {
  const char* const right[] = {// a tree, by halves and by neighbours
                               R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  for (int o = get_local_size(0) / 2; o > 0; o /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < o) s[lid] += s[lid + o];
  }
  if (lid == 0) out[get_group_id(0)] = s[0];
})",
                               R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = 1; o < get_local_size(0); o *= 2) {
    if (lid % (2 * o) == 0) s[lid] += s[lid + o];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) out[get_group_id(0)] = s[0];
})",
                               // a scan between two copies
                               R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0), n = get_local_size(0);
  int to = 0, from = 1;
  s[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = 1; o < n; o *= 2) {
    to = 1 - to;
    from = 1 - to;
    s[to * n + lid] = lid >= o ? s[from * n + lid] + s[from * n + lid - o] : s[from * n + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = s[to * n + lid];
})",
                               // a sort
                               R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  for (int k = 2; k <= get_local_size(0); k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const int other = lid ^ j;
      if (other > lid && (s[lid] > s[other]) == ((lid & k) == 0)) {
        const int held = s[lid];
        s[lid] = s[other];
        s[other] = held;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[lid];
})",
                               // rows and columns of each work-item's own, and a row with a halo
                               R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0), n = get_local_size(0);
  for (int i = 0; i < 2; ++i) s[lid * 2 + i] = in[get_global_id(0)] + i;
  int sum = s[lid * 2] + s[lid * 2 + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 2; ++i) s[i * n + lid] = sum + i;
  for (int i = 0; i < 2; ++i) sum += s[i * n + lid];
  barrier(CLK_LOCAL_MEM_FENCE);
  s[lid + 1] = sum;
  if (lid == 0) s[0] = s[n + 1] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[lid] + s[lid + 2];
})",
                               // the lanes of a sub-group, which meet
                               R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[lid ^ 1];
})"};
  for (const char* source : right)
    for (const std::string type : {"", "volatile "}) {
      build("#define SHARED " + type + "local\n" + source, "");
      EXPECT_EQ(log().find("data race"), std::string::npos) << source << log();
    }
}

/// Loops that load tiles into local memory, without the barrier ahead of the next tile.
TEST_F(Warps, loopsWithoutTheirLastBarrier) {
  struct Case {
    const char *source, *says;
  };
  // Sums of products with what all work-items of the group have loaded. Work-items run in step where a loop exchanges
  // more, and where only some of the iterations have a barrier.
  const Case cases[] = {{R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0), n = get_local_size(0);
  int sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    s[lid] = in[tile * n + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; ++i) sum += s[i] * (lid + 1);
  }
  out[get_global_id(0)] = sum;
})",
                         "adds a barrier at the end of each iteration"},
                        {R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0), n = get_local_size(0);
  int sum = 0;
  for (int tile = 0; tile < 2; ++tile)
    for (int part = 0; part < 2; ++part) {
      s[n - 1 - lid] = in[(2 * tile + part) * n + lid];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = n - 1; i >= 0; --i) sum += s[i] * (lid + 1);
    }
  out[get_global_id(0)] = sum;
})",
                         "adds a barrier at the end of each iteration"},
                        {R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0), n = get_local_size(0);
  int sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    s[lid] = in[tile * n + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[n + lid] = s[lid ^ 1];
    sum += s[n + (lid ^ 2)] - in[tile * n + (lid ^ 3)];
    for (int i = 0; i < n; ++i) sum += s[i] * (lid + 1);
  }
  out[get_global_id(0)] = sum;
})",
                         "run in step"},
                        {R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0), n = get_local_size(0);
  int sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    if (tile % 2 == 0) {
      s[lid] = in[tile * n + lid];
      s[n + lid] = in[tile * n + n + lid];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < n; ++i) sum += s[tile % 2 * n + i] * (lid + 1);
  }
  out[get_global_id(0)] = sum;
})",
                         "run in step"},
                        // some may leave behind the barrier, and would not come to another one
                        {R"(kernel void test(global const int *in, global int *out, SHARED int *s) {
  const int lid = get_local_id(0), n = get_local_size(0);
  int sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    s[lid] = in[tile * n + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tile == 3 && in[lid] < 0) return;
    for (int i = 0; i < n; ++i) sum += s[i] * (lid + 1);
  }
  out[get_global_id(0)] = sum;
})",
                         "run in step"}};
  for (const Case& each : cases)
    for (const std::string type : {"", "volatile "})
      for (const std::size_t size : {32u, 16u}) {
        SCOPED_TRACE(std::string(each.source) + type + std::to_string(size));
        build("#define SHARED " + type + "local\n" + each.source, "");
        if (HasFailure()) return;
        EXPECT_NE(log().find(each.says), std::string::npos) << log();
        const auto in = numbers<cl_int>(4 * size, 1000);
        int all = 0;
        for (const int value : in) all += value;
        std::vector<cl_int> expected(3 * size);
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = all * static_cast<int>(i % size + 1);
        EXPECT_EQ(launchWith("test", 3, size, in, expected.size()), expected);
      }
}

/// The log names the lines, and the rule.
TEST_F(Warps, theLogNamesTheRace) {
  DeviceTest::build(R"(kernel void test(global const int *in, global int *out, local int *s) {
  s[get_local_id(0)] = in[get_global_id(0)];
  out[get_global_id(0)] =
    s[get_local_id(0) ^ 1];
})",
                    "");
  EXPECT_NE(log().find("kernel 'test': the load from local memory in line 4 may read what another work-item stores in "
                       "line 2"),
            std::string::npos)
      << log();
  EXPECT_NE(log().find("data race"), std::string::npos) << log();
  EXPECT_NE(log().find("32 work-items run in step"), std::string::npos) << log();
}

}  // namespace
