// SPDX-License-Identifier: Apache-2.0
// This file tests argument blocks: small ones and large ones, of every alignment.
#include "device/arg_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace clarity::device {
namespace {

constexpr std::size_t sizes[] = {0, 8, 63, 64, 65, 1000};
constexpr std::size_t alignments[] = {8, 16, 32, 128};

bool isZero(std::byte each) { return each == std::byte{}; }

ArgBlock filled(std::size_t bytes, std::size_t alignment, int with) {
  ArgBlock block(bytes, alignment);
  EXPECT_TRUE(std::all_of(block.begin(), block.end(), isZero));
  std::fill_n(block.data(), bytes, std::byte(with));
  return block;
}

void expectFilled(const ArgBlock& block, std::size_t bytes, std::size_t alignment, int with) {
  ASSERT_EQ(block.size(), bytes);
  EXPECT_TRUE(std::all_of(block.begin(), block.end(), [&](std::byte each) { return each == std::byte(with); }));
  if (bytes > 0) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % alignment, 0U) << bytes;
}

TEST(ArgBlocks, copiesAndMovesKeepBytesAndAlignment) {
  for (const std::size_t size : sizes)
    for (const std::size_t alignment : alignments)
      for (const std::size_t before : sizes)
        for (const std::size_t alignmentBefore : alignments) {
          ArgBlock original = filled(size, alignment, 1);
          ArgBlock copy = filled(before, alignmentBefore, 2), moved = filled(before, alignmentBefore, 3);
          copy = original;
          expectFilled(copy, size, alignment, 1);
          expectFilled(ArgBlock(copy), size, alignment, 1);
          moved = std::move(original);
          expectFilled(moved, size, alignment, 1);
          original = copy;
          expectFilled(original, size, alignment, 1);
          expectFilled(ArgBlock(std::move(copy)), size, alignment, 1);
        }
}

TEST(ArgBlocks, growWithZeros) {
  for (const std::size_t alignment : alignments)
    for (const std::size_t first : sizes)
      for (const std::size_t second : sizes) {
        ArgBlock block = filled(first, alignment, 7);
        block.resize(second);
        ASSERT_EQ(block.size(), second);
        const std::size_t kept = std::min(first, second);
        EXPECT_TRUE(std::all_of(block.begin(), block.begin() + kept, [](std::byte b) { return b == std::byte{7}; }));
        EXPECT_TRUE(std::all_of(block.begin() + kept, block.end(), isZero));
        if (second > 0) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % alignment, 0U);
      }
}

TEST(ArgBlocks, liveInVectors) {
  std::vector<ArgBlock> blocks;
  for (int i = 0; i < 50; ++i) blocks.push_back(filled(i % 2 ? 24 : 200, i % 3 ? 8 : 64, i));
  for (int i = 0; i < 50; ++i) expectFilled(blocks[static_cast<std::size_t>(i)], i % 2 ? 24 : 200, i % 3 ? 8 : 64, i);
}

}  // namespace
}  // namespace clarity::device
