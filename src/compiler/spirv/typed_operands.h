// SPDX-License-Identifier: Apache-2.0
// This file declares operands of the current instruction with what a handler demands of their types. Each refuses the
// module if an operand has another type.
#pragma once

#include "compiler/spirv/function_reader.h"

namespace clarity::compiler::spirv {

/// An integer or a vector of integers.
llvm::Value& integerAt(FunctionReader& in, std::size_t index);
/// A floating-point number or a vector of them.
llvm::Value& floatAt(FunctionReader& in, std::size_t index);
/// A bool or a vector of bools.
llvm::Value& boolAt(FunctionReader& in, std::size_t index);
/// An integer, as a uint.
llvm::Value* uintAt(FunctionReader& in, std::size_t index);
llvm::Value& pointerAt(FunctionReader& in, std::size_t index);
/// An operand with the type of another value.
llvm::Value& sameAt(FunctionReader& in, std::size_t index, const llvm::Value& other);
/// Refuses the module unless the result is of a type.
void requireResult(FunctionReader& in, const llvm::Type* type);
/// A type with as many components as another has, or a scalar for a scalar.
bool haveSameShape(const llvm::Type* one, const llvm::Type* other);
/// The flags of nsw, nuw and fast-math decorations, for instructions that can have them.
void applyDecorations(FunctionReader& in, llvm::Value* made);

}  // namespace clarity::compiler::spirv
