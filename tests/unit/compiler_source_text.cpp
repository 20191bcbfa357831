// SPDX-License-Identifier: Apache-2.0
// These tests quote expressions from lines of source.
#include "compiler/reports/source_text.h"

#include <gtest/gtest.h>

namespace clarity::compiler {
namespace {

/// The word that is quoted at the mark `@`, which stands ahead of a column.
std::string at(std::string line) {
  const std::size_t mark = line.find('@');
  line.erase(mark, 1);
  return SourceText("first line\n" + line + "\nlast line").expressionAt(2, static_cast<unsigned>(mark) + 1);
}

TEST(SourceText, expressionsFromTheirFirstName) {
  EXPECT_EQ(at("  sum += @a[row * n + k] * b[k];"), "a[row * n + k]");
  EXPECT_EQ(at("x = @tile[y][x + 1];"), "tile[y][x + 1]");
  EXPECT_EQ(at("x = @a[b[i]].x + 1;"), "a[b[i]].x");
  EXPECT_EQ(at("x = @A(i, k) + 1;"), "A(i, k)");
  EXPECT_EQ(at("x = @p->next;"), "p->next");
  EXPECT_EQ(at("return @x;"), "x");
}

TEST(SourceText, expressionsFromAMemberOrAnOperator) {
  EXPECT_EQ(at("x = bodies[i].@mass;"), "bodies[i].mass");
  EXPECT_EQ(at("x = body->@mass;"), "body->mass");
  EXPECT_EQ(at("  c[row * n + col] @= sum;"), "c[row * n + col]");
  EXPECT_EQ(at("part[lid]@+= x;"), "part[lid]");
  EXPECT_EQ(at("if (a) odd[i * 2].tag @= (int)x;"), "odd[i * 2].tag");
  EXPECT_EQ(at("f(x); *changed @= 1;"), "*changed");
}

TEST(SourceText, pointersAreNoProducts) {
  EXPECT_EQ(at("x = @*p;"), "*p");
  EXPECT_EQ(at("x = @*(p + i) + 1;"), "*(p + i)");
  EXPECT_EQ(at("x = a[i] @* p;"), "a[i]");
}

TEST(SourceText, whatIsNoExpressionIsNotQuoted) {
  EXPECT_EQ(at("  @{"), "");
  EXPECT_EQ(at("x = @a[i +"), "") << "goes on in the next line";
  EXPECT_EQ(at("x = @a[" + std::string(100, 'i') + "];"), "") << "too long";
  const SourceText text("a[i]");
  EXPECT_EQ(text.expressionAt(1, 1), "a[i]");
  EXPECT_EQ(text.expressionAt(1, 5), "");
  EXPECT_EQ(text.expressionAt(2, 1), "");
  EXPECT_EQ(text.expressionAt(0, 0), "");
  EXPECT_EQ(SourceText("").expressionAt(1, 1), "");
}

TEST(SourceText, unbalancedBracketsEnd) {
  EXPECT_EQ(at("] @= x;"), "");
  EXPECT_EQ(at("a] @= x;"), "");
  EXPECT_EQ(at("@= x;"), "");
}

TEST(SourceText, operators) {
  const SourceText text("a[i % 7] + (b >> 2) * c");
  EXPECT_EQ(text.operatorAt(1, 5), "%");
  EXPECT_EQ(text.operatorAt(1, 15), ">>");
  EXPECT_EQ(text.operatorAt(1, 10), "");
  EXPECT_EQ(text.operatorAt(2, 1), "");
}

}  // namespace
}  // namespace clarity::compiler
