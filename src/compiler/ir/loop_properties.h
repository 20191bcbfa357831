// SPDX-License-Identifier: Apache-2.0
// This file declares properties of loops that LLVM and the compiler's own passes keep to.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace llvm {
class LLVMContext;
class MDNode;
class Metadata;
}  // namespace llvm

namespace clarity::compiler {

/// A property by LLVM's name, such as "llvm.loop.mustprogress"; `value`: of one that has a value.
llvm::Metadata* loopProperty(llvm::LLVMContext&, llvm::StringRef name, llvm::Metadata* value = nullptr);
llvm::Metadata* loopProperty(llvm::LLVMContext&, llvm::StringRef name, std::uint32_t number);

/// The properties of one loop (`llvm.loop`, on the branch back).
llvm::MDNode* loopProperties(llvm::LLVMContext&, llvm::ArrayRef<llvm::Metadata*> properties);

/// The properties of a loop that no step unrolls.
llvm::MDNode* notUnrolled(llvm::LLVMContext&);

}  // namespace clarity::compiler
