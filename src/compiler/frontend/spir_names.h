// SPDX-License-Identifier: Apache-2.0
// This file knows how compilers since 2012 have named OpenCL's types and builtin functions in LLVM IR.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace llvm {
class LLVMContext;
class Type;
}  // namespace llvm

namespace clarity::compiler {

/// LLVM's type of an image, a sampler, a pipe or an event: by its name in OpenCL C ("image2d_array_t", "sampler_t",
/// "event_t", "pipe") and the access qualifier ("read_only", "__write_only", "none"). nullptr for other types.
llvm::Type* opaqueTypeOf(llvm::LLVMContext& context, llvm::StringRef name, llvm::StringRef access);

/// A builtin function's name as clang mangles it today:
///   _Z10atomic_addPVU3AS1ii -> _Z10atomic_addPU3AS1Vii
///   _Z11read_imagef16ocl_image2darray11ocl_samplerDv4_f -> _Z11read_imagef20ocl_image2d_array_ro11ocl_samplerDv4_f
/// Other names are left as they are.
std::string currentName(llvm::StringRef name);

/// The opaque types among a builtin function's parameters; nullptr for other parameters, and for a result that is none.
struct BuiltinParameters {
  llvm::SmallVector<llvm::Type*, 6> types;
  llvm::Type* result = nullptr;
};
/// nullopt if the name is not mangled.
std::optional<BuiltinParameters> parametersOf(llvm::LLVMContext& context, llvm::StringRef currentName);

}  // namespace clarity::compiler
