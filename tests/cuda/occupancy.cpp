// SPDX-License-Identifier: Apache-2.0
// This file tests that a thread executes several work-items only where the driver's figures say that a multiprocessor
// does not execute fewer of them at once then, and that large code is made once for launches of all sizes.
#include "cuda_stub.h"

namespace clarity::test {
namespace {

struct CudaOccupancy : CudaStub {
  static constexpr size_t side = 2048, local = 8;

  static ClarityCudaLaunch& last() {
    static ClarityCudaLaunch launch;
    return launch;
  }
  /// A matrix product, whose threads have several work-items, launched with work-groups of 8 x 8.
  ClarityCudaLaunch launched() {
    defineKernel("product", [](const ClarityCudaLaunch* launch) { last() = *launch; });
    const cl_kernel product = kernel(
        "kernel void product(global const float* a, global const float* b, global float* c, int n) {"
        "  int x = get_global_id(0), y = get_global_id(1);"
        "  float sum = 0;"
        "  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];"
        "  c[y * n + x] = sum; }",
        "product");
    for (cl_uint i = 0; i < 3; ++i) {
      const cl_mem memory = buffer(side * side * sizeof(float));
      EXPECT_SUCCESS(clSetKernelArg(product, i, sizeof memory, &memory));
    }
    const cl_int n = side;
    EXPECT_SUCCESS(clSetKernelArg(product, 3, sizeof n, &n));
    const size_t global[] = {side, side}, group[] = {local, local};
    for (int i = 0; i < 2; ++i) {
      EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, product, 2, nullptr, global, group, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clFinish(queue));
    }
    return last();
  }
};

constexpr int asWritten = 8 * 8;  // threads of a block

TEST_F(CudaOccupancy, severalWorkItemsWhereManyRunAtOnce) {
  defineOccupancy([](int threads, size_t) { return threads == asWritten ? 24 : 4; });
  EXPECT_GT(launched().block[0] * last().block[1], unsigned(asWritten));
}

TEST_F(CudaOccupancy, oneWhereMoreRunAtOnceThen) {
  defineOccupancy([](int threads, size_t) { return threads == asWritten ? 24 : 0; });
  EXPECT_EQ(launched().block[0] * last().block[1], unsigned(asWritten));
}

TEST_F(CudaOccupancy, severalWhereNoneFitsAsWritten) {
  defineOccupancy([](int, size_t) { return 0; });
  EXPECT_GT(launched().block[0] * last().block[1], unsigned(asWritten));
}

/// How often the driver compiles for launches of so many work-items, in work-groups of 64.
struct CudaSizes : CudaStub {
  std::uint64_t compiles(const std::string& body, const std::vector<size_t>& sizes) {
    defineKernel("sized", [](const ClarityCudaLaunch*) {});
    const std::string source =
        "kernel void sized(global uint* a, global const uint* b, uint n) {"
        "  const size_t i = get_global_id(0);"
        "  uint x = a[i];"
        "  for (uint k = 0; k < n; ++k) x += b[k];" +
        body + "  a[i] = x; }";
    const cl_kernel sized = kernel(source.c_str(), "sized");
    const cl_mem a = buffer(sizes.back() * sizeof(cl_uint)), b = buffer(64);
    const cl_uint n = 16;
    EXPECT_SUCCESS(clSetKernelArg(sized, 0, sizeof a, &a));
    EXPECT_SUCCESS(clSetKernelArg(sized, 1, sizeof b, &b));
    EXPECT_SUCCESS(clSetKernelArg(sized, 2, sizeof n, &n));
    const auto before = calls("cuLinkComplete");
    const size_t local = 64;
    for (const size_t global : sizes) {
      EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, sized, 1, nullptr, &global, &local, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clFinish(queue));
    }
    return calls("cuLinkComplete") - before;
  }
};

TEST_F(CudaSizes, smallCodeIsThatOfTheSize) { EXPECT_GT(compiles("", {64, 1 << 17, 1 << 21}), 1U); }

TEST_F(CudaSizes, largeCodeServesAllSizes) {
  std::string body;
  for (int i = 0; i < 1500; ++i)
    body += "x = rotate(x, " + std::to_string(i % 31 + 1) + "u) * b[" + std::to_string(i % 16) + "] ^ x;\n";
  EXPECT_EQ(compiles(body, {64, 64 * 33, 1 << 17, 1 << 21}), 1U);
}

}  // namespace
}  // namespace clarity::test
