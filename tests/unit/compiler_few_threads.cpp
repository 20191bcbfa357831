// SPDX-License-Identifier: Apache-2.0
// This file tests which launches have few threads for a GPU.
#include "compiler/nvptx/few_threads.h"

#include <gtest/gtest.h>

namespace clarity::compiler::nvptx {
namespace {

Shape shapeOf(std::uint32_t itemsPerThread, bool partialBlocks) {
  Shape shape;
  shape.itemsPerThread = itemsPerThread;
  shape.partialBlocks = partialBlocks;
  return shape;
}

TEST(FewThreads, aLaunchAsWrittenIsNotCounted) { EXPECT_FALSE(hasFewThreads(shapeOf(0, false), Tile())); }

TEST(FewThreads, oneWorkItemAThread) {
  EXPECT_TRUE(hasFewThreads(shapeOf(1, false), Tile()));
  EXPECT_TRUE(hasFewThreads(shapeOf(2, false), Tile()));
  EXPECT_FALSE(hasFewThreads(shapeOf(4, false), Tile())) << "as many as a multiprocessor holds";
}

TEST(FewThreads, partialBlocksCouldHaveHalfAsManyWorkItems) {
  EXPECT_TRUE(hasFewThreads(shapeOf(1, true), Tile()));
  EXPECT_FALSE(hasFewThreads(shapeOf(2, true), Tile()));
}

TEST(FewThreads, severalWorkItemsAThreadLeaveFewer) {
  Tile tile;
  tile.cells = {1, 4, 1};
  EXPECT_TRUE(hasFewThreads(shapeOf(4, false), tile));
  EXPECT_FALSE(hasFewThreads(shapeOf(8, false), tile)) << "the launch is not small";
  Tile groups;
  groups.groups = 2;
  EXPECT_TRUE(hasFewThreads(shapeOf(4, false), groups));
}

}  // namespace
}  // namespace clarity::compiler::nvptx
