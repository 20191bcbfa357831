// SPDX-License-Identifier: Apache-2.0
// This file tests what of a long text is shown on standard error; tests/api/messages.cpp tests where texts go.
#include "core/messages.h"

#include <gtest/gtest.h>

namespace clarity::core {
namespace {

std::string lines(std::size_t count, const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line + "\n";
  return text;
}

TEST(Messages, shortTextsAreWhole) {
  for (const std::string& text : {std::string(), std::string("one line"), lines(12, "a.cl:1:1: error: x")})
    EXPECT_EQ(briefly(text), text);
  EXPECT_EQ(briefly(lines(30, "no finding")), lines(30, "no finding"));
}

TEST(Messages, theFirstErrorOfALongText) {
  const std::string frame = "a.cl:7:1: error: first\n    7 | x\n      | ^\n";
  EXPECT_EQ(briefly("could not build:\n" + lines(5, "a.cl:1:1: warning: w") + frame + lines(20, "rest")),
            "could not build:\n" + frame + "(25 more lines in the build log)\n");
  EXPECT_EQ(briefly(frame + lines(20, "rest")), frame + "(20 more lines in the build log)\n");
  EXPECT_EQ(briefly(lines(20, "a.cl:1:1: error: x")), "a.cl:1:1: error: x\n(19 more lines in the build log)\n");
}

}  // namespace
}  // namespace clarity::core
