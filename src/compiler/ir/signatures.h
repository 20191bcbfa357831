// SPDX-License-Identifier: Apache-2.0
// This file compares the types of functions and variables that modules share by name, and writes them for messages.
#pragma once

#include <string>

namespace llvm {
class Function;
class Type;
}  // namespace llvm

namespace clarity::compiler {

/// Whether values of both types are the same in memory and in registers: structures of different names may be.
bool areAlike(const llvm::Type& left, const llvm::Type& right);

/// Whether a call of one is a call of the other: results, the number of parameters and their types are alike.
bool haveAlikeTypes(const llvm::Function& left, const llvm::Function& right);

/// Whether structures that are passed by value are alike, too, and no address is taken for a structure.
bool passAlikeStructures(const llvm::Function& left, const llvm::Function& right);

/// "float4", "global pointer", "struct S {int, float}", "read_only image2d_t": a type in the words of OpenCL C, as far
/// as the IR has them.
std::string typeText(const llvm::Type& type);

/// "int (float4, global pointer, ...)".
std::string signatureOf(const llvm::Function& function);

}  // namespace clarity::compiler
