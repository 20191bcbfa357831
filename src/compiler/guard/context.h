// SPDX-License-Identifier: Apache-2.0
// This file is an LLVMContext that collects what LLVM has to say; LLVM's own prints it and ends the process.
#pragma once

#include <llvm/IR/LLVMContext.h>

#include <string>

namespace clarity::compiler {

/// One for each compile. Errors that passes, the linker or the code generator report through the context end up in
/// `errors`, a line each; warnings and remarks are dropped.
class CollectingContext : public llvm::LLVMContext {
public:
  CollectingContext();
  std::string errors;
};

}  // namespace clarity::compiler
