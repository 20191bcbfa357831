// SPDX-License-Identifier: Apache-2.0
// This file is what the passes of the host's pipeline need to know of a processor, and how a module becomes one for it.
#pragma once

#include "compiler/ir/target.h"
#include "compiler/packets/packet_shape.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clarity::compiler {

/// The properties of the machine's vectors.
VectorTarget vectorTargetOf(const Target& target, const llvm::TargetMachine& machine);

/// Triple, data layout and attributes of functions become the host's. Address spaces stay: they cost nothing on a CPU
/// and say which memory is meant.
void retarget(llvm::Module& module, const llvm::TargetMachine& machine, const Target& target);

}  // namespace clarity::compiler
