// SPDX-License-Identifier: Apache-2.0
// This file declares a rewrite of divisions between Sema and code generation.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clarity::compiler {

/// Makes a variable, ahead of `next`, of the divisor of an integer division or remainder of two constants whose value
/// the standard leaves open: `7 / 0`, `INT_MIN / -1`, also in one component of vectors. clang's code generation makes
/// poison of such a division; with a variable it stays one, which guard-division gives its value.
std::unique_ptr<clang::ASTConsumer> keepConstantDivisions(std::unique_ptr<clang::ASTConsumer> next);

}  // namespace clarity::compiler
