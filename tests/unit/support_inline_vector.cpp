// SPDX-License-Identifier: Apache-2.0
// This file tests the vector whose first elements are inside, with elements that are counted.
#include "support/inline_vector.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

namespace clarity::support {
namespace {

/// Knows how many there are, and how often one was copied.
struct Counted {
  explicit Counted(int its) : value(its) { ++alive; }
  Counted(const Counted& other) : value(other.value) { ++alive, ++copies; }
  Counted(Counted&& other) noexcept : value(std::exchange(other.value, -1)) { ++alive; }
  Counted& operator=(const Counted& other) {
    value = other.value;
    ++copies;
    return *this;
  }
  ~Counted() { --alive; }
  int value;
  static inline int alive = 0, copies = 0;
};

using Vector = InlineVector<Counted, 3>;

struct InlineVectors : testing::Test {
  void SetUp() override { Counted::alive = Counted::copies = 0; }
  void TearDown() override { EXPECT_EQ(Counted::alive, 0); }
  static Vector upTo(int count) {
    Vector made;
    for (int i = 0; i < count; ++i) made.emplace_back(i);
    return made;
  }
  static void expectUpTo(const Vector& vector, int count) {
    ASSERT_EQ(vector.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) EXPECT_EQ(vector[static_cast<std::size_t>(i)].value, i);
    EXPECT_EQ(vector.end() - vector.begin(), count);
  }
};

TEST_F(InlineVectors, growWithoutCopies) {
  for (int count = 0; count < 20; ++count) {
    Vector vector = upTo(count);
    expectUpTo(vector, count);
    if (count > 0) EXPECT_EQ(vector.back().value, count - 1);
  }
  EXPECT_EQ(Counted::copies, 0);
}

TEST_F(InlineVectors, copiesAndMovesKeepElements) {
  for (const int from : {0, 1, 3, 4, 9})
    for (const int to : {0, 1, 3, 4, 9}) {
      Vector original = upTo(from), copy = upTo(to), moved = upTo(to);
      copy = original;
      expectUpTo(original, from);
      expectUpTo(copy, from);
      moved = std::move(original);
      expectUpTo(moved, from);
      EXPECT_TRUE(original.empty());
      original.emplace_back(0);  // and is an empty vector again
      expectUpTo(original, 1);
      const Vector again(copy), last(std::move(copy));
      expectUpTo(again, from);
      expectUpTo(last, from);
    }
}

TEST_F(InlineVectors, elementsOfAListAreMoved) {
  const Vector vector{Counted(0), Counted(1), Counted(2), Counted(3)};
  expectUpTo(vector, 4);
  EXPECT_EQ(Counted::copies, 0);
}

}  // namespace
}  // namespace clarity::support
