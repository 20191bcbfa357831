// SPDX-License-Identifier: Apache-2.0
// This file holds costs of several work-items in a thread of a GPU (cost_model.h says where numbers come from).
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::compiler::cost {

// --- several work-items a thread of a GPU (nvptx/) -------------------------------------------------------------------

namespace coarsen {

// Work-items of a thread at most. derived: each keeps a register or two, of 64 to 128.
inline constexpr std::uint32_t mostOfThread = 32;
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
// Registers that the work-items of a thread may keep while they wait at a barrier. chosen: half of 64 is for addresses
// and what is computed between barriers.
inline constexpr unsigned mostAtBarriers = 40;
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
// Work-items that a thread could have, from which on it loads vectors. derived: four times four.
inline constexpr std::uint32_t leastForVectors = elementsOfVector * 4;
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
// Work-items that a thread could have where a launch has few, and how many times as many as it has: loops that load
// are unrolled then. measured on an H100: a dot product of 2^18 work-items, of which each thread has four, loads
// 2757 GB/s as written and 2930 with four iterations together. derived: half of the threads that a multiprocessor
// holds; on an H200 a stencil along z with as many as it holds takes 47 us, 67 with four iterations together.
inline constexpr std::uint32_t fewCells = 4, fewLeft = 2;
// Work-items of a thread that count together, and threads of a block that counts in shared memory. chosen.
inline constexpr std::uint32_t cellsOfCounting = 4, threadsOfCounting = 256;
// Threads of a block whose work-items may be of any work-groups, and of one where a launch has few. chosen: a
// multiprocessor holds 2048 threads, and a block's registers are given back together.
inline constexpr std::uint32_t threadsOfBlock = 256, threadsOfFew = 128;
// Registers of a thread that executes work-items of several work-groups, and of one with more work-items than a product
// has. derived: those of 1024 and of 512 threads of a multiprocessor.
inline constexpr std::uint32_t registersOfThread = 64, registersOfLarge = 128;
// Expected cycles of several work-items of a thread, by those of one alone, at most. measured on an H200: with .81 to
// .85 (Hamming distances, convolutions, dilation) kernels took .3 to .96 of the time, with .92 and .93 (two products of
// a row with a vector, a projection with branches) 3.3 and 2.4 times as long.
inline constexpr double mostOfAlone = 0.88;
// Work-groups of fewer work-items than this part of the threads of their warps do not get blocks of their own, if the
// kernel cannot observe them. chosen.
inline constexpr double leastOfLanes = 0.75;
// Instructions of a kernel times its cells. build time.
inline constexpr std::size_t mostInstructions = 20'000;

}  // namespace coarsen

// Instructions of a kernel with all its calls inlined. build time: as many as LLVM and the driver's compiler take a
// second or two for.
inline constexpr std::uint64_t mostInlinedOnGpu = 20'000;
// Loops of few iterations on a GPU: iterations, and instructions of each when unrolled. chosen: LLVM takes 300; 600 are
// a twelfth of a multiprocessor's instruction cache.
inline constexpr unsigned mostShortIterationsOnGpu = 64, mostShortInstructionsOnGpu = 600;
// Iterations of a loop that run together so that their loads overlap, and instructions of such a loop. derived: four
// floats are a vector load. chosen: four times as many instructions fit the instruction cache several times.
inline constexpr unsigned iterationsTogetherOnGpu = 4;
inline constexpr std::size_t mostTogetherInstructionsOnGpu = 240;
// Loads of a loop that one thread alone executes which run together, as nothing else hides their latency, and
// instructions of these iterations. derived: 32 additions that wait for each other take less than a load's latency.
// chosen: the instructions are a part of the instruction cache.
inline constexpr std::size_t loadsOfOneThread = 32, instructionsOfOneThread = 512;
// Bytes that an iteration loads of a loop whose iterations run together although a launch has many threads. derived:
// two registers, and six more with three more iterations; a load of a word for each thread that a multiprocessor holds
// is less than half of what is under way at the memory's full rate.
inline constexpr std::uint64_t mostBytesOfLightLoop = 8;
// Constants of double in constant memory. derived: half of the memory that there is.
inline constexpr std::size_t mostDoubleConstants = 4'096;
// Bytes of a private array up to which ptxas keeps it in registers, and of one that it leaves in memory. measured with
// ptxas 13.0.
inline constexpr std::uint64_t mostArrayInRegisters = 144, leastArrayInMemory = 160;
// Loops over private arrays on a GPU, all together: an array that stays is memory for every access, and registers are
// many. build time.
inline constexpr unsigned mostPrivateInstructionsOnGpu = 16'000;

}  // namespace clarity::compiler::cost
