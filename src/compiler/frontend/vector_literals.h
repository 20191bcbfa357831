// SPDX-License-Identifier: Apache-2.0
// This file declares what is done to vector literals between Sema and code generation.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clarity::compiler {

/// Puts components of vectors that are parts of a vector literal, as in `(float4)((float2)(1.0f), (a + b).zw)`, into parentheses before
/// `next` sees them. Clang's code generation joins a part that is selected from a vector with the literal's parts so far, which it takes
/// for a shuffle; where these are constants it looks for the shuffle's mask in something else, and does not come back. A part in
/// parentheses is inserted like any other.
std::unique_ptr<clang::ASTConsumer> guardVectorLiterals(std::unique_ptr<clang::ASTConsumer> next);

}  // namespace clarity::compiler
