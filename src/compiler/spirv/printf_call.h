// SPDX-License-Identifier: Apache-2.0
// This file declares calls of printf, which has variable arguments unlike every other builtin function.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace clarity::compiler::spirv {

/// A call of printf with a format and the values for it. nullptr if the module has a printf of another type.
llvm::CallInst* callPrintf(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> arguments);

}  // namespace clarity::compiler::spirv
