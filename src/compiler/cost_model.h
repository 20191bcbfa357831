// SPDX-License-Identifier: Apache-2.0
// This file holds all costs, thresholds and limits that the compiler decides by, one namespace for each decision.
//
// Where a number comes from:
//   derived     from the processor, the ABI or another number here, as the line says
//   counted     from the instructions that x86-64 processors execute for it
//   chosen      a round number, for the reason given; how sharp it is has not been measured
//   build time  keeps one analysis or one kernel from taking over the compile; no kernel of bench/ or tests/ comes near
//   it
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::compiler::cost {

// --- processors
// ----------------------------------------------------------------------------------------------------------

inline constexpr unsigned cacheLine = 64;  ///< bytes. derived: all x86-64 processors, most others

// --- packets: shape of a tile (packets/choose_shape.cpp)
// -------------------------------------------------------------------

namespace shape {

/// Iterations that a loop is assumed to have, where its instructions are weighed. chosen
inline constexpr double iterations = 8;
inline constexpr unsigned deepestWeighted = 4;  ///< nested loops. chosen: deeper ones decide alone anyway

/// Lanes have 64 bits if more than this share of what is computed has; 32 (16) bits if more than the other share has at
/// least so many. chosen: wide lanes waste registers on narrow values, narrow lanes split wide values into several
/// registers.
inline constexpr double shareFor64 = 0.5, shareForNarrower = 0.2;
inline constexpr std::uint64_t leastItemsAlong =
    4;  ///< work-items that a dimension of lanes has. derived: the narrowest SSE packet
/// Weighted accesses that lanes along y must suit better than lanes along x. chosen: half an iteration's gather
inline constexpr double leastGainAlongY = 4;
inline constexpr double suitsConsecutive = 1, suitsStrided = -0.5,
                        suitsGather = -8;  ///< counted: 8 elements are 8 loads

inline constexpr unsigned mostInstructions =
    1500;                                 ///< of a tile. derived: what fits beside loops into the 32 KiB of code caches
inline constexpr unsigned mostRows = 16;  ///< derived: a cache line of floats, for rows that are transposed
inline constexpr unsigned mostJumpingPackets = 16;  ///< side by side in a grid-stride loop. derived: registers of AVX2
/// Registers that a tile leaves for addresses, constants and what is loaded: a quarter, at most so many. chosen
inline constexpr unsigned mostReserved = 4;
/// Rows from which on a tile has a lower one beside it, for heights that it does not fill. chosen: rows left over run
/// one by one
inline constexpr unsigned leastHighTile = 6;
/// Cells of a tile that is transposed, for each register, beyond one cache line. chosen: half of them are stored before
/// others are read
inline constexpr unsigned mostTransposedRegisters = 2;
inline constexpr std::uint64_t leastLongRow = 64;  ///< work-items. derived: fills cache lines, even of bytes

}  // namespace shape

// --- packets: worth it? (packets/packet_cost.cpp)
// ---------------------------------------------------------------------------

namespace packet {

/// Instructions for each lane of an access whose addresses differ. counted: gather instruction; extract address, load,
/// insert; the same under a mask, with a select of the address.
inline constexpr double gatherInstruction = 1.0, gatherElement = 2.5, gatherMaskedElement = 3.5;
inline constexpr double maskedAccess =
    2;  ///< counted: the mask of a consecutive access is an operand, but must be computed
/// A branch of one work-item: taken alike by all; that leaves a loop; any other, with its mispredictions. counted,
/// chosen
inline constexpr double uniformBranch = 1, exitBranch = 2, divergentBranch = 6;
inline constexpr double packetDivergentBranch = 3;  ///< counted: mask, test, jump
/// A loop that lanes leave in different iterations runs with half of them on average. derived: lengths of equal
/// distribution
inline constexpr double unevenLoop = 2;
/// Packets must not cost more than this times the work-items one by one. chosen: an error of the count in packets'
/// favour
inline constexpr double mostRelative = 1.15;

}  // namespace packet

// --- packets: code of a tile (packets/)
// ---------------------------------------------------------------------------------------

inline constexpr unsigned mostNarrowOperations = 32;  ///< of an expression (lane_bits.cpp). build time
inline constexpr std::int64_t mostShuffledStride =
    4;  ///< elements; loaded whole and shuffled. counted: 4 loads, 4 to 6 shuffles
inline constexpr std::int64_t mostGroupMembers = 16;  ///< accesses generated together. derived: a cache line of floats
inline constexpr unsigned mostLaneCopies =
    16;  ///< of an instruction without a vector form. build time: more are a loop
/// Instructions of a guarded step, times cells, that get a second form for all lanes. chosen: code size
inline constexpr unsigned mostTwoFormInstructions = 400;
/// Iterations of the loop over rows or planes up to which it has no test ahead of it (nest_writer.cpp). chosen
inline constexpr std::uint64_t mostStraightIterations = 16;
inline constexpr unsigned mostMemoryOrderDepth =
    12;  ///< operations between load and store (memory_order.cpp). build time
inline constexpr std::size_t mostMemoryOrderSources =
    64;  ///< values looked at for one store (memory_order.cpp). build time
inline constexpr std::uint64_t mostBlocksSearched = 1'000'000;  ///< for one region (packet_plan.cpp). build time

// --- budget of a compile (budget.cpp, pipeline.cpp)
// ---------------------------------------------------------------------------

namespace budget {

inline constexpr std::uint64_t packets =
    40'000;  ///< machine instructions of a kernel in packets. build time: seconds of LLVM
inline constexpr std::uint64_t divergentBranches =
    600;                                         ///< of a kernel in packets. build time: masks cross all steps between
inline constexpr std::uint64_t light = 60'000;   ///< instructions from which on LLVM has a short pipeline. build time
inline constexpr std::uint64_t least = 150'000;  ///< from which on it does not optimise. build time
inline constexpr std::uint64_t neverLarge =
    250;  ///< instructions of a region that fits in any form. derived: 250 x 16 cells x 8 < packets
inline constexpr unsigned leastRemarkable =
    1000;  ///< instructions from which on a build looks for remarks. derived: packets / 40
inline constexpr std::size_t mostLoops = 250;  ///< for LLVM's passes that compare loops with each other. build time
inline constexpr unsigned inlinedKernel =
    50'000;  ///< instructions up to which all calls in a kernel are inlined. build time
inline constexpr std::uint64_t mostInlined =
    500'000;  ///< instructions that calls which must be inlined may give a kernel. build time
inline constexpr std::uint64_t mostOfFunction =
    1'000;  ///< instructions of a function that is inlined in kernels too large. build time

/// Instructions of code in packets. counted: a call with its moves; a gather; an access under a mask; a division in
/// each lane; half without conversions by instructions
inline constexpr std::uint64_t call = 4, gatherInstruction = 2, gatherElement = 4, maskedAccess = 2, divisionLane = 3,
                               scalarDivision = 2;
inline constexpr unsigned halfConverted = 2, halfEmulated = 16;

}  // namespace budget

// --- barriers (passes/save_live_values.cpp)
// -------------------------------------------------------------------------------------

/// Instructions that are computed again in place of a store and loads of one spilled value: of values that vary; of
/// those, beside others that are computed again anyway; of uniform values. counted: a spill is a store and a load for
/// each region, with addresses
inline constexpr unsigned mostRecomputedVarying = 8, mostRecomputedBeside = 24, mostRecomputedUniform = 4;

// --- unrolling (passes/unroll_*.cpp)
// ----------------------------------------------------------------------------------------------

inline constexpr unsigned mostBarrierIterations = 16;     ///< derived: a tree over the largest work-group has 13
inline constexpr unsigned mostBarrierInstructions = 600;  ///< of all iterations. build time: each makes its own regions
inline constexpr unsigned mostPrivateIterations = 64;     ///< derived: register tiles have 8 x 8 elements at most
inline constexpr unsigned mostPrivateInstructions = 5000;  ///< of all loops together, unrolled. build time
inline constexpr std::uint64_t mostPrivateElements = 64;   ///< derived: as mostPrivateIterations
inline constexpr unsigned leastRowIterations = 4,
                          mostRowIterations = 16;     ///< derived: a cache line of doubles, a vector; of floats
inline constexpr unsigned mostRowInstructions = 600;  ///< of all iterations. build time

// --- versions of nests (passes/nest_forms.cpp, split_interior.cpp, version_blocks.cpp, fold_guards.cpp)
// ----------------------------

inline constexpr std::size_t mostCopiedInstructions = 600;  ///< of a nest. build time
inline constexpr unsigned mostUsersFollowed = 64;           ///< of a value that may decide an access. build time
inline constexpr unsigned mostConditions = 24;              ///< of one nest, folded or versioned. build time
inline constexpr unsigned blockTileWidth = 32;  ///< work-items of a block-aligned tile. derived: 2 packets of 16
inline constexpr unsigned mostGuards = 8;       ///< folded into the bounds of one nest, one after the other. build time

namespace interior {

inline constexpr std::uint64_t mostRowTogether =
    64;  ///< work-items of a row of known length that is not split. derived: a tile or two
inline constexpr std::uint64_t leastUnit = 8,
                               mostUnit =
                                   32;  ///< work-items; rows are split at multiples. derived: packets; a cache line
/// Work-items of the interior of a row for which it is split: with accesses that would be gathers; with masked accesses
/// only. chosen: a row in three parts is visited three times
inline constexpr std::int64_t leastItems = 32, leastLightItems = 512;
inline constexpr std::uint64_t bandRows =
    16;  ///< rows whose parts run one after the other. derived: 16 rows of 2 KiB stay in a first cache
inline constexpr std::uint64_t mostBoundary =
    16;  ///< constants up to this stand for the lower boundary. chosen: filters are smaller

}  // namespace interior

// --- order of memory (passes/interchange_loops.cpp, interleave_groups.cpp)
// ------------------------------------------------------------

namespace interchange {

inline constexpr unsigned mostCarried =
    4;  ///< values from iteration to iteration of a work-item. chosen: each is spilled
inline constexpr unsigned mostFromBefore = 2;  ///< spilled values that the loop reads. chosen: as above
inline constexpr std::uint64_t leastGroupBytes =
    4096;  ///< what a work-group accesses in an iteration. derived: a page, where prefetchers stop
inline constexpr std::uint64_t leastStepBytes =
    512;  ///< from iteration to iteration. derived: shorter ones stay within 8 cache lines

}  // namespace interchange

namespace interleave {

inline constexpr std::uint64_t bytes =
    8192;  ///< read in an iteration by interleaved groups. derived: two pages, a quarter of a first cache
inline constexpr std::uint64_t mostGroups = 16;                    ///< chosen
inline constexpr std::uint64_t leastItems = 32, mostItems = 1024;  ///< of a work-group. chosen

}  // namespace interleave

// --- prefetching (passes/prefetch_strides.cpp)
// --------------------------------------------------------------------------------------

namespace prefetch {

inline constexpr std::int64_t foreseenBytes =
    1024;  ///< from iteration to iteration. derived: hardware prefetchers stay within a page
inline constexpr double leastIteration =
    24;  ///< instructions. derived: of shorter ones a reorder buffer of 512 holds 20 iterations
inline constexpr double latency =
    600;  ///< instructions until memory has answered. derived: 100 ns at 3 GHz and 2 a cycle
inline constexpr double leastBeside = 20;     ///< instructions beside each prefetch. derived: 5 % where it is in vain
inline constexpr std::size_t mostLoads = 32;  ///< of a loop. derived: line fill buffers of a second cache
inline constexpr double innerIterations = 8;  ///< of an inner loop of unknown trip count. as shape::iterations
inline constexpr unsigned mostInnerIterations =
    64;  ///< of an inner loop whose loads are prefetched for the outer one. chosen

}  // namespace prefetch

// --- variables in global memory (passes/place_global_variables.cpp)
// -------------------------------------------------------------------

inline constexpr std::uint64_t mostKnownBytes =
    4096;  ///< of a constant whose value every kernel's code carries. chosen: code size
inline constexpr std::uint64_t leastGap =
    64;  ///< bytes of zeros between two chunks of an initialiser. derived: a chunk's header

}  // namespace clarity::compiler::cost
