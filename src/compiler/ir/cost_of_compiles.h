// SPDX-License-Identifier: Apache-2.0
// This file holds the budget of a compile, and the estimate of what a launch computes (cost_model.h says where numbers
// come from).
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::compiler::cost {

// --- the budget of a compile (budget.cpp, pipeline/) -----------------------------------------------------------------

namespace budget {

// Machine instructions of a kernel in packets: so many times the instructions of a work-item, at least and at most so
// many. build time: with LLVM's time for them a kernel in packets takes up to five times as long as its scalar form.
inline constexpr std::uint64_t packetTimes = 6, leastPackets = 8'000, packets = 40'000;
// As many times as many, up to `light`, where packets would else be given up. build time: three kernels of 1,600 to
// 3,000 instructions, of image filters and noise, took 0.1 to 0.3 s more, and run 2 to 6 times as fast in packets; one
// of 30,000, a hash of hashes, took 2 s more, and runs 8 times as fast.
inline constexpr std::uint64_t lastTimes = 2;
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
// Instructions of a block up to which the code generator for NVIDIA GPUs makes products of sums of others (LLVM's
// straight-line strength reduction): it compares each with all before it. build time: a block of 2,400 took 0.9 s and
// one of 17,000 some 30 s, each many times as long as all else.
inline constexpr std::size_t mostOfReducedBlock = 2'500;
// Pairs of sums and products with a common operand up to which it does so: for each pair it asks whether one is poison
// where the other is, which takes 30 to 100 us behind long chains. build time: 384 sums with one argument, in chains of
// 48 operations, are 74,000 pairs and took 6.4 s, and 0.1 s in all else.
inline constexpr std::uint64_t mostPairsReduced = 4'000;
// Instructions of a kernel up to which all its calls are inlined; of a function that is inlined beyond that; of a
// kernel with the calls that must be inlined. build time.
inline constexpr unsigned inlinedKernel = 50'000;
inline constexpr std::uint64_t mostOfFunction = 1'000, mostInlined = 500'000;

// Instructions of a function up to which LLVM inlines it. chosen: OpenCL programs have no recursion, and few calls of
// large functions; what is larger is inlined by inlinedKernel alone.
inline constexpr int inlineThreshold = 2'000;
// Instructions of a kernel in packets, optimised, up to which full code has all its calls inlined. derived: half of
// `light`, which packets may need in the end.
inline constexpr std::uint64_t mostInlinedInPackets = light / 2;
// Instructions that the source of a kernel may have written out. build time.
inline constexpr std::uint64_t mostWritten = 4'000'000;

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

}  // namespace clarity::compiler::cost
