// SPDX-License-Identifier: Apache-2.0
// Tests of the patterns that `clarity profile` looks for in sources: they find what std::regex finds, and long texts
// cost neither stack nor time that grows faster than they do.
#include "../../tools/pattern.h"

#include "../../tools/kernel_source.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace clarity::tools {
namespace {

const char* const patterns[] = {
    "a",
    "ab*",
    "(a|ab)(c|bcd)?",
    "a*?b",
    "(?:^|,)[^,]*\\b(?:a|ab)\\b[^,]*\\bc\\s*(?:,|$)",
    "([a-c]\\w*)\\s*=[^=]",
    "\\bab\\d*\\b(?!\\s*\\))",
    "[/%]|\\b(?!ab|b|c)[a-z]\\w*\\s*\\(",
    "^(?:\\(\\w+\\))?\\(?(-?\\d{1,2}(?:\\.\\d*)?|-?\\.\\d+)[fF]?\\)?$",
    "^\\s*((?:a)?b\\s+|c\\s+)?([a-z]\\w*)\\s+(\\w*)\\s*\\[",
    "(?:^|,)\\s*(?:a)?b\\s+([^,]*?)(\\w+)\\s*(?:,|$)",
    "([a-z]\\w*)\\s*(?:(?:\\.|->)\\s*\\w+|\\[[^=;]*\\])*\\s*(?:[-+*/%|&^]|<<|>>)?=[^=]|(\\w+)\\s*(?:\\+\\+|--)",
    "a{2}b{0,2}c",
    ".*c",
    "\\.|\\)",
    "x*",
};

TEST(Pattern, FindsWhatStdRegexFinds) {
  std::mt19937 random(1);
  constexpr std::string_view alphabet = "aabbcc  ,,=()[].0123+-*/\n";
  for (const char* const text : patterns) {
    const std::regex expected{std::string(text)};
    const Pattern pattern(text);
    for (int i = 0; i < 400; ++i) {
      std::string subject;
      for (unsigned left = random() % 24; left > 0; --left) subject += alphabet[random() % alphabet.size()];
      SCOPED_TRACE(testing::Message() << text << " in '" << subject << "'");
      std::smatch should;
      const bool isThere = std::regex_search(subject, should, expected);
      const auto found = pattern.search(subject);
      ASSERT_EQ(found.has_value(), isThere);
      for (std::size_t group = 0; found && group < should.size(); ++group) {
        ASSERT_EQ(found->has(group), should[group].matched) << group;
        ASSERT_EQ((*found)[group], should[group].str()) << group;
        if (found->has(group)) ASSERT_EQ(found->begin(group), static_cast<std::size_t>(should.position(group)));
      }
      ASSERT_EQ(pattern.match(subject).has_value(), std::regex_match(subject, expected));
    }
  }
}

TEST(Pattern, FindsAllPlaces) {
  std::string found;
  const std::string text = "a1, b22 ,c";
  for (const PatternMatch& each : Pattern("([a-z])(\\d*)").all(text)) found += each[1] + "=" + each[2] + ";";
  EXPECT_EQ(found, "a=1;b=22;c=;");
}

TEST(Pattern, ReadsTextsAsTheyStand) {
  EXPECT_TRUE(Pattern(Pattern::literally("a->b[(*c)]")).match("a->b[(*c)]"));
  EXPECT_FALSE(Pattern(Pattern::literally("a.b")).match("a-b"));
}

TEST(Pattern, RefusesWhatIsWrong) {
  for (const char* const wrong : {"(", ")", "[a", "*", "a{", "a{2,1}", "\\q", "(a)(b)(c)(d)(e)"})
    EXPECT_THROW(Pattern{wrong}, std::invalid_argument) << wrong;
}

TEST(Pattern, TakesLongTexts) {
  // Each of them has overflowed the stack of std::regex, or taken a time that is the square of this.
  const std::string letters(20'000, 'a'), spaces(20'000, ' ');
  for (const char* const text : patterns) {
    const Pattern pattern(text);
    for (const std::string& subject : {letters, spaces, "a" + spaces + "=", letters + "[" + letters, "a[" + letters}) {
      static_cast<void>(pattern.search(subject));
      static_cast<void>(pattern.match(subject));
    }
  }
  const std::string more(1'000'000, 'a');
  EXPECT_EQ(Pattern("(a*)b").search(more + "b")->end(1), more.size());
}

TEST(KernelSource, TakesLongCommentsAndLines) {
  const std::string comment = "/*" + std::string(200'000, '*') + "*/", more = "//" + std::string(200'000, 'x') + "\n";
  const std::string sum = "1" + std::string(100'000, ' ') + "+ 2";
  const KernelSource source(comment + more + "kernel void k(local float* t, global int* o) {\n" + comment +
                                "\n  float a[4], b[8];\n  int sum = " + sum + ";\n  o[0] = sum;\n}\n",
                            "k");
  ASSERT_TRUE(source.isKnown());
  std::string names;
  for (const SourceArray& array : source.arrays()) names += array.name + (array.isLocal ? " local," : ",");
  EXPECT_EQ(names, "t local,a,b,");
  EXPECT_NE(source.definitionOf("sum"), "");
}

TEST(KernelSource, LeavesOutWhatThePreprocessorLeavesOut) {
  const std::string text =
      "#if 0\n#line 100\nkernel void k(global int* o) { int old[2]; }\n#else\n"
      "kernel void k(global int* o) {\n  int a[4];\n#if 0 // never\n  int b[4];\n#elif 1\n  int c[4];\n#endif\n"
      "#if 1\n  int d[4];\n#else\n#line 7\n  int e[4];\n#endif\n  o[0] = a[0];\n}\n#endif\n";
  const KernelSource source(text, "k");
  EXPECT_EQ(source.first(), 5u);
  std::string names;
  for (const SourceArray& array : source.arrays()) names += array.name + ",";
  EXPECT_EQ(names, "a,c,d,");
  EXPECT_EQ(source.code(18), "  o[0] = a[0];");
}

TEST(KernelSource, KnowsNamesOfTypes) {
  const KernelSource source("typedef double real;\ntypedef const float\n  other;\nkernel void k(global real* o) {}\n",
                            "k");
  EXPECT_EQ(source.namedType("real"), "double");
  EXPECT_EQ(source.namedType("other"), "const float");
  EXPECT_EQ(source.namedType("o"), "");
}

}  // namespace
}  // namespace clarity::tools
