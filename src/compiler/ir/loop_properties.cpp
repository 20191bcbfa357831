// SPDX-License-Identifier: Apache-2.0
// This file makes properties of loops.
#include "compiler/ir/loop_properties.h"

#include <llvm/IR/Metadata.h>

namespace clarity::compiler {

llvm::MDNode* notUnrolled(llvm::LLVMContext& context) {
  llvm::Metadata* const disable = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode* const properties = llvm::MDNode::getDistinct(context, {nullptr, disable});
  properties->replaceOperandWith(0, properties);
  return properties;
}

}  // namespace clarity::compiler
