// SPDX-License-Identifier: Apache-2.0
// This file tests which line of a source messages quote.
#include "device/source_text.h"

#include <gtest/gtest.h>

namespace clarity::device {
namespace {

std::shared_ptr<const std::string> text(std::string lines) {
  return std::make_shared<const std::string>(std::move(lines));
}

TEST(DeviceSourceText, linesCountFromOneAndLoseTheirBlanks) {
  SourceText source;
  source.add("a.cl", text("first\r\n\t  second \n\nlast"));
  EXPECT_EQ(source.line("a.cl", 1), "first");
  EXPECT_EQ(source.line("a.cl", 2), "second");
  EXPECT_EQ(source.line("a.cl", 3), "");
  EXPECT_EQ(source.line("a.cl", 4), "last");
  EXPECT_EQ(source.line("a.cl", 5), "");
  EXPECT_EQ(source.line("a.cl", 0), "");
  EXPECT_EQ(source.line("b.cl", 1), "");
}

TEST(DeviceSourceText, aLongLineIsCutBetweenCharacters) {
  SourceText source;
  std::string umlauts;
  for (int i = 0; i < 60; ++i) umlauts += "\xc3\xa4";
  source.add("a.cl", text(std::string(80, 'x') + "\n" + std::string(81, 'y') + "\n" + umlauts));
  EXPECT_EQ(source.line("a.cl", 1), std::string(80, 'x'));
  EXPECT_EQ(source.line("a.cl", 2), std::string(77, 'y') + "...");
  EXPECT_EQ(source.line("a.cl", 3), umlauts.substr(0, 76) + "...");
}

TEST(DeviceSourceText, lineDirectivesRenumber) {
  SourceText source;
  source.add("a.cl",
             text("one\n#line 10\nten\n# 5 \"b.in\"\nfive\nsix\n  #  line 3 \"a.cl\"\nthree\n#line\n#lines 7\n"));
  EXPECT_EQ(source.line("a.cl", 1), "one");
  EXPECT_EQ(source.line("a.cl", 10), "ten");
  EXPECT_EQ(source.line("b.in", 5), "five");
  EXPECT_EQ(source.line("b.in", 6), "six");
  EXPECT_EQ(source.line("a.cl", 3), "three");
  EXPECT_EQ(source.line("a.cl", 4), "#line");
  EXPECT_EQ(source.line("a.cl", 5), "#lines 7");
}

TEST(DeviceSourceText, twoTextsOfOneNameAreNoneUnlessTheLineIsTheSame) {
  SourceText source, other;
  source.add("a.cl", text("same\nthis\nonly"));
  other.add("a.cl", text("same\nthat"));
  source.add(other);
  EXPECT_EQ(source.line("a.cl", 1), "same");
  EXPECT_EQ(source.line("a.cl", 2), "");
}

}  // namespace
}  // namespace clarity::device
