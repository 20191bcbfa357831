// SPDX-License-Identifier: Apache-2.0
// This file tests products of matrices that a sub-group of 32 work-items has in its registers.
#include "device_test.h"

#include <cstdint>
#include <cstring>
#include <random>

namespace {

constexpr std::size_t lanes = 32;

class SubGroupMatrices : public DeviceTest {
protected:
  /// Executes the kernel of a source for one sub-group, with three buffers, and gives back the first.
  template <class Sum, class Element>
  std::vector<Sum> run(const std::string& source, const std::vector<Sum>& sums, const std::vector<Element>& a,
                       const std::vector<Element>& b) {
    build(source, "-cl-clarity-packet-width=32");
    cl_mem buffer = bufferOf(sums), bufferOfA = bufferOf(a), bufferOfB = bufferOf(b);
    launch("test", {lanes}, {lanes}, buffer, bufferOfA, bufferOfB);
    std::vector<Sum> result(sums.size());
    take(buffer, result);
    clReleaseMemObject(bufferOfA);
    clReleaseMemObject(bufferOfB);
    return result;
  }

  int any() { return static_cast<int>(random_() % 17) - 8; }
  std::mt19937 random_{1};
};

/// Matrices of small integers, through local memory: a lies in rows of 16, b too, or in rows of 8.
TEST_F(SubGroupMatrices, halvesAndBfloats) {
  for (const char* type : {"f16", "bf16"}) {
    SCOPED_TRACE(type);
    const bool isHalf = std::strcmp(type, "f16") == 0;
    const auto bitsOf = [&](int number) {
      const auto value = static_cast<float>(number);
      const _Float16 half = static_cast<_Float16>(value);
      std::uint32_t all = 0;
      std::uint16_t bits = 0;
      std::memcpy(&all, &value, sizeof all);
      std::memcpy(&bits, &half, sizeof bits);
      return isHalf ? bits : static_cast<std::uint16_t>(all >> 16);
    };
    int a[16][16], b[16][8];
    std::vector<cl_ushort> bitsOfA, bitsOfB;
    for (auto& row : a)
      for (int& each : row) bitsOfA.push_back(bitsOf(each = any()));
    for (auto& row : b)
      for (int& each : row) bitsOfB.push_back(bitsOf(each = any()));
    std::vector<float> sums(lanes * 4);
    for (float& each : sums) each = static_cast<float>(any());
    const std::vector<float> result = run(std::string(R"(
      kernel void test(global float4 *sums, global const ushort *a, global const ushort *b) {
        local ushort rows[256] __attribute__((aligned(16))), columns[128] __attribute__((aligned(16)));
        uint l = get_local_id(0);
        for (uint i = l; i < 256; i += 32) rows[i] = a[i];
        for (uint i = l; i < 128; i += 32) columns[i] = b[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint4 ofA = clarity_sub_group_matrix_load((const local uint*)(rows + (l % 16) * 16 + l / 16 * 8));
        uint4 ofB = clarity_sub_group_matrix_load_turned((const local uint*)(columns + (l % 16) * 8));
        sums[l] = clarity_sub_group_matrix_mad_)") +
                                              type + "(ofA, ofB.xy, sums[l]); }",
                                          sums, bitsOfA, bitsOfB);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t e = 0; e < 4; ++e) {
        const std::size_t i = lane / 4 + e / 2 * 8, j = lane % 4 * 2 + e % 2;
        float sum = sums[lane * 4 + e];
        for (std::size_t k = 0; k < 16; ++k) sum += static_cast<float>(a[i][k] * b[k][j]);
        ASSERT_EQ(result[lane * 4 + e], sum) << "row " << i << ", column " << j;
      }
  }
}

TEST_F(SubGroupMatrices, doubles) {
  int a[16][8], b[8][8];
  for (auto& row : a)
    for (int& each : row) each = any();
  for (auto& row : b)
    for (int& each : row) each = any();
  std::vector<double> sums(lanes * 4), ofA, ofB;
  for (double& each : sums) each = any();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t i = 0; i < 4; ++i) ofA.push_back(a[lane / 4 + i % 2 * 8][lane % 4 + i / 2 * 4]);
    for (std::size_t i = 0; i < 2; ++i) ofB.push_back(b[lane % 4 + i * 4][lane / 4]);
  }
  const std::vector<double> result = run(R"(
    kernel void test(global double4 *sums, global const double4 *a, global const double2 *b) {
      uint l = get_local_id(0);
      sums[l] = clarity_sub_group_matrix_mad_f64(a[l], b[l], sums[l]);
    })",
                                         sums, ofA, ofB);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t e = 0; e < 4; ++e) {
      const std::size_t i = lane / 4 + e / 2 * 8, j = lane % 4 * 2 + e % 2;
      double sum = sums[lane * 4 + e];
      for (std::size_t k = 0; k < 8; ++k) sum += a[i][k] * b[k][j];
      ASSERT_EQ(result[lane * 4 + e], sum) << "row " << i << ", column " << j;
    }
}

}  // namespace
