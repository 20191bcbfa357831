// SPDX-License-Identifier: Apache-2.0
// This file makes properties of loops.
#include "compiler/ir/loop_properties.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Type.h>

namespace clarity::compiler {

llvm::Metadata* loopProperty(llvm::LLVMContext& context, llvm::StringRef name, llvm::Metadata* value) {
  llvm::SmallVector<llvm::Metadata*, 2> parts{llvm::MDString::get(context, name)};
  if (value) parts.push_back(value);
  return llvm::MDNode::get(context, parts);
}

llvm::Metadata* loopProperty(llvm::LLVMContext& context, llvm::StringRef name, std::uint32_t number) {
  return loopProperty(context, name,
                      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), number)));
}

llvm::MDNode* loopProperties(llvm::LLVMContext& context, llvm::ArrayRef<llvm::Metadata*> properties) {
  llvm::SmallVector<llvm::Metadata*, 4> all{nullptr};  // the loop itself, as two loops are never the same
  all.append(properties.begin(), properties.end());
  llvm::MDNode* const loop = llvm::MDNode::getDistinct(context, all);
  loop->replaceOperandWith(0, loop);
  return loop;
}

llvm::MDNode* notUnrolled(llvm::LLVMContext& context) {
  return loopProperties(context, loopProperty(context, "llvm.loop.unroll.disable"));
}

}  // namespace clarity::compiler
