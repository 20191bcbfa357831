// SPDX-License-Identifier: Apache-2.0
// This file writes three loops, z around y around x.
#include "compiler/transforms/chunk_loops.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <string>

namespace clarity::compiler {

Piece makePieceLoops(llvm::IRBuilderBase& builder, const std::array<llvm::Value*, 3>& box, PieceLimits limits,
                     llvm::BasicBlock& end) {
  llvm::BasicBlock* before = builder.GetInsertBlock();
  const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(box[0]->getType(), value); };
  const auto lower = [&](llvm::Value* a, llvm::Value* b) {
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
  };
  const auto block = [&](const char* name, unsigned d) {
    return llvm::BasicBlock::Create(builder.getContext(), name + std::string(1, "xyz"[d]), before->getParent());
  };
  std::array<llvm::Value*, 3> most{number(limits.side), number(limits.side), number(1)};
  if (limits.side == 0) {
    most[0] = lower(box[0], number(limits.items));
    most[1] = builder.CreateUDiv(number(limits.items),
                                 builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, most[0], number(1)));
  }

  Piece piece;
  std::array<llvm::BasicBlock*, 3> header, latch;
  for (const unsigned d : {2u, 1u, 0u}) header[d] = block("piece.", d);
  for (const unsigned d : {0u, 1u, 2u}) latch[d] = block("piece.next.", d);
  builder.CreateBr(header[2]);
  std::array<llvm::PHINode*, 3> at;
  for (const unsigned d : {2u, 1u, 0u}) {
    builder.SetInsertPoint(header[d]);
    piece.at[d] = at[d] = builder.CreatePHI(box[d]->getType(), 2, std::string("piece.at.") + "xyz"[d]);
    at[d]->addIncoming(number(0), d == 2 ? before : header[d + 1]);
    piece.size[d] = lower(builder.CreateSub(box[d], at[d], "", true), most[d]);
    if (d > 0) builder.CreateBr(header[d - 1]);
  }
  for (const unsigned d : {0u, 1u, 2u}) {
    builder.SetInsertPoint(latch[d]);
    llvm::Value* next = builder.CreateAdd(at[d], piece.size[d], "", true, true);
    at[d]->addIncoming(next, latch[d]);
    builder.CreateCondBr(builder.CreateICmpULT(next, box[d]), header[d], d == 2 ? &end : latch[d + 1]);
  }
  piece.start = header[0];
  piece.next = latch[0];
  return piece;
}

}  // namespace clarity::compiler
