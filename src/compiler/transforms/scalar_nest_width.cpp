// SPDX-License-Identifier: Apache-2.0
// This file looks at what a region loads, stores and computes.
#include "compiler/transforms/scalar_nest_width.h"

#include "compiler/ir/primitives.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstdint>

namespace clarity::compiler {

unsigned scalarNestWidth(const Region& region, const VarianceInfo& variance, unsigned vectorBits) {
  unsigned narrowest = 64, widest = 0;
  for (const llvm::BasicBlock* block : region.blocks)
    for (const llvm::Instruction& instruction : *block) {
      if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        llvm::Type* type = llvm::getLoadStoreType(&instruction);
        const ValueVariance address = variance.of(*pointer);
        const auto bytes =
            static_cast<std::int64_t>(instruction.getDataLayout().getTypeAllocSize(type).getFixedValue());
        if (!type->isSingleValueType() || type->isVectorTy() || (address.dims.has(0) && address.stride[0] != bytes))
          return 0;
        if (address.dims.has(0)) narrowest = std::min<unsigned>(narrowest, static_cast<unsigned>(bytes) * 8);
      } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (!primitiveOf(*call) && !llvm::isa<llvm::IntrinsicInst>(call)) return 0;
      }
      if (llvm::isa<llvm::BinaryOperator, llvm::CallInst>(instruction) && !variance.uniform(instruction) &&
          !primitiveOf(instruction) &&
          (instruction.getType()->isFloatTy() || instruction.getType()->isHalfTy() ||
           instruction.getType()->isIntegerTy(32)))
        widest = 32;
    }
  return narrowest < widest ? vectorBits / widest : 0;
}

}  // namespace clarity::compiler
