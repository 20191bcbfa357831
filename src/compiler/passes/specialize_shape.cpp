// SPDX-License-Identifier: Apache-2.0
// This file replaces the two local-size queries.
#include "compiler/passes/specialize_shape.h"

#include "compiler/primitives.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <string>

namespace clarity::compiler {
namespace {

std::string attributeOf(unsigned dimension) { return "clarity-local-size-" + std::to_string(dimension); }

/// What a query returns is below this in launches of ids that have 31 bits; 0: not known.
std::uint64_t endOf(Primitive primitive, std::uint64_t localSize) {
  constexpr std::uint64_t ids = std::uint64_t{1} << 31;
  switch (primitive) {
    case Primitive::LocalId: return localSize ? localSize : ids;
    case Primitive::GroupId: return localSize ? (ids + localSize - 1) / localSize : ids;
    case Primitive::GlobalId:
    case Primitive::GlobalOffset:
    case Primitive::GlobalSize:
    case Primitive::NumGroups:
    case Primitive::LocalSize:
    case Primitive::EnqueuedLocalSize: return ids;
    default: return 0;
  }
}

/// LLVM simplifies index arithmetic that cannot wrap, and says so.
void tellRange(llvm::CallInst& query, Primitive primitive, const Shape& shape) {
  const auto d = dimensionOf(query);
  if (!query.getType()->isIntegerTy(64)) return;
  if (const std::uint64_t end = endOf(primitive, d ? shape.local[*d] : 0))
    query.addRangeRetAttr(llvm::ConstantRange(llvm::APInt::getZero(64), llvm::APInt(64, end)));
}

}  // namespace

std::optional<std::uint64_t> knownLocalSize(const llvm::Function& function, unsigned dimension) {
  std::uint64_t size;
  if (function.getFnAttribute(attributeOf(dimension)).getValueAsString().getAsInteger(10, size)) return std::nullopt;
  return size;
}

void forgetLocalSize(llvm::Function& function, unsigned dimension) { function.removeFnAttr(attributeOf(dimension)); }

llvm::PreservedAnalyses SpecializeShapePass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!shape.wideIds)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto primitive = primitiveOf(instruction)) tellRange(llvm::cast<llvm::CallInst>(instruction), *primitive, shape);
  if (shape.local[0] == 0) return shape.wideIds ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  for (unsigned d = 0; d < 3; ++d)
    function.addFnAttr(attributeOf(d), llvm::Twine(shape.local[d]).str());
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto primitive = primitiveOf(instruction);
    if (primitive != Primitive::LocalSize && primitive != Primitive::EnqueuedLocalSize) continue;
    auto& query = llvm::cast<llvm::CallInst>(instruction);
    llvm::IRBuilder<> builder(&query);
    llvm::Value* size = builder.getInt64(1);
    if (const auto d = dimensionOf(query)) {
      size = builder.getInt64(shape.local[*d]);
    } else {
      for (unsigned d = 0; d < 3; ++d)
        size = builder.CreateSelect(builder.CreateICmpEQ(query.getArgOperand(0), builder.getInt32(d)), builder.getInt64(shape.local[d]), size);
    }
    query.replaceAllUsesWith(size);
    query.eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
