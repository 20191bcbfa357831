// SPDX-License-Identifier: Apache-2.0
// This file declares how functions and variables of a module are named in portable IR, where a function is recognised
// as a builtin by its name.
#pragma once

#include "compiler/spirv/annotations.h"

#include <llvm/IR/GlobalValue.h>
#include <llvm/Support/Alignment.h>

#include <string>
#include <string_view>

namespace clarity::compiler::spirv {

/// The name of a function or variable without linkage: "user." and OpName's, or the id where there is none. No builtin
/// and no kernel has such a name.
std::string privateName(std::string_view name, std::uint32_t id);
/// The name of a function with linkage: as given, unless the program defines a builtin's name itself.
std::string linkedName(const Linkage& linkage, bool isDefined);

/// LLVM's linkage. Internal without one.
llvm::GlobalValue::LinkageTypes linkageOf(const Linkage* linkage);

/// The alignment in a decoration or a memory access. Refuses what is not a power of two up to 2^29.
llvm::Align alignmentOf(std::uint32_t bytes, const Instruction& user);

}  // namespace clarity::compiler::spirv
