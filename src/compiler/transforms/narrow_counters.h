// SPDX-License-Identifier: Apache-2.0
// This file declares what brings an innermost loop into a form in which its counter and bounds can be recognised.
#pragma once

namespace llvm {
class Loop;
}

namespace clarity::compiler {

/// Moves what every iteration computes alike ahead of an innermost loop, and gives counters the width that the program
/// gave them. Returns whether anything changed.
bool narrowCounters(llvm::Loop& loop);

}  // namespace clarity::compiler
