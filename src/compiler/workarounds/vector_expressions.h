// SPDX-License-Identifier: Apache-2.0
// This file declares rewrites of vector expressions between Sema and code generation.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clarity::compiler {

/// Rewrites, ahead of `next`, what clang's code generation gets wrong of vectors. Upstream (clang 22):
///  - Components of vectors that are parts of a vector literal, as in `(float4)((float2)(1.0f), (a + b).zw)`, get
///    parentheses. A part that is selected from a vector is joined with the literal's parts so far, which are taken for
///    a shuffle; where these are constants, the shuffle's mask is looked for in something else, without end. A part in
///    parentheses is inserted like any other.
///  - `a && b` and `a || b` of vectors become `(a != 0) & (b != 0)` and `(a != 0) | (b != 0)`. They mean the same, and
///    both operands are evaluated either way; but where they are constants, clang takes 1 for true in vectors (OpenCL C
///    3.0, section 6.4.7 says -1).
std::unique_ptr<clang::ASTConsumer> mendVectorExpressions(std::unique_ptr<clang::ASTConsumer> next);

}  // namespace clarity::compiler
