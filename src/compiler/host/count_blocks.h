// SPDX-License-Identifier: Apache-2.0
// This file makes counted code (Instrumentation::Count): native IR, with all packets and tiles as they are, that counts
// the work of its basic blocks where they are executed, and reports the sums at the end of a slice
// (support/observer_hooks.h: __clarity_counts).
#pragma once

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Adds the counters to all functions of the module. They count operations of floating-point in all lanes of packets,
/// those that a mask turns off included, and bytes of loads and stores that the code generator will find, under a mask
/// those of the lanes that are on. Functions outside of the module are not counted.
void countBlocks(llvm::Module& module);

}  // namespace clarity::compiler
