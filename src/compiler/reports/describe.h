// SPDX-License-Identifier: Apache-2.0
// This file declares how the plan of a region, and what the builder has noted, become remarks.
#pragma once

#include "compiler/packets/packet_notes.h"
#include "compiler/packets/packet_plan.h"
#include "compiler/reports/report.h"

namespace clarity::compiler {

/// A region that runs in packets: the tile, and by source line its loops, divergent branches and accesses, as the
/// builder has noted them.
RegionReport describePackets(const PacketPlan& plan, const PacketNotes& notes, std::string_view source);

/// A region that keeps its scalar loop.
/// @param obstacle an instruction that has no form in lanes; nullptr: packets would cost too much (`reasons`), or there
/// are too few work-items side by side
RegionReport describeScalar(const ItemLoop& items, const llvm::Instruction* obstacle, const NoPackets& reasons,
                            std::string_view source);

}  // namespace clarity::compiler
