// SPDX-License-Identifier: Apache-2.0
// This file tests first launches, whose code is compiled in less time than that of all others: they compute the same
// bit by bit, go on with other code when they turn out to be long, and a process may end meanwhile.
#include "fixture.h"
#include "watched_child.h"

#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

extern char** environ;

namespace clarity::test {
namespace {

struct Case {
  const char* name;
  const char* body;  ///< the body of kernel k(global float* in, global float* out, local float* t, int n)
  std::vector<size_t> global, local;
};

// One for each of what the compiler treats differently: guards, boundaries, loops of all kinds, barriers, local and
// private memory, atomics, divergence, functions, rows, gathers, sub-groups.
const Case cases[] = {
    {"plain", "size_t i = get_global_id(0); out[i] = in[i] * 3 + n;", {1000}, {}},
    {"guarded", "int i = get_global_id(0); if (i < n) out[i] = in[i] + in[n - 1 - i];", {1024}, {}},
    {"stencil",
     "int x = get_global_id(0), y = get_global_id(1); float s = 0;\n"
     "for (int d = -2; d <= 2; d++) for (int e = -2; e <= 2; e++) {\n"
     "  int u = clamp(x + d, 0, 66), v = clamp(y + e, 0, 39); s += in[v * 67 + u] * (d - e + 3); }\n"
     "out[y * 67 + x] = s;",
     {67, 40},
     {}},
    {"product",
     "int x = get_global_id(0), y = get_global_id(1); float s = 0;\n"
     "for (int i = 0; i < n; i++) s += in[y * n + i] * in[i * n + x]; out[y * 50 + x] = s;",
     {50, 50},
     {}},
    {"transpose", "int x = get_global_id(0), y = get_global_id(1); out[x * 64 + y] = in[y * 64 + x];", {64, 64}, {}},
    {"tiled",
     "int l = get_local_id(0), g = get_global_id(0); float s = 0;\n"
     "for (int b = 0; b < 4; b++) { t[l] = in[b * 64 + l]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (int i = 0; i < 64; i++) s += t[i] * in[g + i]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
     "out[g] = s;",
     {512},
     {64}},
    {"tree",
     "int l = get_local_id(0); t[l] = in[get_global_id(0)];\n"
     "for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
     "  barrier(CLK_LOCAL_MEM_FENCE); if (l < s) t[l] += t[l + s]; }\n"
     "if (l == 0) out[get_group_id(0)] = t[0];",
     {1024},
     {128}},
    {"across_barriers",
     "int l = get_local_id(0); float a = in[get_global_id(0)], b = a * a; t[l] = b; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "float c = t[63 - l]; barrier(CLK_LOCAL_MEM_FENCE); t[l] = c; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "out[get_global_id(0)] = a + b + c + t[(l * 7) & 63];",
     {256},
     {64}},
    {"diverges",
     "size_t i = get_global_id(0); uint x = (uint)in[i] + i; int c = 0;\n"
     "while (x > 1 && c < 200) { x = x & 1 ? 3 * x + 1 : x / 2; c++; } out[i] = c;",
     {4096},
     {}},
    {"private_arrays",
     "float a[12]; size_t i = get_global_id(0); for (int j = 0; j < 12; j++) a[j] = in[i + j];\n"
     "for (int j = 1; j < 12; j++) for (int k = j; k > 0 && a[k - 1] > a[k]; k--) {\n"
     "  float x = a[k]; a[k] = a[k - 1]; a[k - 1] = x; }\n"
     "out[i] = a[5] + a[6];",
     {777},
     {}},
    {"counts",
     "global int* o = (global int*)out; int v = (int)fabs(in[get_global_id(0) & 2047]); atomic_add(o + (v & 63), 1);",
     {20000},
     {}},
    {"mathematics",
     "size_t i = get_global_id(0); float x = in[i] * 0.01f; out[i] = sin(x) + exp(-fabs(x)) * pow(fabs(x), 1.3f)\n"
     "  + native_recip(x + 1000) + fma(x, x, 1.0f / (x * x + 1));",
     {1500},
     {}},
    {"vectors",
     "size_t i = get_global_id(0); float4 v = vload4(i, in); v = v.wzyx * v + cross(v, v.yzxw);\n"
     "vstore4(v, i, out);",
     {500},
     {}},
    {"gathers", "size_t i = get_global_id(0); out[i] = in[((uint)(i * 7919) + n) & 2047];", {2000}, {}},
    {"bytes",
     "size_t i = get_global_id(0); global uchar* o = (global uchar*)out; global uchar* p = (global uchar*)in;\n"
     "o[i] = (p[i] + 3 * p[i + 1] + p[i + 2] + 2) >> 2;",
     {8000},
     {}},
    {"grid_stride",
     "float s = 0; for (size_t i = get_global_id(0); i < n * 40; i += get_global_size(0)) s += in[i];\n"
     "out[get_global_id(0)] = s;",
     {96},
     {}},
    {"rows",
     "size_t r = get_global_id(0); float m = -INFINITY, s = 0;\n"
     "for (int i = 0; i < 32; i++) m = fmax(m, in[r * 32 + i]);\n"
     "for (int i = 0; i < 32; i++) s += exp(in[r * 32 + i] - m); out[r] = s;",
     {64},
     {}},
    {"work_group_functions",
     "float x = in[get_global_id(0)]; out[get_global_id(0)] = work_group_scan_inclusive_add(x);",
     {256},
     {32}},
    {"sub_groups", "int x = in[get_global_id(0)]; out[get_global_id(0)] = sub_group_reduce_add(x);", {300}, {}},
    {"three_dimensions",
     "size_t i = (get_global_id(2) * 9 + get_global_id(1)) * 17 + get_global_id(0); out[i] = in[i] * get_local_id(0);",
     {17, 9, 5},
     {}},
};

struct FirstLaunch : OpenCL {
  static constexpr size_t elements = 16384;

