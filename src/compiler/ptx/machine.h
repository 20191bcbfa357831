// SPDX-License-Identifier: Apache-2.0
// This file makes LLVM's machines for NVIDIA GPUs.
#pragma once

#include "compiler/ir/target.h"

#include <llvm/Target/TargetMachine.h>

#include <memory>

namespace clarity::compiler::nvptx {

/// A machine for a target of this back end; null if LLVM has none.
/// @param longParameters kernels may have more than mostParameterBytes of parameters, which a later PTX takes
std::unique_ptr<llvm::TargetMachine> gpuMachine(const Target& target, bool optimise, bool longParameters = false);

}  // namespace clarity::compiler::nvptx
