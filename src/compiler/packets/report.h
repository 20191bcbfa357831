// SPDX-License-Identifier: Apache-2.0
// This file declares the report of what became of a kernel's regions (-cl-clarity-report).
#pragma once

#include "compiler/packets/packet_notes.h"
#include "compiler/packets/packet_plan.h"

#include <map>
#include <string>
#include <vector>

namespace llvm {
class Instruction;
}

namespace clarity::compiler {

/// One region in words.
struct RegionReport {
  std::string form;  ///< how its work-items run
  std::map<unsigned, std::vector<std::string>> lines;  ///< remarks by source line; 0: unknown
};

/// What the pass `packets` says, region by region.
struct PacketReport {
  std::string_view source;  ///< of the kernel, for quoting; may be empty
  std::vector<RegionReport> regions;
};

/// A region that runs in packets: the tile, and by source line where work-items part and how memory is accessed, as the
/// builder has noted it.
RegionReport describePackets(const PacketPlan& plan, const PacketNotes& notes, std::string_view source);

/// A region that keeps its scalar loop. `obstacle` is an instruction that could not be put into lanes; nullptr: packets would
/// cost too much (`reasons`), or too few work-items stand side by side.
RegionReport describeScalar(const ItemLoop& items, const llvm::Instruction* obstacle, const NoPackets& reasons, std::string_view source);

/// The regions in the order of the source; neighbours of which the same is said are told together.
std::string textOf(const PacketReport& report);

}  // namespace clarity::compiler
