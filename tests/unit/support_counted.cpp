// SPDX-License-Identifier: Apache-2.0
// This file tests numbers with nouns.
#include "support/counted.h"

#include <gtest/gtest.h>

namespace clarity::test {
namespace {

using support::Counted;
using support::withSingulars;

TEST(Counted, OneHasNoS) {
  EXPECT_EQ(fmt::format("{}, {}, {}", Counted{0, "byte"}, Counted{1, "byte"}, Counted{2, "work-item"}),
            "0 bytes, 1 byte, 2 work-items");
}

TEST(Counted, SentencesGetSingulars) {
  EXPECT_EQ(withSingulars("1 bytes at offset 1 are not inside 'a', which has 1 bytes"),
            "1 byte at offset 1 are not inside 'a', which has 1 byte");
  EXPECT_EQ(withSingulars("kernel 'k' has 1 arguments (1 work-items in 1 work-groups)"),
            "kernel 'k' has 1 argument (1 work-item in 1 work-group)");
  EXPECT_EQ(withSingulars("(1 more lines in the build log)"), "(1 more line in the build log)");
}

TEST(Counted, OtherNumbersAndWordsStay) {
  for (const char* const text :
       {"31 bytes", "8 x 1 work-items", "0.1 seconds", "x1 bytes", "-1 bytes", "1 is", "1 has", "1 less", "1", "1 ", "",
        "of 1, bytes", "1  bytes", "1 Bytes", "11 work-items", "2^1 elements", "1 byte"})
    EXPECT_EQ(withSingulars(text), text);
}

}  // namespace
}  // namespace clarity::test
