// SPDX-License-Identifier: Apache-2.0
// This file gives names of OpenCL's opaque types the types of LLVM that stand for them.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <optional>

namespace llvm {
class LLVMContext;
class Type;
}  // namespace llvm

namespace clarity::compiler {

/// LLVM's type of an image, a sampler, a pipe or an event: by its name in OpenCL C ("image2d_array_t", "sampler_t",
/// "event_t", "pipe") and the access qualifier ("read_only", "__write_only", "none"). nullptr for other types.
llvm::Type* opaqueTypeOf(llvm::LLVMContext& context, llvm::StringRef name, llvm::StringRef access);

/// The opaque types among a builtin function's parameters; nullptr for other parameters, and for a result that is none.
struct BuiltinParameters {
  llvm::SmallVector<llvm::Type*, 6> types;
  llvm::Type* result = nullptr;
};
/// nullopt if the name is not mangled.
std::optional<BuiltinParameters> parametersOf(llvm::LLVMContext& context, llvm::StringRef currentName,
                                              std::size_t count);

}  // namespace clarity::compiler
