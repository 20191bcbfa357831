// SPDX-License-Identifier: Apache-2.0
// This file declares what makes kernels of entry points.
#pragma once

#include "compiler/spirv/module_reader.h"

namespace clarity::compiler::spirv {

/// A kernel that calls the function, with its parameters; structures and arrays become pointers, as the calling
/// convention of kernels has it (`byval`).
llvm::Function* wrapperOf(ModuleReader& module, const EntryPoint& entry, const FunctionRange& range);

/// Whether a function cannot be the kernel itself because of a parameter: a structure, an array, a bool.
bool needsWrapper(const ModuleReader& module, const FunctionRange& range);

/// Whether an entry point is to run once before any other kernel of the program, as a constructor does.
bool isInitializer(const ModuleReader& module, const EntryPoint& entry);
/// Adds the function of such an entry point to the program's constructors.
void addInitializer(ModuleReader& module, const EntryPoint& entry, llvm::Function& function);

/// Gives a kernel the metadata that clang gives it: work-group sizes, names and types of arguments.
void describeKernel(ModuleReader& module, const EntryPoint& entry, const FunctionRange& range, llvm::Function& kernel);

}  // namespace clarity::compiler::spirv
