// SPDX-License-Identifier: Apache-2.0
// This file tests kernels that trap, and divisions whose value the standard leaves open.
#include "fault_checks.h"

#include <cstdint>
#include <limits>
#include <string>

namespace clarity::test {
namespace {

const char* const kTraps = R"(
#define CHECK(c) if (!(c)) __builtin_trap()
int checked(int v) __attribute__((noinline));
int checked(int v) { CHECK(v >= 0); return v + 1; }
kernel void in_a_branch(global int* a) { int i = get_global_id(0); if (a[i] < 0) __builtin_trap(); a[i] += 1; }
kernel void at_the_end(global int* a) { int i = get_global_id(0); a[i] += 1; if (a[i] < 1) __builtin_trap(); }
kernel void in_a_loop(global int* a) {
  int i = get_global_id(0), s = 0;
  for (int k = 0; k <= i % 7; ++k) { if (a[i - k > 0 ? i - k : 0] < 0) __builtin_trap(); s += k; }
  a[i] += s + 1 - s;
}
kernel void in_a_function(global int* a) { int i = get_global_id(0); a[i] = checked(a[i]); }
kernel void before_a_barrier(global int* a) {
  local int t[64];
  int i = get_global_id(0), l = get_local_id(0);
  if (a[i] < 0) __builtin_trap();
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[l] + 1;
}
kernel void after_a_barrier(global int* a) {
  local int t[64];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  CHECK(t[l] >= 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[l] + 1;
}
kernel void in_a_switch(global int* a) {
  int i = get_global_id(0);
  switch (a[i]) { case 0: a[i] = 1; break; case 1: a[i] = 2; break; default: __builtin_trap(); }
}
kernel void for_debuggers(global int* a) { int i = get_global_id(0); if (a[i] < 0) __builtin_debugtrap(); a[i] += 1; }
kernel void both_ways(global int* a) {
  int i = get_global_id(0);
  if (a[i] < 0) { a[0] = 7; __builtin_trap(); } else { a[i] += 1; }
}
kernel void always(global int* a) { __builtin_trap(); }
)";

const char* const kKernels[] = {"in_a_branch",     "at_the_end",  "in_a_loop",     "in_a_function", "before_a_barrier",
                                "after_a_barrier", "in_a_switch", "for_debuggers", "both_ways"};
const char* const kOptions[] = {"", "-cl-clarity-packet-width=1", "-cl-opt-disable"};

struct NDRangeKernelTraps : FaultingKernels {
  static constexpr size_t kItems = 512, kGroup = 64;
};

// One work-item of many takes the way to the trap, or none does.
TEST_F(NDRangeKernelTraps, endTheCommandWhereTheyAreReached) {
  for (const char* options : kOptions) {
    cl_program program = build(kTraps, options);
    for (const char* name : kKernels) {
      SCOPED_TRACE(std::string(name) + " " + options);
      cl_kernel which = kernel(program, name);
      std::vector<cl_int> values(kItems, 0);
      cl_mem memory = bufferOf(values);
      ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof memory, &memory));
      ASSERT_EQ(statusAfter(which, kItems, kGroup), CL_COMPLETE) << allNotified();
      EXPECT_EQ(read<cl_int>(memory, kItems), std::vector<cl_int>(kItems, 1));
      values[333] = -5;
      cl_mem bad = bufferOf(values);
      ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof bad, &bad));
      const std::string part = std::string("kernel '") + name + "'";
      expectFault(which, kItems, kGroup, part.c_str());
      EXPECT_TRUE(wasNotified("executed a trap")) << allNotified();
    }
  }
}

TEST_F(NDRangeKernelTraps, inEveryWorkItem) {
  for (const char* options : kOptions) {
    cl_kernel which = kernel(build(kTraps, options), "always");
    cl_mem memory = bufferOf(std::vector<cl_int>(kItems, 0));
    ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof memory, &memory));
    expectFault(which, kItems, kGroup, "kernel 'always'");
  }
}

