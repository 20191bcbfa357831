// SPDX-License-Identifier: Apache-2.0
// This file names the functions that the builtin library's forms for AVX-512 leave to the compiler, because the
// processor has an instruction for each of them. Passes recognise them here and nowhere else.
#pragma once

#include <optional>
#include <string>

namespace llvm {
class CallInst;
class Function;
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// The operation of `T __clarity_processor_<operation>_<f32|f64>(T, ...)`, which is pure; `_v<lanes>` behind that is
/// the function of vectors, which packets call. builtins/math/avx512.clh says what each returns.
enum class ProcessorOperation { Exponent, Significand, Mantissa, Reciprocal, ReciprocalRoot, Scale, Choose };

/// Nothing for other functions.
std::optional<ProcessorOperation> processorOperationOf(const llvm::Function& function);
std::optional<ProcessorOperation> processorOperationOf(const llvm::CallInst& call);

/// The name of the function of vectors.
std::string nameForLanes(const llvm::Function& scalar, unsigned lanes);

/// An estimate of 1 / value, off by 2^-14 of itself, for a vector of floats or doubles.
llvm::Value* emitReciprocalEstimate(llvm::IRBuilderBase& builder, llvm::Value* value);

/// Lets passes move, copy and remove calls of a declaration.
void markPure(llvm::Function& declaration);

}  // namespace clarity::compiler
