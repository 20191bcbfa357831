// SPDX-License-Identifier: Apache-2.0
// This file holds the costs, thresholds and limits that the compiler decides by, one namespace for each decision.
//
// Where a number comes from stands behind its meaning:
//   derived     from the processor, the ABI or another number, as the line says
//   counted     from the instructions that x86-64 processors execute for it
//   chosen      a round number for the reason given; how sharp it is has not been measured
//   build time  a bound on what one kernel, or one query of an analysis, costs the compile
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
// Instructions of a tile. chosen: larger ones exceed the caches of decoded instructions and cost build time.
inline constexpr unsigned mostInstructions = 1500;
// Rows of a tile. derived: a cache line of floats, where rows are transposed.
inline constexpr unsigned mostRows = 16;
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
// with two packets as with four, one with 0.9 as much longer with four; on Sapphire Rapids one with 1.4 takes 1.2 times
// as long with four as with two.
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
// For each lane of an atomic operation: its address and operand are extracted and its result inserted, two operations
// each. counted.
inline constexpr double laneAddress = 2.4, laneOperand = 2, laneResult = 2;
// An atomic operation itself: in local memory, which no other thread accesses, load, operation and store; elsewhere
// locked. counted, the latter as the instructions of so many cycles.
inline constexpr double localAtomic = 3, lockedAtomic = 20;
// What a work-item's innermost loop costs to count, relative to its instructions. derived: LLVM unrolls it by four.
inline constexpr double unrolledCounter = 0.25;
// A consecutive access under a mask. counted: the mask is computed.
inline constexpr double maskedAccess = 2;
// A branch of one work-item: taken alike by all; one that leaves a loop; any other. counted, with mispredictions.
inline constexpr double uniformBranch = 1, exitBranch = 2, divergentBranch = 6;
// A divergent branch of a packet. counted: mask, test and jump.
inline constexpr double packetDivergentBranch = 3;
// Factor for loops that lanes leave in different iterations. derived: trip counts equally distributed, half the lanes
// are active on average.
inline constexpr double unevenLoop = 2;
// What packets may cost at most, relative to the work-items one by one. chosen: the estimate is rough.
inline constexpr double mostRelative = 1.15;

}  // namespace packet

// --- the code of a tile (packets/) -----------------------------------------------------------------------------------

// Elements from lane to lane up to which all memory between is loaded and shuffled. counted: 4 loads and 3 to 6
// shuffles for 8 elements.
inline constexpr std::int64_t mostShuffledStride = 4;
// Accesses of a work-item that are generated together. derived: a cache line of floats.
inline constexpr std::int64_t mostGroupMembers = 16;
// Copies of an instruction without a vector form; more are a loop. build time.
inline constexpr unsigned mostLaneCopies = 16;
// Instructions, times cells, of a guarded step that gets a second form for all lanes. chosen: code size.
inline constexpr unsigned mostTwoFormInstructions = 400;
// Trip count up to which loops over tiles are unrolled (packets/nest_writer.cpp). chosen: code size.
inline constexpr std::uint64_t mostStraightIterations = 16;
// Operations between loads and a store whose elements stay in the order of memory, and values visited for it
// (packets/memory_order.cpp). build time.
inline constexpr unsigned mostMemoryOrderDepth = 12;
inline constexpr std::size_t mostMemoryOrderSources = 64;
// Blocks visited for one region to find masks (packets/packet_plan.cpp). build time.
inline constexpr std::uint64_t mostBlocksSearched = 1'000'000;

// --- the budget of a compile (budget.cpp, pipeline/) -----------------------------------------------------------------

