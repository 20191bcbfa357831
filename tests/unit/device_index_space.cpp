// SPDX-License-Identifier: Apache-2.0
// This file tests that an NDRange is divided into boxes that cover it exactly once.
#include "device/cpu/index_space.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace clarity::test {
namespace {

using device::NDRange;
using device::cpu::IndexSpace;
using device::cpu::Part;
using Size = std::array<std::size_t, 3>;

/// How often each point of a box from 0 to `extent` was visited.
struct Visits {
  Size extent;
  std::vector<unsigned> counts;
  explicit Visits(Size size) : extent(size), counts(size[0] * size[1] * size[2]) {}

  void add(const compiler::Slice& slice) {
    for (std::size_t d = 0; d < 3; ++d) {
      ASSERT_LT(slice.begin[d], slice.end[d]);
      ASSERT_LE(slice.end[d], extent[d]);
    }
    for (std::uint64_t z = slice.begin[2]; z < slice.end[2]; ++z)
      for (std::uint64_t y = slice.begin[1]; y < slice.end[1]; ++y)
        for (std::uint64_t x = slice.begin[0]; x < slice.end[0]; ++x) ++counts[(z * extent[1] + y) * extent[0] + x];
  }
  void expectOnce() const {
    for (std::size_t i = 0; i < counts.size(); ++i) ASSERT_EQ(counts[i], 1u) << "point " << i;
  }
};

void expectCovered(const IndexSpace& space, Size extent) {
  for (const std::uint64_t step :
       {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{7}, std::uint64_t{50}, space.grains}) {
    Visits visits(extent);
    for (std::uint64_t at = 0; at < space.grains; at += step)
      space.forEachBox(at, std::min(space.grains, at + step),
                       [&](const Part&, const compiler::Slice& s) { visits.add(s); });
    visits.expectOnce();
  }
}

const Size globals[] = {{1, 1, 1},   {64, 1, 1},  {65, 1, 1}, {1000, 1, 1}, {7, 5, 1}, {130, 33, 1},
                        {64, 64, 1}, {3, 200, 1}, {5, 4, 3},  {70, 9, 6},   {1, 1, 40}};

TEST(IndexSpace, workItemsOfFlatKernels) {
  for (const Size& global : globals)
    for (const std::uint32_t units : {1u, 2u, 16u})
      for (const std::array<std::uint32_t, 3> tile :
           {std::array{1u, 1u, 1u}, std::array{16u, 8u, 1u}, std::array{4u, 32u, 1u}, std::array{3u, 5u, 1u},
            std::array{1u, 16u, 1u}}) {
        NDRange range{.dims = 3, .global = global, .local = {1, 1, 1}};
        const IndexSpace space = IndexSpace::ofItems(range, units, tile);
        EXPECT_GE(space.grains, 1u);
        expectCovered(space, global);
      }
}

// Lanes along y on many processors: whole tiles, and enough grains for all processors.
TEST(IndexSpace, atomsOfFlatKernelsHoldWholeTiles) {
  const NDRange range{.dims = 2, .global = {512, 512, 1}, .local = {1, 1, 1}};
  const IndexSpace space = IndexSpace::ofItems(range, 16, {8, 32, 1});
  EXPECT_GE(space.grains, 64u);
  for (std::uint64_t i = 0; i < space.grains; ++i)
    space.forEachBox(i, i + 1, [&](const Part&, const compiler::Slice& s) {
      EXPECT_EQ((s.end[1] - s.begin[1]) % 32, 0u);
      EXPECT_EQ((s.end[0] - s.begin[0]) % 8, 0u);
    });
}

// Lanes along y, a column at a time: columns are runs in memory, and long ones are read at the speed of memory.
TEST(IndexSpace, columnsStayTogetherWhereTheyAreExecutedAlone) {
  const auto firstBox = [&](std::uint32_t units, std::array<std::uint32_t, 3> tile, std::uint64_t rows = 1600) {
    const NDRange range{.dims = 2, .global = {960, rows, 1}, .local = {1, 1, 1}};
    compiler::Slice first{};
    IndexSpace::ofItems(range, units, tile).forEachBox(0, 1, [&](const Part&, const compiler::Slice& s) { first = s; });
    return Size{first.end[0], first.end[1], first.end[2]};
  };
  EXPECT_EQ(firstBox(2, {1, 16, 1}), (Size{16, 1600, 1}));
  EXPECT_EQ(firstBox(64, {1, 16, 1}), (Size{16, 320, 1}));
  EXPECT_EQ(firstBox(2, {1, 48, 1}, 20000), (Size{16, 8160, 1}));
  EXPECT_EQ(firstBox(2, {8, 32, 1})[1], 32u);
}

TEST(IndexSpace, rowsThatShareNothingAreWhole) {
  const NDRange range{.dims = 2, .global = {4096, 4096, 1}, .local = {1, 1, 1}};
  const auto boxOfSixteenRows = [&](const IndexSpace& space) {
    compiler::Slice first{};
    space.forEachBox(0, 16 * 4096 / space.itemsPerGrain, [&](const Part&, const compiler::Slice& s) {
      if (first.end[0] == 0) first = s;
    });
    return Size{first.end[0], first.end[1], first.end[2]};
  };
  EXPECT_EQ(boxOfSixteenRows(IndexSpace::ofItems(range, 2, {16, 1, 1}, true)), (Size{4096, 16, 1}));
  EXPECT_EQ(boxOfSixteenRows(IndexSpace::ofItems(range, 2, {16, 1, 1}, false)), (Size{1024, 16, 1}));
  EXPECT_EQ(boxOfSixteenRows(IndexSpace::ofItems(range, 2, {16, 8, 1}, true)), (Size{1024, 16, 1}));
}

TEST(IndexSpace, boxesCoverWorkItemsThatShareWhatTheyRead) {
  for (const Size& global : globals)
    for (const std::uint32_t units : {1u, 2u, 16u})
      for (const std::array<std::uint32_t, 3> tile : {std::array{1u, 1u, 1u}, std::array{32u, 14u, 1u}}) {
        const IndexSpace space =
            IndexSpace::ofBoxes({.dims = 3, .global = global, .local = {1, 1, 1}}, units, tile, 512);
        EXPECT_GE(space.grains, 1u);
        expectCovered(space, global);
      }
}

// Whole tiles; as large as they may be where there are enough of them, and smaller where units would have none.
TEST(IndexSpace, boxesAreAsLargeAsThereAreUnits) {
  const auto firstBox = [](std::size_t side, std::uint32_t units) {
    const NDRange range{.dims = 2, .global = {side, side, 1}, .local = {1, 1, 1}};
    compiler::Slice first{};
    IndexSpace::ofBoxes(range, units, {32, 14, 1}, 512).forEachBox(0, 1, [&](const Part&, const compiler::Slice& s) {
      first = s;
    });
    return Size{first.end[0], first.end[1], first.end[2]};
  };
  EXPECT_EQ(firstBox(4096, 2), (Size{512, 504, 1}));
  EXPECT_EQ(firstBox(1024, 2), (Size{512, 252, 1}));
  EXPECT_EQ(firstBox(512, 2), (Size{256, 252, 1}));
  EXPECT_EQ(firstBox(1024, 64), (Size{128, 126, 1}));
}

TEST(IndexSpace, runsOfFlatKernelsBeginAtMultiplesOf64) {
  const NDRange range{.dims = 2, .global = {1000, 100, 1}, .local = {1, 1, 1}};
  const IndexSpace space = IndexSpace::ofItems(range, 2);
  for (std::uint64_t i = 0; i < space.grains; ++i)
    space.forEachBox(i, i + 1, [&](const Part&, const compiler::Slice& s) { EXPECT_EQ(s.begin[0] % 64, 0u); });
}

TEST(IndexSpace, workGroups) {
  for (const Size& global : globals)
    for (const Size& local : {Size{1, 1, 1}, Size{4, 1, 1}, Size{16, 4, 1}, Size{3, 2, 2}, Size{128, 1, 1}})
      for (const bool separate : {false, true}) {
        const NDRange range{.dims = 3, .global = global, .local = local};
        Size groups;
        for (std::size_t d = 0; d < 3; ++d) groups[d] = (global[d] + local[d] - 1) / local[d];
        expectCovered(IndexSpace::ofGroups(range, separate), groups);
      }
}

TEST(IndexSpace, exactPartsHoldFullWorkGroupsOnly) {
  const NDRange range{.dims = 3, .global = {70, 9, 7}, .local = {16, 4, 2}};
  const IndexSpace space = IndexSpace::ofGroups(range, true);
  std::uint64_t exact = 0;
  space.forEachBox(0, space.grains, [&](const Part& part, const compiler::Slice& slice) {
    bool full = true;
    std::uint64_t groups = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      full = full && slice.end[d] * range.local[d] <= range.global[d];
      groups *= slice.end[d] - slice.begin[d];
    }
    EXPECT_EQ(part.exact, full);
    if (part.exact) exact += groups;
  });
  EXPECT_EQ(exact, 4u * 2 * 3);
}

