// SPDX-License-Identifier: Apache-2.0
// This file counts the operations of floating-point of an instruction.
#include "compiler/ir/float_operations.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace clarity::compiler {

unsigned floatOperationsOf(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem: return 1;
    default: break;
  }
  const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return 0;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd: return 2;
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::vector_reduce_fadd:
    case llvm::Intrinsic::vector_reduce_fmul: return 1;
    default: return 0;
  }
}

}  // namespace clarity::compiler
