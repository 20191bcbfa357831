// SPDX-License-Identifier: Apache-2.0
// This file tests which line of a source messages quote.
#include "device/source_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace clarity::device {
namespace {

std::shared_ptr<const std::string> text(std::string lines) {
  return std::make_shared<const std::string>(std::move(lines));
}

struct Line {
  const char* file;
  unsigned number;
  std::string text;
};

void expectLines(const SourceText& source, const std::vector<Line>& lines) {
  for (const Line& line : lines)
    EXPECT_EQ(source.line(line.file, line.number), line.text) << line.file << ':' << line.number;
}

TEST(DeviceSourceText, linesCountFromOneAndLoseTheirBlanks) {
  SourceText source;
  source.add("a.cl", text("first\r\n\t  second \n\nlast"));
  expectLines(source, {{"a.cl", 1, "first"},
                       {"a.cl", 2, "second"},
                       {"a.cl", 3, ""},
                       {"a.cl", 4, "last"},
                       {"a.cl", 5, ""},
                       {"a.cl", 0, ""},
                       {"b.cl", 1, ""}});
}

TEST(DeviceSourceText, aLongLineIsCutBetweenCharacters) {
  SourceText source;
  std::string umlauts;
  for (int i = 0; i < 60; ++i) umlauts += "\xc3\xa4";
  source.add("a.cl", text(std::string(80, 'x') + "\n" + std::string(81, 'y') + "\n" + umlauts));
  expectLines(source, {{"a.cl", 1, std::string(80, 'x')},
                       {"a.cl", 2, std::string(77, 'y') + "..."},
                       {"a.cl", 3, umlauts.substr(0, 76) + "..."}});
}

TEST(DeviceSourceText, lineDirectivesRenumber) {
  SourceText source;
  source.add("a.cl",
             text("one\n#line 10\nten\n# 5 \"b.in\"\nfive\nsix\n  #  line 3 \"a.cl\"\nthree\n#line\n#lines 7\n"));
  expectLines(source, {{"a.cl", 1, "one"},
                       {"a.cl", 10, "ten"},
                       {"b.in", 5, "five"},
                       {"b.in", 6, "six"},
                       {"a.cl", 3, "three"},
                       {"a.cl", 4, "#line"},
                       {"a.cl", 5, "#lines 7"}});
}

TEST(DeviceSourceText, twoTextsOfOneNameAreNoneUnlessTheLineIsTheSame) {
  SourceText source, other;
  source.add("a.cl", text("same\nthis\nonly"));
  other.add("a.cl", text("same\nthat"));
  source.add(other);
  expectLines(source, {{"a.cl", 1, "same"}, {"a.cl", 2, ""}});
}

}  // namespace
}  // namespace clarity::device
