// SPDX-License-Identifier: Apache-2.0
// This file declares the report of what became of a kernel's regions (-cl-clarity-report).
#pragma once

#include "compiler/packets/packet_plan.h"

#include <string>

namespace llvm {
class Instruction;
}

namespace clarity::compiler {

/// One region that runs in packets: the tile, and by source line which branches part and how memory is accessed.
std::string describePackets(unsigned region, const PacketPlan& plan);

/// One region that keeps its scalar loop. `obstacle` is the instruction that could not be put into lanes; nullptr: too few
/// work-items stand side by side.
std::string describeScalar(unsigned region, const llvm::Instruction* obstacle);

}  // namespace clarity::compiler
