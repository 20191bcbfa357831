// SPDX-License-Identifier: Apache-2.0
// This file names every string attribute and every kind of metadata by which passes leave facts for later passes. Each
// has its meaning, its value, who sets it and who reads it. They are part of the IR: `clarity opt --print-after=PASS`
// shows them, and tests of single passes write them down.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace llvm {
class Function;
}

namespace clarity::compiler {

// --- attributes of functions ----------------------------------------------------------------------------------------

/// The place where a source first uses a function or variable that it does not define, "program.cl:3:7: ", for the log
/// of a link that finds no definition either. On declarations. Set by the front end (frontend/diagnostics.cpp); read by
/// check-undefined.
inline constexpr char firstUseAttribute[] = "clarity-first-use";

/// No value. The kernel is a block that kernels enqueue.
/// Set by the front end (frontend/blocks.cpp); read by number-blocks and for KernelInfo.
inline constexpr char blockAttribute[] = "clarity-block";

/// The offset in the block's literal, which is the first parameter, of a pointer that the block has captured. On the
/// parameter that is this pointer. Set by the front end; read for KernelArg.
inline constexpr char capturedAttribute[] = "clarity-captured-at";

/// Work-items of a full sub-group, a power of two: the lanes of every packet in which a sub-group function is called.
/// Set by choose-sub-group-size; read by sub-group-size, mark-waiting-loops, work-item-loops, packets.
inline constexpr char subGroupSizeAttribute[] = "clarity-sub-group-size";
/// 0 without the attribute.
unsigned subGroupSizeOf(const llvm::Function& kernel);

/// The exact work-group size along x, y and z. Without them the size is known at the launch only.
/// Set by specialize-shape, taken away along y by interleave-groups; read by variance, merge-groups, interchange-loops,
/// interleave-groups, mark-waiting-loops, work-item-loops.
inline constexpr const char* localSizeAttributes[] = {"clarity-local-size-0", "clarity-local-size-1",
                                                      "clarity-local-size-2"};
std::optional<std::uint64_t> knownLocalSize(const llvm::Function& function, unsigned dimension);
void forgetLocalSize(llvm::Function& function, unsigned dimension);

/// No value. The work-groups of a slice run as one box of work-items.
/// Set by merge-groups; read by interchange-loops, interleave-groups, work-item-loops, make-entry.
inline constexpr char mergedGroupsAttribute[] = "clarity-merged-groups";

/// Bytes that a work-item reads in one iteration of an interchanged loop: work-groups that run interleaved read longer
/// consecutive pieces.
/// Set by interchange-loops; read by interleave-groups.
inline constexpr char wantsInterleavingAttribute[] = "clarity-wants-interleaving";

/// The most work-groups that run interleaved as one, counted by the dimension y.
/// Set by interleave-groups; read by variance, work-item-loops, make-entry and for NativeFacts.
inline constexpr char interleavedGroupsAttribute[] = "clarity-interleaved-groups";
/// 1 without the attribute.
std::uint64_t interleavedGroups(const llvm::Function& function);

/// The __local variables of a kernel and their places in local memory: name, offset, bytes and bytes of an element,
/// separated by commas, and semicolons between variables.
/// Set by lower-local-memory; read through localVariablesOf().
inline constexpr char localArraysAttribute[] = "clarity-local-arrays";
struct LocalVariable {
  std::string_view name;  ///< as in the source; in the function's attribute
  std::uint64_t offset = 0, bytes = 0, elementBytes = 0;
};
/// In the order of their offsets.
std::vector<LocalVariable> localVariablesOf(const llvm::Function& function);

/// The tile of a block of threads (nvptx/tile.h): "cells=8,1,1 threads=128,1,1 groups=4 warps". Nothing in the driver
/// reads it: it tells tests and readers of `clarity compile --emit native-ir`. Set by nvptx/emit_ptx.
inline constexpr char tileAttribute[] = "clarity-tile";

/// No value, on a parameter of a kernel for GPUs: where the memory of a __local argument begins in local memory.
/// Set by lower-kernel; read by copy-async.
inline constexpr char localArgumentAttribute[] = "clarity-local-argument";

/// Bytes of the barrier spill area for each work-item.
/// Set by work-item-loops; read for NativeFacts and reports.
inline constexpr char spillBytesAttribute[] = "clarity-spill-bytes";

/// No value. The box of work-items runs in chunks of up to `maxChunkItems` (kernel_abi.h); the barrier spill area holds
/// one chunk. Set by work-item-loops; read for NativeFacts.
inline constexpr char chunksAttribute[] = "clarity-chunks";

/// No value. The kernel is instrumented by Instrumentation::Check: regions report when they begin, and where work-items
/// wait is compared. Set by instrument; read by work-item-loops.
inline constexpr char checkedAttribute[] = "clarity-checked";

/// No value. Atomic operations of the kernel may order its other accesses (KernelInfo::ordersByAtomics).
/// Set and read by instrument.
inline constexpr char ordersAttribute[] = "clarity-orders-by-atomics";

/// The dimension whose neighbours should share a vector: "0" or "1".
/// Set by work-item-loops; read by variance, fold-guards, split-interior, version-blocks, unroll-row-loops, packets.
inline constexpr char lanesAlongAttribute[] = "clarity-lanes-along";
/// 0 without the attribute.
unsigned lanesAlong(const llvm::Function& function);

/// Work-items of the largest tile along x, y and z.
/// Set by packets; read for NativeFacts.
inline constexpr const char* tileAttributes[] = {"clarity-tile-x", "clarity-tile-y", "clarity-tile-z"};

/// "yes": rows of work-items along x share no memory (packets/separate_rows.h).
/// Set by packets; read for NativeFacts.
inline constexpr char separateRowsAttribute[] = "clarity-separate-rows";

/// "yes": some stores are non-temporal, and the kernel waits for them at its end.
/// Set by packets; read by make-entry.
inline constexpr char nonTemporalAttribute[] = "clarity-non-temporal";

/// "yes": some region kept its loop over single work-items, which LLVM's loop vectoriser may then try.
/// Set by packets; read where LLVM's optimiser is chosen.
inline constexpr char scalarRegionsAttribute[] = "clarity-scalar-regions";

/// No value. A sub-group may wait for another one: memory that its work-items share changes while it does.
/// Set by packets; read by make-entry.
inline constexpr char waitingAttribute[] = "clarity-waiting-sub-groups";

/// The image member that a parameter is: "3:24", the argument's index and the offset in its descriptor. Set by
/// specialize-images; read by make-entry.
inline constexpr char imageMemberAttribute[] = "clarity-image-member";

// --- metadata of kernels --------------------------------------------------------------------------------------------

/// Sub-groups that every work-group must have, as SPIR-V may demand (SubgroupsPerWorkgroup): !{i32 number}.
/// Set by the reader of SPIR-V; read by kernelInfoOf().
inline constexpr char requiredSubGroupsMetadata[] = "clarity.required.sub.groups";

// --- metadata of instructions ---------------------------------------------------------------------------------------

/// Marks an atomic function on a reduction (analysis/reductions.h), of which each thread may have a private copy. No
/// operands. Set by find-facts; read by lower-unshared-atomics and packets.
inline constexpr char reductionMetadata[] = "clarity.reduction";

/// Marks the terminator of a block that heads a region, once passes rely on where the cuts are: from then on cuts are
/// read, not found again. No operands. Set by save-live-values; read by the analysis barrier-regions and
/// work-item-loops.
inline constexpr char regionHeadMetadata[] = "clarity.region.head";

/// Marks an alloca that exists once for the work-group, not once for each work-item, or a load that it executes once.
/// Set by lower-collectives, save-live-values and, on loads, work-item-loops; read by variance and others.
inline constexpr char uniformSlotMetadata[] = "clarity.uniform.slot";

/// Marks the phi that counts a loop over work-items: !{i32 dimension}.
/// Set by work-item-loops; read by variance, affine and no-wrap.
inline constexpr char counterMetadata[] = "clarity.counter";

/// Marks the branch that closes a loop over work-items: !{i32 dimension}. It is no divergent branch.
/// Set by work-item-loops; read by variance, no-wrap, item-nest, fold-guards and the budget.
inline constexpr char itemLoopMetadata[] = "clarity.item.loop";

/// Marks the latch's branch of a nest over interior work-items. No operands.
/// Set by split-interior; read through isInterior (analysis/item_nest.h).
inline constexpr char interiorMetadata[] = "clarity.interior";

/// Marks the latch's branch of a nest over block-aligned packets: !{i64 packets that a tile may have side by side}.
/// Set by version-blocks; read through mostSideBySide (analysis/item_nest.h).
inline constexpr char blockMetadata[] = "clarity.block";

/// Marks a division, remainder or bit operation on an id that is affine along the lanes of a tile: !{i64 coefficient}.
/// Set by version-blocks; read by variance and the plan of a packet.
inline constexpr char inStepMetadata[] = "clarity.in.step";

/// On accesses to local memory on GPUs, which __local variable it is: !{i32 number}. Absent where that is not known.
/// Set by name-local-accesses; read by share_local_memory and copy-async.
inline constexpr char localVariableMetadata[] = "clarity.local.variable";

// --- metadata for reports -------------------------------------------------------------------------------------------

/// The variable of the program that memory holds: !{i32 line, string name}, on allocas. A value that is loaded from
/// there has that name, too. Where a compiler's own store put a value there, a third operand says why. Set by
/// work-item-loops, save-live-values and interchange-loops; read by variableName (remarks.h) and reports.
inline constexpr char variableMetadata[] = "clarity.variable";

/// On calls of barriers and work-group functions in instrumented code: the index of their site (instrument/site.h), and
/// the flags of the barrier.
/// Set by instrument; read by lower-collectives and work-item-loops.
inline constexpr char siteMetadata[] = "clarity.site";

/// Marks what an asynchronous copy of the work-group accesses. No operands. Set and read by instrument.
inline constexpr char copyMetadata[] = "clarity.copy";

/// The sites of an instruction's accesses that are checked for races. Set and read by instrument.
inline constexpr char raceMetadata[] = "clarity.race";

/// Marks the branch of a condition that a check put ahead of an access or an operation. No operands.
/// Set and read by instrument.
inline constexpr char guardMetadata[] = "clarity.guard";

/// Remarks that passes leave with a function: !{i32 kind, i32 line, i32 column, string message, ...}. Present, even
/// empty, where remarks are wanted. Set and read through remarks.h.
inline constexpr char remarksMetadata[] = "clarity.remarks";

}  // namespace clarity::compiler
