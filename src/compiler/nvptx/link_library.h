// SPDX-License-Identifier: Apache-2.0
// This file declares how a kernel gets the library for NVIDIA GPUs.
#pragma once

#include "compiler/nvptx/capability.h"

#include <llvm/Support/Error.h>

namespace llvm {
class Module;
}

namespace clarity::compiler::nvptx {

/// Links what a kernel calls (builtins/nvptx), as GPUs of a compute capability execute it: what the library asks of
/// them is answered, and the shared memory of its work-group functions is there.
llvm::Error linkLibrary(llvm::Module& module, Capability capability);

}  // namespace clarity::compiler::nvptx
