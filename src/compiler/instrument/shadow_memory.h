// SPDX-License-Identifier: Apache-2.0
// This file emits accesses to the shadow of memory: for each byte that kernels may access, which of its bits were never
// written (device/cpu/shadow.h).
#pragma once

#include "compiler/instrument/value_shadows.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

class ShadowMemory {
public:
  explicit ShadowMemory(llvm::Function& function) : function_(function) {}

  /// Shadow of what lies at a pointer, as a value of this type. Memory without a shadow counts as written.
  llvm::Value* load(ShadowBuilder& builder, llvm::Value* pointer, llvm::Type* type);
  void store(ShadowBuilder& builder, llvm::Value* pointer, llvm::Value* shadow);
  /// i1: any bit of so many bytes was never written.
  llvm::Value* any(ShadowBuilder& builder, llvm::Value* pointer, std::uint64_t bytes);
  void set(ShadowBuilder& builder, llvm::Value* pointer, llvm::Value* bytes, bool isWritten);
  void copy(ShadowBuilder& builder, llvm::Value* to, llvm::Value* from, llvm::Value* bytes);

private:
  void begin();
  llvm::Value* addressOf(ShadowBuilder& builder, llvm::Value* pointer, llvm::Value* elsewhere);
  /// i1: a pointer that may be accessed, at this address, leads to memory that has a shadow.
  llvm::Value* isShadowed(ShadowBuilder& builder, llvm::Value* pointer, llvm::Value* address);
  llvm::FunctionCallee hook(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters,
                            bool isConstant);

  llvm::Function& function_;
  /// The begin and the bytes of memory that has a shadow, and the distance to the shadow; zeros to read and bytes to
  /// write in its place.
  llvm::CallInst *begin_ = nullptr, *bytes_ = nullptr, *distance_ = nullptr, *zeros_ = nullptr, *ignored_ = nullptr;
  llvm::DenseMap<llvm::Value*, llvm::Value*> objects_;  ///< isShadowed() of arguments and variables
};

}  // namespace clarity::compiler
