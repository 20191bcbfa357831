// SPDX-License-Identifier: Apache-2.0
// This file declares which capabilities and extensions of SPIR-V are read (cl_khr_spirv_queries).
#pragma once

#include "compiler/spirv/instruction.h"

#include <span>

namespace clarity::compiler::spirv {

/// The capabilities whose instructions the reader knows, in the order of their numbers.
std::span<const Capability> readCapabilities();
/// The names of extensions that a module may name in OpExtension, without those that are always ignored.
std::span<const char* const> readExtensions();
/// The names of sets of extended instructions.
std::span<const char* const> readInstructionSets();

/// Refuses the module if OpCapability names a capability that is not read.
void checkCapability(const Instruction& instruction);

}  // namespace clarity::compiler::spirv
