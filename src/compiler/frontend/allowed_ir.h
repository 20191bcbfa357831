// SPDX-License-Identifier: Apache-2.0
// This file declares what LLVM IR a program may consist of, whichever front end it comes from: valid IR has ways out of
// what OpenCL defines, and passes rely on their absence.
#pragma once

#include <string>

namespace llvm {
class Function;
class Instruction;
class Module;
class Type;
}  // namespace llvm

namespace clarity::compiler {

bool isAllowed(const llvm::Type&);

/// The part of an instruction that no kernel may use: "variable arguments"; empty if it is allowed. Inline assembly is
/// (frontend/assembly.h).
std::string forbiddenIn(const llvm::Instruction&);

/// The same of a function's type and attributes, and of what a module has beside functions: "aliases".
std::string forbiddenIn(const llvm::Function&);
std::string forbiddenIn(const llvm::Module&);

/// Takes away what changes how functions and variables are compiled or where they lie, and means nothing in OpenCL:
/// sections, annotations, attributes of processors and sanitizers, prologues, options for a linker.
void dropForeignAttributes(llvm::Module&);

}  // namespace clarity::compiler
