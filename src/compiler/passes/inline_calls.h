// SPDX-License-Identifier: Apache-2.0
// This file marks the functions of a kernel that become part of it.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace clarity::compiler {

/// Calls are expensive. On a GPU, arrays that the function gets by their addresses have to be in memory, and registers
/// are saved around the call. In packets, the call is made for one work-item after the other, and private arrays that
/// it gets lie in one piece for each work-item: what all lanes do with them becomes gathers and scatters. If the kernel
/// with all calls inlined has at most `most` instructions, every function that it calls is marked, except those that
/// the program wants as calls (`noinline`).
/// @return whether there is one
bool markCallsForInlining(llvm::Function& kernel, std::uint64_t most);

}  // namespace clarity::compiler
