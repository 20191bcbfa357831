// SPDX-License-Identifier: Apache-2.0
// This file finds the members of a block of memory, and copies or fills them one by one.
#include "compiler/passes/split_copies.h"

#include "compiler/ir/cost_model.h"
#include "compiler/transforms/preserved.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

struct Piece {
  std::uint64_t offset = 0, bytes = 0;
};
using Pieces = llvm::SmallVector<Piece, cost::mostCopiedPieces>;

/// The smallest scalar in a type.
std::uint64_t smallestScalar(llvm::Type& type, const llvm::DataLayout& layout) {
  if (!type.isAggregateType()) return layout.getTypeStoreSize(type.getScalarType()).getFixedValue();
  std::uint64_t least = cost::mostPieceBytes;
  for (llvm::Type* part : type.subtypes()) least = std::min(least, smallestScalar(*part, layout));
  return least;
}

/// Bytes that a piece has at most, by what is known of a pointer to the block.
std::uint64_t pieceLimit(const llvm::Value& pointer, llvm::MaybeAlign alignment, const llvm::DataLayout& layout) {
  const std::uint64_t limit = std::min(alignment.valueOrOne().value(), cost::mostPieceBytes);
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer));
  return variable ? std::min(limit, smallestScalar(*variable->getAllocatedType(), layout)) : limit;
}

/// Cuts a member into pieces; false if there are too many.
bool cut(Pieces& pieces, Piece member, std::uint64_t limit) {
  while (member.bytes > 0) {
    if (pieces.size() == cost::mostCopiedPieces) return false;
    const std::uint64_t bytes = llvm::MinAlign(llvm::MinAlign(member.offset, limit), member.bytes);
    pieces.push_back({member.offset, bytes});
    member = {member.offset + bytes, member.bytes - bytes};
  }
  return true;
}

/// The members of a block; none where they are not known to be a few.
Pieces piecesOf(const llvm::MemIntrinsic& operation) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(operation.getLength());
  if (!length || operation.isVolatile()) return {};
  const llvm::DataLayout& layout = operation.getDataLayout();
  std::uint64_t limit = pieceLimit(*operation.getRawDest(), operation.getDestAlign(), layout);
  if (const auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&operation))
    limit = std::min(limit, pieceLimit(*copy->getRawSource(), copy->getSourceAlign(), layout));
  Pieces pieces;
  const llvm::MDNode* members = operation.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  if (!members) return cut(pieces, {0, length->getZExtValue()}, limit) ? pieces : Pieces();
  const auto number = [&](unsigned operand) {
    return llvm::mdconst::extract<llvm::ConstantInt>(members->getOperand(operand))->getZExtValue();
  };
  for (unsigned i = 0; i + 2 < members->getNumOperands(); i += 3)  // offset, bytes, tag
    if (!cut(pieces, {number(i), number(i + 1)}, limit)) return {};
  return pieces;
}

void write(llvm::MemIntrinsic& operation, const Pieces& pieces) {
  llvm::IRBuilder<> builder(&operation);
  const llvm::AAMDNodes aliases = operation.getAAMetadata();
  const auto place = [&](llvm::Value* block, const Piece& piece) {
    return piece.offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, piece.offset) : block;
  };
  const auto note = [&](llvm::Instruction& access, const Piece& piece) {
    access.setAAMetadata(aliases.shift(piece.offset).adjustForAccess(static_cast<unsigned>(piece.bytes)));
  };
  const auto typeOf = [&](const Piece& piece) { return builder.getIntNTy(static_cast<unsigned>(piece.bytes) * 8); };
  llvm::SmallVector<llvm::Value*, cost::mostCopiedPieces> values;
  for (const Piece& piece : pieces) {
    if (const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&operation)) {
      const auto* byte = llvm::cast<llvm::ConstantInt>(fill->getValue());
      const auto bits = static_cast<unsigned>(piece.bytes) * 8;
      values.push_back(builder.getInt(llvm::APInt::getSplat(bits, byte->getValue())));
      continue;
    }
    const auto& copy = llvm::cast<llvm::MemCpyInst>(operation);
    llvm::LoadInst* load =
        builder.CreateAlignedLoad(typeOf(piece), place(copy.getRawSource(), piece),
                                  llvm::commonAlignment(copy.getSourceAlign().valueOrOne(), piece.offset));
    note(*load, piece);
    values.push_back(load);
  }
  for (const auto& [piece, value] : llvm::zip_equal(pieces, values))
    note(*builder.CreateAlignedStore(value, place(operation.getRawDest(), piece),
                                     llvm::commonAlignment(operation.getDestAlign().valueOrOne(), piece.offset)),
         piece);
  operation.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses SplitCopiesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction);
    const bool isFill = fill && llvm::isa<llvm::ConstantInt>(fill->getValue());
    if (!isFill && !llvm::isa<llvm::MemCpyInst>(instruction)) continue;
    auto& operation = llvm::cast<llvm::MemIntrinsic>(instruction);
    const Pieces pieces = piecesOf(operation);
    if (pieces.empty()) continue;
    write(operation, pieces);
    changed = true;
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
