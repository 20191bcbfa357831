// SPDX-License-Identifier: Apache-2.0
// This file declares a rewrite of divisions between Sema and code generation.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace clarity::compiler {

/// The treatment of a shift in a function by a constant that is negative, or the width of the type or more. clang's
/// code generation computes the number of bits that is meant by it.
enum class ConstantShifts {
  Computed,
  Kept  ///< a variable, too, so that instrumented code can look at it
};

/// Makes a variable, ahead of `next`, of the divisor of an integer division or remainder of two constants whose value
/// the standard leaves open: `7 / 0`, `INT_MIN / -1`, also in one component of vectors. clang's code generation makes
/// poison of such a division; with a variable it stays one, which guard-division gives its value.
std::unique_ptr<clang::ASTConsumer> keepConstantDivisions(std::unique_ptr<clang::ASTConsumer> next, ConstantShifts);

}  // namespace clarity::compiler
