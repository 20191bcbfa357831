// SPDX-License-Identifier: Apache-2.0
// This file declares how types and memory are named in remarks.
#pragma once

#include <string>

namespace llvm {
class Type;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// The name of a type in OpenCL C. Integers of LLVM have no sign.
/// @param isUnsigned what else is known of integers
std::string typeName(const llvm::Type& type, bool isUnsigned = false);
/// Whether a pointer comes from a kernel argument whose elements are declared as unsigned integers of this type's size.
bool declaredUnsigned(const llvm::Value& pointer, const llvm::Type& type);
/// "'a'" for an access through a kernel argument or to a named variable, "local memory" and the like otherwise.
std::string objectName(const llvm::Value& pointer);
/// Whether a pointer leads to the barrier spill area.
bool isSpilled(const llvm::Value& pointer);
/// Whether a pointer leads to where printf collects its arguments: not in the source.
bool isOfPrintf(const llvm::Value& pointer);

}  // namespace clarity::compiler
