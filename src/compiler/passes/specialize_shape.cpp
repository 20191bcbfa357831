// SPDX-License-Identifier: Apache-2.0
// This file replaces the two local-size queries.
#include "compiler/passes/specialize_shape.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <string>

namespace clarity::compiler {
namespace {

/// Sums and products of small numbers cannot wrap, which LLVM finds out and says in their flags. It knows too little of
/// other ids for that, and puts masks where int arithmetic was that may not overflow.
void addRange(llvm::CallInst& query, Primitive primitive, const Shape& shape) {
  constexpr std::uint64_t ids = std::uint64_t{1} << 31;  // a launch has fewer along each dimension, its offset included
  const auto d = dimensionOf(query);
  const std::uint64_t size = d ? shape.local[*d] : 0;
  if (size == 0 || (primitive != Primitive::LocalId && primitive != Primitive::GroupId)) return;
  const std::uint64_t end = primitive == Primitive::LocalId ? size : (ids + size - 1) / size;
  query.addRangeRetAttr(llvm::ConstantRange(llvm::APInt::getZero(64), llvm::APInt(64, end)));
}

}  // namespace

llvm::PreservedAnalyses SpecializeShapePass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (shape.local[0] == 0) return llvm::PreservedAnalyses::all();
  for (unsigned d = 0; d < 3; ++d) function.addFnAttr(localSizeAttributes[d], llvm::Twine(shape.local[d]).str());
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto primitive = primitiveOf(instruction);
    if (primitive && !shape.wideIds) addRange(llvm::cast<llvm::CallInst>(instruction), *primitive, shape);
    if (primitive != Primitive::LocalSize && primitive != Primitive::EnqueuedLocalSize) continue;
    auto& query = llvm::cast<llvm::CallInst>(instruction);
    llvm::IRBuilder<> builder(&query);
    llvm::Value* size = builder.getInt64(1);
    if (const auto d = dimensionOf(query)) {
      size = builder.getInt64(shape.local[*d]);
    } else {
      for (unsigned d = 0; d < 3; ++d)
        size = builder.CreateSelect(builder.CreateICmpEQ(query.getArgOperand(0), builder.getInt32(d)),
                                    builder.getInt64(shape.local[d]), size);
    }
    query.replaceAllUsesWith(size);
    query.eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
