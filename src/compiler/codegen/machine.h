// SPDX-License-Identifier: Apache-2.0
// This file lends machines to generate code for: what one has found out about its processor serves the next compile, too.
#pragma once

#include "compiler/compiler.h"

#include <memory>

namespace llvm {
class TargetMachine;
}

namespace clarity::compiler {

/// Keeps a machine for the next compile. One that a faulting compile does not give back is lost.
struct KeepMachine {
  void operator()(llvm::TargetMachine* machine) const;
};
using Machine = std::unique_ptr<llvm::TargetMachine, KeepMachine>;

/// A machine to generate code for, nobody else's meanwhile; nullptr if there is no code generator for the processor.
Machine machineFor(const Target& target, bool optimise);

}  // namespace clarity::compiler