namespace budget {

// Machine instructions of a kernel in packets: so many times the instructions of a work-item, at least and at most so
// many. build time: with LLVM's time for them a kernel in packets takes up to five times as long as its scalar form.
inline constexpr std::uint64_t packetTimes = 6, leastPackets = 8'000, packets = 40'000;
// Part of these that may be created in vain: what nothing uses goes before the code is measured. chosen.
inline constexpr std::uint64_t createdBeside = 4;
// Divergent branches of a kernel in packets. build time: their masks cross all steps between.
inline constexpr std::uint64_t divergentBranches = 600;
// Instructions from which on LLVM's pipeline is short, and from which on it does not optimise. build time.
inline constexpr std::uint64_t light = 60'000, least = 150'000;
// Instructions of a kernel that is in budget in any form. chosen.
inline constexpr std::uint64_t neverLarge = 250;
// Instructions from which on a build looks for something to report. chosen.
inline constexpr unsigned leastRemarkable = 1000;
// Loops times instructions up to which LLVM's passes run that forget, loop by loop, what they know of the code behind
// it. build time: 174 loops in 6,000 instructions, one sum through all of them, took 10 s in two of these passes.
inline constexpr std::uint64_t mostLoopsTimesInstructions = 150'000;
// The same for loop strength reduction in the code generator, which asks for each loop about all that are around it or
// beside it. build time: 184 loops in 8,000 instructions took 3.7 s, and 0.2 s in the rest of the code generator.
inline constexpr std::uint64_t mostLoopsReduced = 300'000;
// Accesses of memory in a block up to which the code generator schedules instructions: it compares each with all
// before it. build time: two blocks of 840 took 2.8 s, and 0.5 s in the rest of the code generator.
inline constexpr std::size_t mostAccessesScheduled = 500;
// Blocks up to which LLVM's CodeGenPrepare starts again after each change of the control flow. build time.
inline constexpr unsigned mostBlocksRevisited = 100;
// Instructions of a block up to which CodeGenPrepare runs: its time grows by their square. build time.
inline constexpr std::size_t mostOfPreparedBlock = 5'000;
// Instructions of a kernel up to which all its calls are inlined; of a function that is inlined beyond that; of a
// kernel with the calls that must be inlined. build time.
inline constexpr unsigned inlinedKernel = 50'000;
inline constexpr std::uint64_t mostOfFunction = 1'000, mostInlined = 500'000;

// Machine instructions. counted: a call with its moves; for each register, a gather instruction and an access under a
// mask without mask registers; for each lane, a gather without an instruction and a division; a scalar division.
inline constexpr std::uint64_t call = 4, gatherInstruction = 2, maskedAccess = 2;
inline constexpr std::uint64_t gatherElement = 4, divisionLane = 3, scalarDivision = 2;
// An operation of half in float between conversions, and with conversions made of integer operations. counted.
inline constexpr unsigned halfConverted = 2, halfEmulated = 16;

}  // namespace budget

// --- how much a launch computes (pipeline/estimate_work.cpp) ---------------------------------------------------------

namespace work {

// Instructions that a call and a division of integers count for. chosen.
inline constexpr std::uint64_t call = 20, division = 10;
// Iterations up to which the most that the type of a loop's counter allows counts as its trip count. derived: loops
// that halve a number, or test its bits, and loops over bytes.
inline constexpr std::uint64_t mostKnownIterations = 256;
// Instructions of a kernel up to which its loops are looked at. build time.
inline constexpr std::size_t mostInstructions = 5'000;

}  // namespace work

// --- values across barriers (passes/save_live_values.cpp) ------------------------------------------------------------

// Instructions that are rematerialised instead of spilling one value: varying and uniform ones of a varying value,
// uniform ones of a uniform value. chosen: a spill is a store, loads and their addresses.
inline constexpr unsigned mostVaryingOfVarying = 8, mostUniformOfVarying = 24, mostUniformOfUniform = 4;

// --- unrolling (passes/unroll_*.cpp) ---------------------------------------------------------------------------------

// Loops with barriers. derived: a tree over the largest work-group has 13 iterations. build time: each iteration has
// its own regions.
inline constexpr unsigned mostBarrierIterations = 16, mostBarrierInstructions = 1200;
// Loops over private arrays, whose elements become registers: iterations of each, instructions of all together when
// unrolled, elements of an array. derived: 8 x 8 register tiles. build time.
inline constexpr unsigned mostPrivateIterations = 64, mostPrivateInstructions = 5000;
inline constexpr std::uint64_t mostPrivateElements = 64;
// Loops along rows. derived: the floats of an SSE2 register, and of a cache line. build time.
inline constexpr unsigned leastRowIterations = 4, mostRowIterations = 16, mostRowInstructions = 600;
// Instructions that all loops along rows of a kernel may add. build time: sixty such loops made a kernel twice as large
// before it was put into packets.
inline constexpr unsigned mostRowInstructionsOfKernel = 800;

