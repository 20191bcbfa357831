// SPDX-License-Identifier: Apache-2.0
// This file declares the flushing of denormal numbers to zero, which a kernel asks for by DenormFlushToZero
// (SPV_KHR_float_controls), or a function by FunctionDenormModeINTEL. It is code, because the processor's own mode is
// for numbers of all widths and for the thread.
#pragma once

#include "compiler/spirv/module_reader.h"

#include <llvm/IR/IRBuilder.h>

namespace clarity::compiler::spirv {

/// Widths in bits, which are bits of a mask: 16, 32, 64.
using FlushedWidths = std::uint32_t;

/// Those that all kernels ask for. Refuses the module if they differ, as they share functions.
FlushedWidths flushedByKernels(const Annotations& annotations);
/// Those that one function asks for.
FlushedWidths flushedByFunction(const Annotations& annotations, std::uint32_t function);

/// Whether the instruction computes: others, such as those that copy numbers, keep denormals.
bool computes(const Instruction& instruction);

/// The number, or a zero of its sign if it is denormal and of one of the widths. Other values are left as they are.
llvm::Value* flushed(llvm::IRBuilderBase& builder, llvm::Value& value, FlushedWidths widths);
/// Does the same with the object of a type that is in memory, such as a second result.
void flushInMemory(llvm::IRBuilderBase& builder, llvm::Value& pointer, llvm::Type& type, FlushedWidths widths);

}  // namespace clarity::compiler::spirv
