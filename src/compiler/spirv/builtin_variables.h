// SPDX-License-Identifier: Apache-2.0
// This file declares values that functions ask for where they begin: SPIR-V has variables where OpenCL C has functions.
#pragma once

#include "compiler/spirv/instruction.h"

namespace llvm {
class Value;
}

namespace clarity::compiler::spirv {

class FunctionReader;

/// A variable of the function with the value of a builtin variable, as its pointer type says: GlobalInvocationId is
/// a vector of three get_global_id(). Some front ends declare it with integers of 32 bits.
llvm::Value* builtinVariable(FunctionReader& function, const Instruction& variable, BuiltIn builtin);

/// clang's function that makes a sampler of a constant; the builtin library does not define it.
inline constexpr char samplerFunction[] = "__translate_sampler_initializer";

/// The sampler of OpConstantSampler.
llvm::Value* samplerOf(FunctionReader& function, const Instruction& constant);

}  // namespace clarity::compiler::spirv
