// SPDX-License-Identifier: Apache-2.0
// This file tests the colours of diagnostics.
#include "support/diagnostic_colours.h"

#include <gtest/gtest.h>

namespace clarity::support {
namespace {

TEST(DiagnosticColours, ofCompilers) {
  EXPECT_EQ(
      coloured("a.cl:1:2: error: wrong\n    1 | x;\n      | ^~\n1 error generated.\n"),
      "\x1b[1ma.cl:1:2: \x1b[0m\x1b[1;31merror:\x1b[0m\x1b[1m wrong\x1b[0m\n    1 | x;\n      |\x1b[1;32m ^~\x1b[0m\n"
      "1 error generated.\n");
  EXPECT_NE(coloured("a.cl:1:2: warning: odd").find("\x1b[1;35mwarning:"), std::string::npos);
  EXPECT_NE(coloured("note: see").find("\x1b[1;36mnote:"), std::string::npos);
}

TEST(DiagnosticColours, ofErrorCodes) {
  EXPECT_EQ(coloured("clFinish: CL_OUT_OF_RESOURCES: why"),
            "\x1b[1mclFinish: \x1b[0m\x1b[1;31mCL_OUT_OF_RESOURCES\x1b[0m: why");
}

// Words that look like them elsewhere, and lines of source.
TEST(DiagnosticColours, otherTextIsLeftAlone) {
  for (const char* text : {"", "\n", "plain", "an error: of the user", "    3 | int error: 1;", "MY_CL_CODE: x",
                           "flags CL_MEM_READ_ONLY are set", "      | a ^ b"})
    EXPECT_EQ(coloured(text), text);
}

}  // namespace
}  // namespace clarity::support
