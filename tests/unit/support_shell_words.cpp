// SPDX-License-Identifier: Apache-2.0
// This file tests the splitting of build options into words.
#include "support/shell_words.h"

#include <gtest/gtest.h>

namespace clarity::support {
namespace {

using Words = std::vector<std::string>;

void expectWords(std::string_view text, const Words& expected) {
  const auto words = shellWords(text);
  ASSERT_TRUE(words) << words.error();
  EXPECT_EQ(*words, expected) << text;
}

TEST(ShellWords, splitAtBlanks) {
  expectWords("", {});
  expectWords(" \t\n ", {});
  expectWords("  -DA=1\t-I /x\n-w ", {"-DA=1", "-I", "/x", "-w"});
}

TEST(ShellWords, quotesJoinWithWhatTouchesThem) {
  expectWords(R"(-I"/a b" -D'X=1 2'3 "")", {"-I/a b", "-DX=1 23", ""});
  expectWords(R"('a\b' "c\d" "e\"f")", {"a\\b", "c\\d", "e\"f"});
}

TEST(ShellWords, backslashEscapesOneCharacter) {
  expectWords(R"(-I/a\ b \" \\ a\'b)", {"-I/a b", "\"", "\\", "a'b"});
  expectWords("a\\\nb", {"ab"});
}

TEST(ShellWords, stringMacroAsApplicationsWriteIt) { expectWords(R"(-DNAME=\"text\")", {"-DNAME=\"text\""}); }

TEST(ShellWords, unclosedQuoteIsNamed) {
  const auto words = shellWords("-w -I\"/a b");
  ASSERT_FALSE(words);
  EXPECT_EQ(words.error(), "the quote \" at column 6 of the options is not closed: \"/a b");
}

TEST(ShellWords, backslashAtTheEnd) { EXPECT_FALSE(shellWords("-w \\")); }

}  // namespace
}  // namespace clarity::support