  /// Expects the same buffer from two launches, one after the other, that get the same one.
  void expectSame(const Case& it, const char* options) {
    SCOPED_TRACE(std::string(it.name) + " " + options);
    std::vector<cl_float> in(elements);
    for (size_t i = 0; i < elements; ++i) in[i] = cl_float(int(i * 2654435761u >> 12 & 1023) - 300) / 16;
    const std::string source = std::string("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n") +
                               "kernel void k(global float* in, global float* out, local float* t, int n) {\n" +
                               it.body + "\n}";
    cl_kernel k = kernel(build(source.c_str(), options), "k");
    const cl_int n = 50;
    cl_mem input = bufferOf(in);
    ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof input, &input));
    ASSERT_SUCCESS(clSetKernelArg(k, 2, 256 * sizeof(cl_float), nullptr));
    ASSERT_SUCCESS(clSetKernelArg(k, 3, sizeof n, &n));
    std::vector<cl_uint> results[2];
    for (std::vector<cl_uint>& each : results) {
      cl_mem output = bufferOf(std::vector<cl_uint>(elements, 0));
      ASSERT_SUCCESS(clSetKernelArg(k, 1, sizeof output, &output));
      ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, k, cl_uint(it.global.size()), nullptr, it.global.data(),
                                            it.local.empty() ? nullptr : it.local.data(), 0, nullptr, nullptr));
      each = read<cl_uint>(output, elements);
    }
    for (size_t i = 0; i < elements; ++i) ASSERT_EQ(results[0][i], results[1][i]) << "element " << i;
    EXPECT_NE(results[0], std::vector<cl_uint>(elements, 0));
  }
};

TEST_F(FirstLaunch, computesTheSame) {
  for (const Case& each : cases) expectSame(each, "-cl-std=CL3.0");
}

TEST_F(FirstLaunch, computesTheSameWithoutPackets) {
  for (const Case& each : cases) expectSame(each, "-cl-std=CL3.0 -cl-clarity-disable=packets");
}

// How long loops run is read from memory: nothing tells ahead that the launch is long.
constexpr const char* longSource =
    "kernel void k(global int* data, global uint* out) {\n"
    "  uint x = get_global_id(0);\n"
    "  for (int i = 0; i < data[0]; i++) x = x * 1664525 + 1013904223;\n"
    "  out[get_global_id(0)] = x;\n"
    "}\n";

TEST_F(FirstLaunch, aLongOneComputesTheSame) {
  const size_t items = 1 << 16;
  cl_kernel k = kernel(longSource, "k");
  cl_mem data = bufferOf(std::vector<cl_int>{5000});
  std::vector<cl_uint> results[2];
  for (std::vector<cl_uint>& each : results) {
    cl_mem out = bufferOf(std::vector<cl_uint>(items));
    ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof data, &data));
    ASSERT_SUCCESS(clSetKernelArg(k, 1, sizeof out, &out));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    each = read<cl_uint>(out, items);
  }
  EXPECT_EQ(results[0], results[1]);
}

/// Runs in a process of its own, with no code kept: a long launch, and the end of the process so many milliseconds
/// later.
struct FirstLaunchChild : FirstLaunch {
  void endAfter(unsigned milliseconds) {
    const size_t items = 1 << 20;
    cl_kernel k = kernel(longSource, "k");
    cl_mem data = bufferOf(std::vector<cl_int>{3000});
    cl_mem out = buffer(items * sizeof(cl_uint));
    ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof data, &data));
    ASSERT_SUCCESS(clSetKernelArg(k, 1, sizeof out, &out));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clFlush(queue));
    usleep(milliseconds * 1000);
    std::exit(17);
  }
};
TEST_F(FirstLaunchChild, DISABLED_endsSoon) { endAfter(10); }
TEST_F(FirstLaunchChild, DISABLED_ends) { endAfter(25); }
TEST_F(FirstLaunchChild, DISABLED_endsLate) { endAfter(60); }

TEST_F(FirstLaunch, aProcessEndsMeanwhile) {
  std::vector<std::string> variables{"CLARITY_CACHE=0"};
  for (char** each = environ; *each != nullptr; ++each)
    if (std::string_view(*each).rfind("CLARITY_CACHE=", 0) != 0) variables.emplace_back(*each);
  std::vector<char*> environment;
  for (std::string& each : variables) environment.push_back(each.data());
  environment.push_back(nullptr);
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  for (const char* name : {"endsSoon", "ends", "endsLate"}) {
    std::string filter = std::string("--gtest_filter=FirstLaunchChild.DISABLED_") + name;
    std::string disabled = "--gtest_also_run_disabled_tests";
    char* arguments[] = {program.data(), filter.data(), disabled.data(), nullptr};
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environment.data()), 0);
    const Ending ending = endingOf(child);
    EXPECT_TRUE(ending.exitedWith(17)) << name << ": " << ending.text();
  }
}

}  // namespace
}  // namespace clarity::test