// --- versions of nests (transforms/nest_forms.cpp; passes split-interior, version-blocks, fold-guards) ---------------

// Instructions of a nest that is copied. build time.
inline constexpr std::size_t mostCopiedInstructions = 600;
// Users followed to see whether a value decides an access. build time.
inline constexpr unsigned mostUsersFollowed = 64;
// Conditions of one nest that are versioned; guards that are folded one after the other; blocks of a path around a
// guard that are searched for effects; operands of operands of an index that narrow-indices follows. build time.
inline constexpr unsigned mostConditions = 24, mostGuards = 8, mostBlocksAroundGuard = 8, mostIndexDepth = 6;
// Work-items of a block-aligned tile. derived: two packets of floats with AVX-512.
inline constexpr unsigned blockTileWidth = 32;

namespace interior {

// Work-items of rows of known length that are not split. chosen: a tile or two.
inline constexpr std::uint64_t mostRowTogether = 64;
// Rows are split at multiples of so many work-items. derived: a packet of AVX2; half a cache line of shorts.
inline constexpr std::uint64_t leastUnit = 8, mostUnit = 32;
// Work-items of the interior from which on a row is split: with accesses that would be gathers, and with masked
// accesses only. measured on Zen 5 with AVX-512: a row in three parts is visited three times; masks for the packets of
// a row of 160 cost a third less than that.
inline constexpr std::int64_t leastItems = 32, leastLightItems = 256;
// The latter without mask registers, where a mask is computed in vectors, tested and branched on. measured on Zen 3: a
// scan of 256 takes 0.4 times as long; a stencil of 160 would take twice as long.
inline constexpr std::int64_t leastUnmaskedItems = 192;
// Rows whose parts run one after the other. chosen: they stay in the caches meanwhile.
inline constexpr std::uint64_t bandRows = 16;
// Constants up to this are compared with the lower end of a row. chosen: radii of filters are smaller.
inline constexpr std::uint64_t mostBoundary = 16;

}  // namespace interior

// --- the order of memory (passes interchange-loops, interleave-groups) -----------------------------------------------

namespace interchange {

// Values that a work-item carries from iteration to iteration, and others that it spills. chosen: each is stored and
// loaded in every iteration.
inline constexpr unsigned mostCarried = 4, mostFromBefore = 2;
// Bytes that a work-group accesses in an iteration. derived: a page, at whose end hardware prefetchers stop.
inline constexpr std::uint64_t leastGroupBytes = 4096;
// Bytes from iteration to iteration. derived: shorter steps stay within 8 cache lines.
inline constexpr std::uint64_t leastStepBytes = 512;

}  // namespace interchange

namespace interleave {

// Bytes that interleaved work-groups read in one iteration, all together. derived: two pages; their barrier spill area
// is about as large and stays in the first-level cache.
inline constexpr std::uint64_t bytes = 8192;
// Work-groups at most; work-items that each has at least and at most. chosen.
inline constexpr std::uint64_t mostGroups = 16, leastItems = 32, mostItems = 1024;

}  // namespace interleave

// --- prefetching (passes/prefetch_strides.cpp) -----------------------------------------------------------------------

namespace prefetch {

// Bytes from iteration to iteration that hardware prefetchers follow. derived: they stay within a page.
inline constexpr std::int64_t foreseenBytes = 1024;
// Instructions of an iteration. chosen: with shorter ones a processor has many loads in flight by itself.
inline constexpr double leastIteration = 24;
// Instructions until memory has answered. derived: some hundred cycles.
inline constexpr double latency = 600;
// Instructions beside each prefetch. derived: 5 % where the prefetch is in vain.
inline constexpr double leastBeside = 20;
// Loads of a loop that are prefetched. chosen.
inline constexpr std::size_t mostLoads = 32;
// Assumed trip count of inner loops. derived: tile::iterations.
inline constexpr double innerIterations = tile::iterations;
// Trip count of inner loops whose loads are prefetched for the loop around. chosen.
inline constexpr unsigned mostInnerIterations = 64;

}  // namespace prefetch

// --- several work-items a thread of a GPU (nvptx/) -------------------------------------------------------------------