struct NDRangeKernelDivisions : FaultingKernels {
  /// The quotient is the dividend and the remainder 0, by zero and of the least number by -1.
  template <class T>
  void check(const std::string& type) {
    SCOPED_TRACE(type);
    const std::string least = "((" + type + ")" + std::to_string(std::numeric_limits<T>::min()) +
                              (sizeof(T) == 8 && std::is_signed_v<T> ? "L" : "") + ")";
    const std::string smallest = sizeof(T) == 8 && std::is_signed_v<T> ? "((long)(-9223372036854775807L - 1))" : least;
    const std::string source =
        "typedef " + type + " T; typedef " + type + "4 V;\n" +
        "T quotient(T a, T b) __attribute__((noinline)); T quotient(T a, T b) { return a / b; }\n"
        "kernel void divide(global T* a, global T* b, global T* q, global T* r) {\n"
        "  int i = get_global_id(0); q[i] = a[i] / b[i]; r[i] = a[i] % b[i]; }\n"
        "kernel void uniform(global T* a, global T* b, global T* q, global T* r) {\n"
        "  int i = get_global_id(0); T d = b[0]; if (d == 0) d = b[1]; q[i] = quotient(a[i], d); r[i] = a[i] % d; }\n"
        "kernel void vectors(global V* a, global V* b, global V* q, global V* r) {\n"
        "  int i = get_global_id(0); if (i < 8) { q[i] = a[i] / b[i]; r[i] = a[i] % b[i]; } }\n"
        "kernel void constants(global T* a, global T* q) {\n"
        "  T zero = 0; T none = -1;\n"
        "  q[0] = a[0] / (T)0; q[1] = a[0] % (T)0; q[2] = a[0] / zero; q[3] = (T)7 / (T)0; q[4] = (T)7 % (T)0;\n"
        "  q[5] = (T)7 / zero; V v = (V)((T)7, (T)9, (T)1, (T)2) / (V)((T)0, (T)3, (T)1, (T)0);\n"
        "  q[6] = v.x; q[7] = v.y; q[8] = v.w; q[9] = " +
        smallest + " / (T)-1; q[10] = " + smallest + " % (T)-1; q[11] = a[1] / none; q[12] = a[1] / (T)-1;\n}\n";
    constexpr size_t items = 32;
    std::vector<T> a(items), b(items), q(items), r(items);
    for (size_t i = 0; i < items; ++i) {
      a[i] = static_cast<T>(37 * i + 5);
      b[i] = i % 3 == 0 ? T{0} : static_cast<T>(i);
    }
    if (std::is_signed_v<T>) a[5] = a[20] = std::numeric_limits<T>::min(), b[5] = b[20] = static_cast<T>(-1);
    const auto wanted = [&](T x, T y, T& quotient, T& remainder) {
      const bool open =
          y == 0 || (std::is_signed_v<T> && x == std::numeric_limits<T>::min() && y == static_cast<T>(-1));
      quotient = open ? x : static_cast<T>(x / y);
      remainder = open ? T{0} : static_cast<T>(x % y);
    };
    for (size_t i = 0; i < items; ++i) wanted(a[i], b[i], q[i], r[i]);
    for (const char* options : kOptions) {
      SCOPED_TRACE(options);
      cl_program program = build(std::string_view(source), options);
      for (const char* name : {"divide", "vectors"}) {
        cl_kernel which = kernel(program, name);
        cl_mem memory[4] = {bufferOf(a), bufferOf(b), bufferOf(std::vector<T>(items)), bufferOf(std::vector<T>(items))};
        for (cl_uint i = 0; i < 4; ++i) ASSERT_SUCCESS(clSetKernelArg(which, i, sizeof memory[i], &memory[i]));
        ASSERT_EQ(statusAfter(which, items), CL_COMPLETE) << allNotified();
        EXPECT_EQ(read<T>(memory[2], items), q) << name;
        EXPECT_EQ(read<T>(memory[3], items), r) << name;
      }
      {
        cl_kernel which = kernel(program, "uniform");
        cl_mem memory[4] = {bufferOf(a), bufferOf(std::vector<T>(items)), bufferOf(std::vector<T>(items)),
                            bufferOf(std::vector<T>(items, T{3}))};
        for (cl_uint i = 0; i < 4; ++i) ASSERT_SUCCESS(clSetKernelArg(which, i, sizeof memory[i], &memory[i]));
        ASSERT_EQ(statusAfter(which, items), CL_COMPLETE) << allNotified();
        EXPECT_EQ(read<T>(memory[2], items), a);
        EXPECT_EQ(read<T>(memory[3], items), std::vector<T>(items, T{0}));
      }
      cl_kernel which = kernel(program, "constants");
      const T low = std::numeric_limits<T>::min(), none = static_cast<T>(-1);
      cl_mem in = bufferOf(std::vector<T>{T{21}, low}), result = bufferOf(std::vector<T>(13));
      ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof in, &in));
      ASSERT_SUCCESS(clSetKernelArg(which, 1, sizeof result, &result));
      ASSERT_EQ(statusAfter(which, 1), CL_COMPLETE) << allNotified();
      T lowQuotient, lowRemainder;
      wanted(low, none, lowQuotient, lowRemainder);
      EXPECT_EQ(read<T>(result, 13), (std::vector<T>{T{21}, T{0}, T{21}, T{7}, T{0}, T{7}, T{7}, T{3}, T{2},
                                                     lowQuotient, lowRemainder, lowQuotient, lowQuotient}));
    }
  }
};

TEST_F(NDRangeKernelDivisions, of8Bits) { check<cl_char>("char"), check<cl_uchar>("uchar"); }
TEST_F(NDRangeKernelDivisions, of16Bits) { check<cl_short>("short"), check<cl_ushort>("ushort"); }
TEST_F(NDRangeKernelDivisions, of32Bits) { check<cl_int>("int"), check<cl_uint>("uint"); }
TEST_F(NDRangeKernelDivisions, of64Bits) { check<cl_long>("long"), check<cl_ulong>("ulong"); }

}  // namespace
}  // namespace clarity::test
