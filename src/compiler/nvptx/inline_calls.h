// SPDX-License-Identifier: Apache-2.0
// This file marks the functions of a kernel that become part of it.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// A call on a GPU is expensive: arrays that the function gets by their addresses have to be in memory, and registers
/// are saved around it. If the kernel with all calls inlined stays within cost::mostInlinedOnGpu, every function that
/// it calls is marked, except those that the program wants as calls (`noinline`).
/// @return whether there is one
bool markCallsForInlining(llvm::Function& kernel);

}  // namespace clarity::compiler::nvptx
