// SPDX-License-Identifier: Apache-2.0
// This file holds costs and limits of packets and their tiles (cost_model.h says where numbers come from).
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::compiler::cost {

// Bytes. derived: all x86-64 processors.
inline constexpr unsigned cacheLine = 64;

// --- the size of a tile (packets/choose_shape.cpp, choose_dimension.cpp; passes/packets.cpp) -------------------------

namespace tile {

// Assumed trip count, where instructions in loops are weighed. chosen: short for most loops, so that blocks between
// loops still count.
inline constexpr double iterations = 8;
// Passes of the banks of local memory by addresses that are not known. chosen: two of random addresses often meet.
inline constexpr double passesOfUnknown = 2;
// Nested loops that are weighed so. chosen: what is deeper decides alone in any case.
inline constexpr unsigned deepestWeighted = 4;
// Shares of what is computed from which on lanes have 64 bits, and 32 or 16 bits. chosen: wide lanes waste registers on
// narrow values, narrow lanes split wide values into several registers.
inline constexpr double shareFor64 = 0.5, shareForNarrower = 0.2;
// Work-items that the dimension of the lanes has at least. derived: the narrowest packet of SSE2.
inline constexpr std::uint64_t leastItemsAlong = 4;
// How many times more transactions lanes along x make than lanes along y, from which on they lie along y. chosen.
inline constexpr double leastTurned = 1.5;
// Expected cycles of a tile by those of a smaller one, below which it counts as quicker. chosen: the estimate is rough.
inline constexpr double equalCycles = 0.99;
// Cycles of the loops of a tile by those of the quickest, up to which its rows are those that turn accesses outside of
// the loops into vectors. chosen: as much as the scattered accesses cost beside a short loop.
inline constexpr double mostForRuns = 1.2;
// Instructions of a tile. chosen: larger ones exceed the caches of decoded instructions and cost build time.
inline constexpr unsigned mostInstructions = 1500;
// Rows of a tile. derived: a cache line of floats, where rows are transposed.
inline constexpr unsigned mostRows = 16;
// Packets side by side where the innermost loops read memory, of rows far apart, and where they only compute. derived:
// rows far apart compete for the same sets of the first cache; without loads twice as many are needed to keep two units
// busy with chains of operations that take four cycles each.
inline constexpr unsigned mostReading = 4, mostFarReading = 2, mostComputing = 8;
// Bytes of all copies of private variables. derived: a thread's stack for kernels has up to 128 MiB
// (device/cpu/kernel_stack.h).
inline constexpr std::uint64_t mostPrivateBytes = std::uint64_t{64} << 20;
// Packets side by side in a loop whose step the launch decides. derived: one register each with AVX2.
inline constexpr unsigned mostJumpingPackets = 16;
// Registers left for addresses, constants and loaded values, at most; a quarter where there are few. chosen.
inline constexpr unsigned mostReserved = 4;
// How much more often the other side of a branch is taken, where a side counts as rare. chosen: far below what
// __builtin_expect says (2000), and far above what profiles of loops say.
inline constexpr std::uint64_t leastRarity = 64;
// Rows from which on a tile has a lower one beside it. chosen: rows that no tile covers run packet by packet.
inline constexpr unsigned leastHighTile = 6;
// Cells for each register in tiles that cover rows of several cache lines. chosen: what exceeds the registers is
// stored soon after it is read.
inline constexpr unsigned mostCellsPerRegister = 2;
// Work-items from which on a row fills cache lines whatever its type. derived: bytes.
inline constexpr std::uint64_t leastLongRow = cacheLine;
// Operations of an expression that may be computed in narrow lanes (packets/lane_bits.cpp). build time.
inline constexpr unsigned mostNarrowOperations = 32;

}  // namespace tile

// --- packets side by side that hide latency (packets/chain.cpp) ------------------------------------------------------

namespace latency {

// Cycles until a result can be used. derived: tables of Zen 4, Zen 5 and Golden Cove for registers of 256 and 512 bits,
// which differ by a cycle or two; a gather as its loads and inserts.
inline constexpr double integerOperation = 1, floatOperation = 4, division = 13, squareRoot = 18, load = 6, gather = 20;
// Cycles of a chain for each that a tile waits for it: the processor does not find all that it could execute meanwhile.
// measured on Zen 5: loops with chains of 2.2 to 6.4 times the cycles of their operations take up to 1.4 times as long
// with two packets as with four, one with 0.9 as much longer with four.
inline constexpr double unhidden = 1.3;
// Registers of the processor for each packet. chosen: what exceeds them is spilled, which hides latency, too.
inline constexpr unsigned registersOfPacket = 8;
// Operations, and cycles of their chain, of straight-line code from which on the next packet begins too late. derived:
// schedulers hold 100 to 200 operations that wait.
inline constexpr double leastStraight = 100;
// Instructions of a tile with divergent branches in a loop. measured on Zen 5: rays among spheres have 223, and take
// 1.2 times as long with four packets, as a side runs where one of more work-items takes it.
inline constexpr unsigned mostDivergent = 500;

}  // namespace latency

// --- packets or work-items one by one (packets/packet_cost.cpp) ------------------------------------------------------

namespace packet {

// For each lane of an access at unrelated addresses. counted: a gather instruction; one of AMD's processors, which
// execute it as extract, load and insert, so that fewer loads are in flight at a time; a scatter instruction, which is
// executed as two operations a lane and more for its address; extract, load and insert; the same with a select of the
// address.
inline constexpr double gatherInstruction = 1.0, slowGatherInstruction = 2.5, scatterInstruction = 3.0,
                        gatherElement = 2.5, gatherMaskedElement = 3.5;
// The access of a work-item alone to a member of a structure that is only copied, relative to others: vectors of four
// members. The share of a member in a transposition, where lanes are at unrelated addresses, relative to others.
// measured on Zen 5: permutations of structures of 3 to 8 floats take 0.4 to 0.9 of the time alone. measured on Zen 4:
// of 2 to 8 floats 0.5 to 0.9, where a processor gathers slowly.
inline constexpr double copiedMember = 0.25, unrelatedMember = 1.5, slowUnrelatedMember = 3;
// For each lane of an atomic operation: its address and operand are extracted and its result inserted, two operations
// each. counted.
inline constexpr double laneAddress = 2.4, laneOperand = 2, laneResult = 2;
// An atomic operation itself: in local memory, which no other thread accesses, load, operation and store; elsewhere
// locked. counted, the latter as the instructions of so many cycles.
inline constexpr double localAtomic = 3, lockedAtomic = 20;
// Cost of counting a work-item's innermost loop, relative to its instructions. derived: LLVM unrolls it by four.
inline constexpr double unrolledCounter = 0.25;
// A consecutive access under a mask. counted: the mask is computed.
inline constexpr double maskedAccess = 2;
// A branch of one work-item: taken alike by all; one that leaves a loop; any other. counted, with mispredictions.
inline constexpr double uniformBranch = 1, exitBranch = 2, divergentBranch = 6;
// A divergent branch of a packet. counted: mask, test and jump.
inline constexpr double packetDivergentBranch = 3;
// Work-items of those that reach a divergent branch that take each side. chosen: half.
inline constexpr double sideShare = 0.5;
// Factor for loops that lanes leave in different iterations. derived: trip counts equally distributed, half the lanes
// are active on average.
inline constexpr double unevenLoop = 2;
// Cost of packets at most, relative to the work-items one by one. chosen: the estimate is rough.
inline constexpr double mostRelative = 1.15;

}  // namespace packet

// --- the code of a tile (packets/) -----------------------------------------------------------------------------------

// Ranges of the cases of a switch that become one condition. chosen: each is two operations of a packet, where a branch
// for each half of the cases would be three or more.
inline constexpr unsigned mostComparedRanges = 8;
// Elements from lane to lane up to which all memory between is loaded and shuffled. counted: 4 loads and 3 to 6
// shuffles for 8 elements.
inline constexpr std::int64_t mostShuffledStride = 4;
// Accesses of a work-item that are generated together. derived: a cache line of floats.
inline constexpr std::int64_t mostGroupMembers = 16;
// One of so many components of a vector, from which on single components are loaded. chosen: packets transpose vectors
// that neighbours load, which is quicker than loads of several components.
inline constexpr unsigned mostComponentsLeft = 4;
// Loads and stores that a copy of a structure becomes, and bytes of each (passes/split_copies.cpp). derived: what is
// generated together, and scalars.
inline constexpr unsigned mostCopiedPieces = mostGroupMembers;
inline constexpr std::uint64_t mostPieceBytes = 8;
// Copies of an instruction without a vector form; more are a loop. build time.
inline constexpr unsigned mostLaneCopies = 16;
// Cycles of a step of operations on values up to which all lanes run it, needed or not; those of a division of floats.
// chosen: a branch that is mispredicted now and then costs as much.
inline constexpr unsigned mostUnguardedCycles = 12, unguardedDivision = 4;
// Instructions, times cells, of a guarded step that gets a second form for all lanes. chosen: code size.
inline constexpr unsigned mostTwoFormInstructions = 400;
// Trip count up to which loops over tiles are unrolled (packets/nest_writer.cpp). chosen: code size.
inline constexpr std::uint64_t mostStraightIterations = 16;
// Operations between loads and a store whose elements stay in the order of memory, and values visited for it
// (packets/memory_order.cpp). build time.
inline constexpr unsigned mostMemoryOrderDepth = 40;
inline constexpr std::size_t mostMemoryOrderSources = 256;
// Blocks visited for one region to find masks (packets/packet_plan.cpp). build time.
inline constexpr std::uint64_t mostBlocksSearched = 1'000'000;

}  // namespace clarity::compiler::cost
