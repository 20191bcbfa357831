// SPDX-License-Identifier: Apache-2.0
// This file declares the search for loops in which a work-item waits for what another work-group writes.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler {

/// Whether a kernel, or a function that it calls, may wait for other work-groups: it has a loop that ends when memory
/// outside of the work-group has changed, which it reads by atomic functions or volatile accesses at an address that
/// stays the same and does not change itself. Locks count: work-items in step would wait for one of their own. Loops
/// that only repeat a compare-and-exchange with what they have just read do not: one of all attempts succeeds.
bool waitsForGroups(llvm::Function& kernel);

}  // namespace clarity::compiler
