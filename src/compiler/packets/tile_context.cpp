// SPDX-License-Identifier: Apache-2.0
// This file creates the variables of a tile.
#include "compiler/packets/tile_context.h"

#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

llvm::AllocaInst* TileContext::makeVariable(llvm::Type* type, const llvm::Twine& name) {
  llvm::IRBuilder<> entry(&allocas, allocas.begin());
  llvm::AllocaInst* variable = entry.CreateAlloca(type, nullptr, name);
  variables.push_back(variable);
  return variable;
}

llvm::Value* TileContext::advance(llvm::Value* from, std::int64_t by, const llvm::Value& like) {
  if (by == 0) return from;
  if (like.getType()->isPointerTy())
    return builder.CreateGEP(builder.getInt8Ty(), from, builder.getInt64(static_cast<std::uint64_t>(by)));
  return builder.CreateAdd(from, llvm::ConstantInt::getSigned(like.getType(), by));
}

}  // namespace clarity::compiler
