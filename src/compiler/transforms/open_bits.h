// SPDX-License-Identifier: Apache-2.0
// This file says of which divisions the last bits are open.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/Casting.h>

namespace clarity::compiler {

/// The error in ulp from which on a division is open: that of the quickest form for all operands (div.full of PTX).
inline constexpr float errorOfQuickDivision = 2;

/// Whether the bound of a division's error (`!fpmath`) grants that form.
inline bool isOpenDivision(const llvm::Instruction& division) {
  return llvm::cast<llvm::FPMathOperator>(division).getFPAccuracy() >= errorOfQuickDivision;
}

}  // namespace clarity::compiler
