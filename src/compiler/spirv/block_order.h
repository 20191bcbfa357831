// SPDX-License-Identifier: Apache-2.0
// This file declares the order in which the blocks of a function are read.
#pragma once

#include "compiler/spirv/module_reader.h"

#include <span>
#include <vector>

namespace clarity::compiler::spirv {

/// The blocks of a body, each with its label, so that a block comes behind those that dominate it: then values precede
/// their uses. It is the order of the module, which SPIR-V demands to be such; LLVM's translator keeps LLVM's order,
/// which may be another.
std::vector<std::span<const Instruction>> blocksInOrder(const ModuleReader& module, std::span<const Instruction> body);

}  // namespace clarity::compiler::spirv
