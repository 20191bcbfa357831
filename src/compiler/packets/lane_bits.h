// SPDX-License-Identifier: Apache-2.0
// This file declares how wide the lanes are in which an instruction computes.
#pragma once

#include "compiler/packets/packet_shape.h"

namespace clarity::compiler {

/// Bits of a lane in which an instruction computes. They are not always those of its type: half is mostly computed in
/// float, and what is only extended to be narrowed again is computed in narrow lanes.
unsigned laneBits(const llvm::Instruction& instruction, const VectorTarget& target);

/// How many operations one of half becomes, conversions included, with and without instructions for it; 1 of everything
/// else.
unsigned halfOperations(const llvm::Instruction& instruction, const VectorTarget& target);

}  // namespace clarity::compiler
