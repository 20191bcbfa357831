// SPDX-License-Identifier: Apache-2.0
// This file makes counted code for NVIDIA GPUs (Instrumentation::Count): the optimised code, in which each thread
// counts in registers what it executes, and adds that to the module's counters when it ends.
#pragma once

#include "compiler/nvptx/capability.h"
#include "compiler/nvptx/counted_place.h"

#include <vector>

namespace llvm {
class Module;
}

namespace clarity::compiler::nvptx {

/// Adds the counters to all functions of a module that is ready for the code generator and has its debug information.
/// The threads of a warp that execute an access together are one request: those that are active. GPUs of compute
/// capability 7.0 and later have the instructions.
std::vector<CountedPlace> countInThreads(llvm::Module& module, Capability capability);

}  // namespace clarity::compiler::nvptx
