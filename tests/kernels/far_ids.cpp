// SPDX-License-Identifier: Apache-2.0
// This file launches work-items far from id 0, where 32-bit index arithmetic reaches the ends of int and uint: results
// are those of the host's arithmetic.
#include "device_test.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace {

const char source[] = R"CL(
__kernel void sums(__global long* out, ulong x0, ulong y0) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  __global long* mine = out + ((y - y0) * get_global_size(0) + (x - x0)) * 8;
  const int near = x + 5, far = x + 0x0fff0000, back = x - 7, both = x + y;
  const uint nearUint = x + 5, farUint = (uint)x + 0x0fff0000u, backUint = x - 7, bothUint = (uint)x + (uint)y;
  mine[0] = near;
  mine[1] = far;
  mine[2] = back;
  mine[3] = both;
  mine[4] = nearUint;
  mine[5] = farUint;
  mine[6] = backUint;
  mine[7] = bothUint;
}
)CL";

std::array<std::int64_t, 8> expected(std::uint64_t x, std::uint64_t y) {
  const auto number = [](std::uint64_t value) { return std::int64_t{static_cast<std::int32_t>(value)}; };
  const auto unsignedNumber = [](std::uint64_t value) { return std::int64_t{static_cast<std::uint32_t>(value)}; };
  return {number(x + 5),         number(x + 0x0fff0000),         number(x - 7),         number(x + y),
          unsignedNumber(x + 5), unsignedNumber(x + 0x0fff0000), unsignedNumber(x - 7), unsignedNumber(x + y)};
}

using Offset = std::array<std::size_t, 2>;

class FarIds : public DeviceTest, public testing::WithParamInterface<Offset> {};

TEST_P(FarIds, IndexArithmeticWrapsAsOnTheHost) {
  build(source, "");
  const auto [x0, y0] = GetParam();
  const std::array<std::size_t, 2> global{64, 3}, offset{x0, y0};
  std::vector<std::int64_t> made(global[0] * global[1] * 8, 99);
  cl_mem output = bufferOf(made);
  cl_int error = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program_, "sums", &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const cl_ulong first[] = {x0, y0};
  clSetKernelArg(kernel, 0, sizeof output, &output);
  clSetKernelArg(kernel, 1, sizeof first[0], &first[0]);
  clSetKernelArg(kernel, 2, sizeof first[1], &first[1]);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 2, offset.data(), global.data(), nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  take(output, made);
  clReleaseKernel(kernel);
  for (std::size_t y = 0; y < global[1]; ++y)
    for (std::size_t x = 0; x < global[0]; ++x) {
      const auto right = expected(x0 + x, y0 + y);
      for (std::size_t i = 0; i < right.size(); ++i)
        ASSERT_EQ(made[(y * global[0] + x) * 8 + i], right[i])
            << "result " << i << " of work-item (" << x0 + x << ", " << y0 + y << ")";
    }
}

constexpr std::size_t int30 = std::size_t{1} << 30, int31 = std::size_t{1} << 31, int32 = std::size_t{1} << 32;
INSTANTIATE_TEST_SUITE_P(Offsets, FarIds,
                         testing::Values(Offset{0, 0}, Offset{int30 - 65, 0}, Offset{int30 - 65, int30 - 4},
                                         Offset{int30 - 30, 0}, Offset{int31 - 65, 0}, Offset{int31 - 65, int31 - 4},
                                         Offset{int31 - 30, 5}, Offset{int32 - 30, int31}, Offset{int32 * 300, 2}),
                         [](const auto& test) {
                           return "from_" + std::to_string(test.param[0]) + "_" + std::to_string(test.param[1]);
                         });

}  // namespace
