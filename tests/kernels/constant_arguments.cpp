// SPDX-License-Identifier: Apache-2.0
// This file launches kernels whose numbers are constants of their code: each launch computes with its own numbers, also
// once there are more sets of them than code is made for.
#include "device_test.h"

#include <cstdint>
#include <string>
#include <vector>

namespace {

const char source[] = R"CL(
#define CONSTANT __attribute__((annotate("clarity_constant")))
__kernel void numbers(CONSTANT int count, float apart, CONSTANT float scale, CONSTANT long far, CONSTANT uchar small,
                      __global float* out) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += (float)(i * small) * scale;
  out[get_global_id(0)] = sum + apart + (float)(far >> 32);
}
// The attribute means nothing on what is no number; other annotations mean nothing at all.
__kernel void pointers(CONSTANT __global int* out, __attribute__((annotate("other"))) int x, CONSTANT int4 y) {
  __attribute__((annotate("of a variable"))) int sum = x;
  sum += y.x + y.w;
  out[get_global_id(0)] = sum;
}
__kernel void together(CONSTANT uint n, __global int* out, __local int* shared) {
  const uint l = get_local_id(0);
  shared[l] = (int)get_global_id(0);
  for (uint step = 1; step < n; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int other = shared[l ^ step];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[l] += other;
  }
  out[get_global_id(0)] = shared[l];
}
)CL";

class ConstantArguments : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    build(source, "");
  }
};

TEST_F(ConstantArguments, EachLaunchHasItsOwnNumbers) {
  constexpr std::size_t items = 100;
  // More sets of values than have code of their own, and the first of them again.
  for (int i = 0; i < 84; ++i) {
    const cl_int count = i < 80 ? i : i - 80;
    const cl_float apart = 0.25F * static_cast<float>(i), scale = 0.5F;
    const cl_long far = (cl_long{count} << 32) - 1;
    const cl_uchar small = 255;
    cl_mem out = bufferOf(std::vector<float>(items, -1));
    launch("numbers", {items}, {}, count, apart, scale, far, small, out);
    std::vector<float> made(items);
    take(out, made);
    float sum = 0;
    for (int k = 0; k < count; ++k) sum += static_cast<float>(k * small) * scale;
    EXPECT_EQ(made, std::vector<float>(items, sum + apart + static_cast<float>(far >> 32))) << count;
  }
}

TEST_F(ConstantArguments, OtherParametersStayWhatTheyAre) {
  for (const cl_int x : {3, -5}) {
    cl_mem out = bufferOf(std::vector<cl_int>(8));
    launch("pointers", {8}, {}, out, x, cl_int4{{x, 0, 0, 40}});
    std::vector<cl_int> made(8);
    take(out, made);
    EXPECT_EQ(made, std::vector<cl_int>(8, 2 * x + 40));
  }
}

TEST_F(ConstantArguments, DecideHowOftenWorkItemsMeet) {
  for (const cl_uint n : {1U, 4U, 16U}) {
    cl_mem out = bufferOf(std::vector<cl_int>(64));
    launch("together", {64}, {16}, n, out, LocalBytes{16 * sizeof(cl_int)});
    std::vector<cl_int> made(64), right(64);
    take(out, made);
    for (cl_uint i = 0; i < 64; ++i)
      for (cl_uint k = i / n * n; k < i / n * n + n; ++k) right[i] += static_cast<cl_int>(k);
    EXPECT_EQ(made, right) << n;
  }
}

}  // namespace
