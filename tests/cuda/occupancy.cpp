// SPDX-License-Identifier: Apache-2.0
// This file tests that a thread executes several work-items only where the driver's figures say that a multiprocessor
// does not execute fewer of them at once then, that work-groups share blocks where that fills them, and that large code
// is made once for launches of all sizes.
#include "cuda_stub.h"

#include <array>
#include <string>
#include <vector>

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

/// Blocks of a kernel that cannot observe work-groups, whose work-items have nothing in common.
struct CudaBlocks : CudaStub {
  using Sizes = std::array<size_t, 2>;
  static std::vector<ClarityCudaLaunch>& launches() {
    static std::vector<ClarityCudaLaunch> all;
    return all;
  }
  /// The blocks of a launch: one text for each grid.
  std::vector<std::string> blocks(const Sizes& global, const Sizes& local) {
    launches().clear();
    defineKernel("waves", [](const ClarityCudaLaunch* launch) { launches().push_back(*launch); });
    const cl_kernel waves =
        kernel(build("kernel void waves(global float* out, uint n) {"
                     "  const uint x = get_global_id(0), y = get_global_id(1);"
                     "  float sum = 0;"
                     "  for (uint i = 1; i < n; ++i) sum += native_sin((float)(x * i)) + native_cos((float)(y * i));"
                     "  out[y * get_global_size(0) + x] = sum; }",
                     "-cl-std=CL3.0"),
               "waves");
    const cl_mem out = buffer(global[0] * global[1] * sizeof(float));
    const cl_uint n = 9;
    EXPECT_SUCCESS(clSetKernelArg(waves, 0, sizeof out, &out));
    EXPECT_SUCCESS(clSetKernelArg(waves, 1, sizeof n, &n));
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, waves, 2, nullptr, global.data(), local.data(), 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFinish(queue));
    std::vector<std::string> texts;
    for (const ClarityCudaLaunch& each : launches())
      texts.push_back(std::to_string(each.grid[0]) + "x" + std::to_string(each.grid[1]) + " of " +
                      std::to_string(each.block[0]) + "x" + std::to_string(each.block[1]));
    return texts;
  }
};

using Texts = std::vector<std::string>;

TEST_F(CudaBlocks, unevenRangesAreOneGrid) {
  EXPECT_EQ(blocks({2001, 2003}, {64, 4}), Texts{"63x251 of 32x8"});
  EXPECT_EQ(blocks({101, 50}, {64, 4}), Texts{"4x13 of 32x4"}) << "a small launch";
  EXPECT_EQ(blocks({2000, 2000}, {50, 5}), Texts{"40x400 of 50x5"}) << "nothing is at the edges";
}

TEST_F(CudaBlocks, smallGroupsShareBlocks) { EXPECT_EQ(blocks({2048, 2048}, {4, 4}), Texts{"64x256 of 32x8"}); }

// Three quarters of the threads of blocks of 32 x 8 would have no work-item.
TEST_F(CudaBlocks, narrowRangesKeepTheirGroups) {
  EXPECT_EQ(blocks({8, 500001}, {8, 32}), (Texts{"1x15625 of 8x32", "1x1 of 8x1"}));
  EXPECT_EQ(blocks({3, 200000}, {3, 7}), (Texts{"1x28571 of 3x7", "1x1 of 3x3"}));
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
