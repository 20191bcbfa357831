// SPDX-License-Identifier: Apache-2.0
// This file tests the search for what a misspelt word may have meant.
#include "support/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace clarity::support {
namespace {

const std::vector<std::string> kWords{"saxpy", "scale", "transpose", "k"};

TEST(Nearest, findsOneOrTwoWrongLetters) {
  EXPECT_EQ(nearest("saxpi", kWords), "saxpy");
  EXPECT_EQ(nearest("sxapy", kWords), "saxpy");
  EXPECT_EQ(nearest("scal", kWords), "scale");
  EXPECT_EQ(nearest("tranpsose", kWords), "transpose");
  EXPECT_EQ(nearest("scale", kWords), "scale");
}

TEST(Nearest, suggestsNothingFarAway) {
  for (const char* word : {"", "x", "matrix", "sy", "transposition_of_matrices"}) EXPECT_EQ(nearest(word, kWords), "");
  EXPECT_EQ(nearest("saxpy", {}), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), std::vector<std::string>{std::string(100000, 'b')}), "");
}

TEST(Nearest, asASuggestion) {
  EXPECT_EQ(didYouMean("saxpi", kWords), " (did you mean 'saxpy'?)");
  EXPECT_EQ(didYouMean("matrix", kWords), "");
}

}  // namespace
}  // namespace clarity::support
