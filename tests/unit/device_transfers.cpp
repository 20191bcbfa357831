// SPDX-License-Identifier: Apache-2.0
// This file tests the CPU device's copies and fills.
#include "device/host/transfers.h"

#include <CL/cl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace clarity::test {
namespace {

using device::Result;
using device::host::Workers;

std::vector<std::byte> counting(std::size_t n) {
  std::vector<std::byte> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 256);
  return bytes;
}

device::Fill fillOf(std::span<const std::byte> pattern, std::size_t bytes) {
  device::Fill fill{.to = {}, .bytes = bytes, .patternBytes = pattern.size(), .pattern = {}};
  std::ranges::copy(pattern, fill.pattern.begin());
  return fill;
}

TEST(CpuTransfers, copiesOfEverySize) {
  for (const std::uint32_t units : {1u, 3u}) {
    Workers workers(units);
    for (const std::size_t bytes : {0u, 1u, 100u, 4096u, 600000u, 3000001u, 34000077u}) {
      const auto from = counting(bytes);
      std::vector<std::byte> to(bytes + 2, std::byte{0xEE});
      EXPECT_TRUE(copy(workers, to.data() + 1, from.data(), bytes));
      EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin() + 1)) << bytes;
      EXPECT_EQ(to.front(), std::byte{0xEE});
      EXPECT_EQ(to.back(), std::byte{0xEE});
    }
  }
}

TEST(CpuTransfers, rectangularCopies) {
  Workers workers(2);
  const auto from = counting(1 << 21);
  for (const auto& region : {std::array<std::size_t, 3>{7, 5, 3}, {64, 1, 9}, {1000, 100, 10}, {1, 1, 1}}) {
    const std::size_t fromRow = region[0] + 11, fromSlice = fromRow * (region[1] + 2);
    const std::size_t toRow = region[0] + 3, toSlice = toRow * region[1];
    std::vector<std::byte> to(toSlice * region[2], std::byte{0xEE}), wanted = to;
    const device::RectCopy rect{.to = {},
                                .from = {},
                                .region = {region[0], region[1], region[2]},
                                .toRowPitch = toRow,
                                .toSlicePitch = toSlice,
                                .fromRowPitch = fromRow,
                                .fromSlicePitch = fromSlice};
    for (std::size_t z = 0; z < region[2]; ++z)
      for (std::size_t y = 0; y < region[1]; ++y)
        for (std::size_t x = 0; x < region[0]; ++x)
          wanted[z * toSlice + y * toRow + x] = from[z * fromSlice + y * fromRow + x];
    EXPECT_TRUE(copyRect(workers, to.data(), from.data(), rect));
    EXPECT_EQ(to, wanted);
  }
}

TEST(CpuTransfers, fillsWithEveryPattern) {
  Workers workers(2);
  for (std::size_t pattern = 1; pattern <= 128; pattern *= 2)
    for (const std::size_t repeats :
         {std::size_t{1}, std::size_t{3}, std::size_t{20000}, (std::size_t{33} << 20) / pattern}) {
      const auto bytes = counting(pattern);
      std::vector<std::byte> to(pattern * repeats + 1, std::byte{0xEE});
      EXPECT_TRUE(fill(workers, to.data(), fillOf(bytes, pattern * repeats)));
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < pattern * repeats; ++i) wrong += to[i] != bytes[i % pattern];
      EXPECT_EQ(wrong, 0u) << repeats << " times a pattern of " << pattern;
      EXPECT_EQ(to.back(), std::byte{0xEE});
    }
}

TEST(CpuTransfers, fillsRowsAndLeavesWhatIsBetween) {
  struct Shape {
    std::size_t row, rows, slices, rowPitch, slicePitch;
  };
  Workers workers(2);
  for (const auto& [row, rows, slices, rowPitch, slicePitch] :
       {Shape{8, 1, 1, 0, 0}, Shape{8, 5, 1, 8, 0}, Shape{8, 5, 1, 24, 0}, Shape{16, 3, 4, 16, 48},
        Shape{16, 3, 4, 16, 64}, Shape{4096 + 8, 3, 2, 5000, 20000}, Shape{1000, 700, 2, 1024, 1024 * 700}}) {
    const auto pattern = counting(8);
    device::Fill rectangle = fillOf(pattern, row);
    rectangle.rows = rows;
    rectangle.slices = slices;
    rectangle.rowPitch = rowPitch;
    rectangle.slicePitch = slicePitch;
    std::vector<std::byte> to(slices * (slicePitch + rowPitch + row) + rows * rowPitch, std::byte{0xEE}), wanted = to;
    for (std::size_t z = 0; z < slices; ++z)
      for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < row; ++x) wanted[z * slicePitch + y * rowPitch + x] = pattern[x % 8];
    EXPECT_TRUE(fill(workers, to.data(), rectangle));
    EXPECT_TRUE(to == wanted) << row << " x " << rows << " x " << slices << ", pitches " << rowPitch << ", "
                              << slicePitch;
  }
}

TEST(CpuTransfers, aPointerToNowhereIsAnErrorOfTheCopy) {
  auto* const forbidden =
      static_cast<std::byte*>(mmap(nullptr, 1 << 22, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::vector<std::byte> bytes(1 << 22);
  for (const std::uint32_t units : {1u, 2u}) {
    Workers workers(units);
    for (const std::size_t size : {std::size_t{16}, bytes.size()}) {
      const Result reading = copy(workers, bytes.data(), forbidden, size);
      EXPECT_EQ(reading.code, CL_INVALID_OPERATION);
      EXPECT_NE(reading.text.find("the copy read from address"), std::string::npos) << reading.text;
      EXPECT_EQ(copy(workers, forbidden, bytes.data(), size).code, CL_INVALID_OPERATION);
      EXPECT_EQ(fill(workers, forbidden, fillOf(std::span(bytes).first(4), size)).code, CL_INVALID_OPERATION);
    }
  }
  munmap(forbidden, 1 << 22);
}

}  // namespace
}  // namespace clarity::test
