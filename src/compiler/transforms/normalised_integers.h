// SPDX-License-Identifier: Apache-2.0
// This file declares what becomes of normalised integers that are read, perhaps rearranged, and written again.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler {

/// A channel of 8 or 16 bits that is read is r / 255 or r / 65535 in float; written, it is multiplied, clamped and
/// rounded. The result is r itself for a value that only went through moves (phis, selections, shuffles): the product
/// of the rounded quotient is less than 1/50 away from it.
///   before:  and(bitcast(fma(clamp(uitofp(r) * (1 / 255)), 255, 1.5 * 2^23)), 0x3fffff)
///   after:   r
void keepNormalisedIntegers(llvm::Function&);

}  // namespace clarity::compiler