namespace coarsen {

// Instructions between a branch and where its ways meet that are copied for work-items that agree, and how often that
// is done around one instruction. build time.
inline constexpr std::size_t mostInVersion = 600;
inline constexpr unsigned mostVersions = 2;
// Work-items of a thread: of a matrix product along the fast and the slow dimension, with loads shared along one
// dimension only, and of work-groups with barriers. measured on an H100 (H200 too).
inline constexpr unsigned mostFast = 2, mostSlow = 8, mostOfGroup = 8, mostGroups = 4;
// Work-items of a group with barriers from which on its work-items share threads, not several groups a block: blocks of
// a thousand threads leave a multiprocessor idle at each barrier. measured on an H100.
inline constexpr unsigned largeGroup = 512;
// Work-items of a thread of a warp that executes a work-group: the largest work-groups have 32. Elements of local
// memory that a thread then has in registers, and of which an element may come from another thread. chosen: registers.
inline constexpr unsigned mostOfWarp = 32;
inline constexpr std::size_t mostPlaces = 64, mostSources = 4;
// Words that come from other threads, for each work-item of a thread. chosen: a shuffle takes a multiprocessor as long
// as memory takes for four bytes, of which a work-item reads a few.
inline constexpr std::size_t mostShuffles = 32;
// Blocks of 256 threads that a multiprocessor should hold of a matrix product, which leaves a thread 64 registers, and
// the instructions of a kernel whose sixteen work-items fit those. measured with a kernel by hand: 21.4 TFLOP/s with 59
// registers on an H100, where this back end had 16.5 with 80 on an H200.
inline constexpr unsigned blocksTogether = 4, mostOfFewRegisters = 40;
// Neighbouring elements of a product's factor that a thread loads as a vector: the work-items along that dimension.
// measured on an H100 with kernels by hand: 8 x 4 elements a thread and 128 threads a block have 26.7 TFLOP/s, 4 x 4
// and 256 threads 23.3 if a multiprocessor holds three, 20.9 if it holds four; 8 x 2 as above 20 to 22.
inline constexpr unsigned elementsOfVector = 4, blocksOfVectorsTogether = 3;
// Bytes of local memory of a work-group that shares it with neighbours. chosen: a multiprocessor has room for 16 blocks
// of four such work-groups, as many as their registers leave.
inline constexpr std::uint64_t mostOfSharingGroup = 3072;
// Bytes that a thread loads or stores of a kernel whose accesses are its time: it has as many work-items as these are
// of, at most mostSlow. measured on an H100 with kernels by hand: additions and copies of elements of 1 to 16 bytes are
// fastest with 16 bytes loaded, whether a thread's elements are neighbours or a block apart; bytes alone gain by
// vectors.
inline constexpr std::uint64_t bytesOfStream = 16;
// Instructions of such a kernel at most, and how many work-items a thread could have at least for each that it gets:
// four times as many threads as hide latency by several work-items each. chosen.
inline constexpr unsigned mostOfStream = 64, leastOfStream = 4;
// Work-items that a thread could have where a launch has few: loops that load are unrolled. measured on an H100: a dot
// product of 2^18 work-items, of which each could have four, loads 2757 GB/s as written and 2930 with four iterations
// together, by hand.
inline constexpr std::uint32_t fewCells = 4;
// Work-items of a thread that count together, and threads of a block that counts in shared memory. chosen.
inline constexpr std::uint32_t cellsOfCounting = 4, threadsOfCounting = 256;
// Expected cycles of several work-items of a thread, by those of one alone, at most. chosen: the guards of partial
// blocks and the registers cost something.
inline constexpr double mostOfAlone = 0.95;
// Instructions of a kernel times its cells. build time.
inline constexpr std::size_t mostInstructions = 20'000;

}  // namespace coarsen

// --- variables in global memory (passes/place_global_variables.cpp) --------------------------------------------------

// Bytes of constants whose values are part of every kernel's code. chosen: code size.
inline constexpr std::uint64_t mostKnownBytes = 4096;
// Zeros between two chunks of an initial value. chosen: a chunk has an offset and a size.
inline constexpr std::uint64_t leastGap = 64;

}  // namespace clarity::compiler::cost
