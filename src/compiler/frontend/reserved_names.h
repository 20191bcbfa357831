// SPDX-License-Identifier: Apache-2.0
// This file keeps names and marks that passes understand out of modules that others wrote.
#pragma once

#include <string>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace clarity::compiler {

/// The first function or variable with a name of the implementation (reservedPrefix), also as part of a mangled name,
/// or with an attribute that would give it one; a sentence about it, or nothing.
std::string reservedNameIn(const llvm::Module& module);

/// Removes the attributes and the metadata by which passes leave facts for later passes (ir/attributes.h), except those
/// that the front end itself sets.
void dropMarks(llvm::Function& function);

}  // namespace clarity::compiler
