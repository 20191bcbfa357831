// SPDX-License-Identifier: Apache-2.0
// This file declares the check of inline assembly for NVIDIA GPUs, which is PTX.
#pragma once

#include <string>

namespace llvm {
class CallBase;
}

namespace clarity::compiler {

/// The mistake in the operands of an `asm` statement: a constraint that PTX does not have, a value that does not fit
/// into the constraint's register. Empty if nothing is. The text itself is checked by NVIDIA's driver, when code is
/// loaded.
std::string wrongWithAssembly(const llvm::CallBase& assembly);

}  // namespace clarity::compiler