TEST(IndexSpace, aWholeSpaceIsOneBox) {
  const NDRange range{.dims = 3, .global = {64, 32, 8}, .local = {16, 4, 2}};
  int boxes = 0;
  const IndexSpace space = IndexSpace::ofGroups(range, true);
  space.forEachBox(0, space.grains, [&](const Part&, const compiler::Slice&) { ++boxes; });
  EXPECT_EQ(boxes, 1);
}

TEST(IndexSpace, chunksAreWholeRowsOrPlanes) {
  const NDRange range{.dims = 3, .global = {64, 32, 8}, .local = {1, 1, 1}};
  const IndexSpace space = IndexSpace::ofGroups(range, true);
  EXPECT_EQ(space.roundedChunk(0), 1u);
  EXPECT_EQ(space.roundedChunk(10), 10u);
  EXPECT_EQ(space.roundedChunk(130), 128u);
  EXPECT_EQ(space.roundedChunk(64 * 32 + 100), 64u * 32);
}

// Sizes that no machine has the memory to count: the numbers alone must be right.
TEST(IndexSpace, hugeRanges) {
  const std::size_t huge = std::size_t{1} << 40;
  const IndexSpace space = IndexSpace::ofItems({.dims = 2, .global = {huge, 3, 1}, .local = {1, 1, 1}}, 2);
  EXPECT_EQ(space.grains, huge / 64 * 3);
  space.forEachBox(space.grains - 1, space.grains, [&](const Part&, const compiler::Slice& s) {
    EXPECT_EQ(s.end[0], huge);
    EXPECT_EQ(s.end[1], 3u);
  });
}

}  // namespace
}  // namespace clarity::test
