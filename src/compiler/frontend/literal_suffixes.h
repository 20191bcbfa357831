// SPDX-License-Identifier: Apache-2.0
// This file declares what gives literals with L and LL the types of OpenCL in C++ for OpenCL.
#pragma once

namespace clang {
class Preprocessor;
class Token;
}  // namespace clang

namespace clarity::compiler {

/// `1.0L` becomes `1.0`, `1LL` becomes `1L`: `double` and `long`, as in OpenCL C (clang.cpp). `long double` and `long
/// long` are types of their own in C++, which no builtin function takes, so that `sin(1.0L)` would be ambiguous.
void shortenSuffix(clang::Token& token, clang::Preprocessor& preprocessor);

}  // namespace clarity::compiler
