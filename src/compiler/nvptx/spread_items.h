// SPDX-License-Identifier: Apache-2.0
// This file gives a part of a kernel to other work-items of the same work-group.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Between two barriers it makes no difference which work-item does what, as long as it has nothing of its own to do it
/// with. Where the first few work-items store to every n-th element of local memory, n a power of two, those whose
/// numbers the elements have do it instead:
///
///   i = 8 * lid;                          if (lid % 8 == 0)
///   if (i < size) s[i] += s[i + 4];   =>    s[lid] += s[lid + 4];
///
/// so that work-items access elements of their own. A condition must guard the part, which has no barrier, no private
/// memory, and of what differs between work-items only integers that their numbers alone decide.
/// @param items of the work-group, which has one dimension
/// @return how many parts were given to others
unsigned spreadItems(llvm::Function& kernel, unsigned items);

}  // namespace clarity::compiler::nvptx
