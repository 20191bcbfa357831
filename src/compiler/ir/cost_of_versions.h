// SPDX-License-Identifier: Apache-2.0
// This file holds costs of values across barriers and limits of copies: unrolled loops and versions (cost_model.h says
// where numbers come from).
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::compiler::cost {

// --- values across barriers (passes/save_live_values.cpp) ------------------------------------------------------------

// Instructions that are rematerialised instead of spilling one value: varying and uniform ones of a varying value,
// uniform ones of a uniform value. chosen: a spill is a store, loads and their addresses.
inline constexpr unsigned mostVaryingOfVarying = 8, mostUniformOfVarying = 24, mostUniformOfUniform = 4;
// The same of a varying value with known strides. derived: indices that programs write out for tiles take up to twenty.
// Packets compute them once, and accesses stay consecutive.
inline constexpr unsigned mostVaryingOfAffine = 24, mostUniformOfAffine = 32;

// --- unrolling (passes/unroll_*.cpp) ---------------------------------------------------------------------------------

// Loops with barriers. derived: a tree over the largest work-group has 13 iterations. build time: each iteration has
// its own regions.
inline constexpr unsigned mostBarrierIterations = 16, mostBarrierInstructions = 1200;
// Loops over private arrays, whose elements become registers: iterations of each, instructions of all together when
// unrolled, elements of an array. derived: 8 x 8 register tiles. build time.
inline constexpr unsigned mostPrivateIterations = 64, mostPrivateInstructions = 5000;
inline constexpr std::uint64_t mostPrivateElements = 64;
// Times as many instructions, with counters, addresses and accesses of arrays, which are gone where loops are unrolled.
// counted: a comparison and an exchange of two elements are 17, of which four stay.
inline constexpr std::uint64_t privateInstructionsGone = 4;
// Elements of all arrays, times the exits of unrolled loops that no counter decides: in packets, work-items that leave
// at different places choose among as many values of each element. measured: sorts of 16 floats (4,080) take 0.54 to
// 0.8 of the time when unrolled, of 20 floats (7,980) 0.75 to 1.07, of 24 floats (13,800), or of 16 floats with two
// integers each (12,240), twice, as they are too large for packets.
inline constexpr std::uint64_t mostPrivateChoices = 6000;
// Iterations of a loop whose trip count is known only when loops around it are unrolled. chosen: what is left of a
// window of 25 elements when a median is sought.
inline constexpr unsigned unknownPrivateIterations = 8;
// Instructions at the beginning of a block that are repeated for each way to it, so that the index of a private array
// is a constant in each. chosen: an element, and what is stored there. build time.
inline constexpr unsigned mostDuplicatedInstructions = 8;
// Operands of operands of an index of a private array that are followed. build time.
inline constexpr unsigned mostPrivateIndexDepth = 8;
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
inline constexpr std::int64_t leastUnit = 8, mostUnit = 32;
// Work-items of the interior from which on a row is split: with accesses that would be gathers, and with masked
// accesses only. measured on Zen 5 with AVX-512: a row in three parts is visited three times; masks for the packets of
// a row of 160 cost a third less than that.
inline constexpr std::int64_t leastItems = 32, leastLightItems = 256;
// Cache lines of the interior from which on that is so where the ends are known: each part is straight code. measured
// on Sapphire Rapids: scans and stencils of rows of 96 to 256 floats and bytes.
inline constexpr std::int64_t leastKnownLines = 4;
// The latter without mask registers, where a mask is computed in vectors, tested and branched on. measured on Zen 3: a
// scan of 256 takes 0.4 times as long; a stencil of 160 would take twice as long.
inline constexpr std::int64_t leastUnmaskedItems = 192;
// Rows whose parts run one after the other. chosen: they stay in the caches meanwhile.
inline constexpr std::uint64_t bandRows = 16;
// Constants up to this are compared with the lower end of a row. chosen: radii of filters are smaller.
inline constexpr std::uint64_t mostBoundary = 16;

}  // namespace interior

}  // namespace clarity::compiler::cost
