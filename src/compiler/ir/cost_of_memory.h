// SPDX-License-Identifier: Apache-2.0
// This file holds costs of memory: the order of accesses, prefetches, variables (cost_model.h says where numbers come
// from).
#pragma once

#include "compiler/ir/cost_of_packets.h"

#include <cstddef>
#include <cstdint>

namespace clarity::compiler::cost {

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

// --- non-temporal stores (packets/non_temporal_stores.cpp) -----------------------------------------------------------

// Bytes between two stores to one object, up to which what one has written is still in a cache when the other writes
// there. derived: half of a first-level cache.
inline constexpr std::int64_t mostBytesUntilWritten = 16 << 10;

// --- strips of long loops, and panels of what they read (passes strip-mine, copy-panels) ----------------------------

namespace strip {

// Work-items along x and y that run a strip together. derived: a panel is copied once for so many rows or columns.
inline constexpr std::uint64_t boxSide = 512;
// Bytes of the panel that a strip reads for a box. derived: half of a second-level cache of 1 MiB.
inline constexpr std::uint64_t panelBytes = std::uint64_t{512} << 10;
// Panels of a kernel. derived: two fill that cache.
inline constexpr unsigned mostPanels = 2;
// Values that a work-item carries from strip to strip. chosen: each is stored and loaded once a strip.
inline constexpr unsigned mostCarried = 8;
// The step of a counter. chosen: larger ones might wrap within a strip.
inline constexpr std::uint64_t mostStep = 1024;
// Operations of an address that are computed again where its panel is copied. build time.
inline constexpr unsigned mostDepth = 12;

}  // namespace strip

// --- small private arrays in registers (passes/select_elements.cpp) --------------------------------------------------

namespace select {

// Elements of an array, and of all its accesses together that select among them; arrays of a kernel. build time.
inline constexpr unsigned mostElements = 12, mostSelections = 512, mostArrays = 32;
// Instructions for each element but the first that an access may mean. derived: a comparison and a selection.
inline constexpr double instructions = 2;

/// Instructions that take as long as an access of memory, if work-items that are executed together access the same
/// element of their arrays, all of them or some; if each accesses an element of its own; and if the element is known,
/// which is a register where the array is not in memory.
struct Memory {
  double common, masked, own, known;
};
// Packets. measured on an Emerald Rapids: an index in common selects among two elements in 0.7 of the time of memory,
// among three in 1.7; under a mask, where loads wait for the stores before them, among two in 0.4, three 0.93, four
// 1.2; own indices among two in 0.19, four 0.4, six 0.67, eight 0.94 to 1.3.
inline constexpr Memory ofPackets{.common = 3, .masked = 5, .own = 12, .known = 0};
// Threads. measured on an H200: an index in common selects among four elements in 0.87 of the time of local memory,
// among six in 1.04; a loop that some threads leave earlier among three in 0.47, four 0.43; own indices among two in
// 0.4, four 0.53, six 0.32, eight 0.7.
inline constexpr Memory ofThreads{.common = 7, .masked = 24, .own = 24, .known = 7};

}  // namespace select

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

// --- variables in global memory (passes/place_global_variables.cpp) --------------------------------------------------

// Bytes of constants whose values are part of every kernel's code. chosen: code size.
inline constexpr std::uint64_t mostKnownBytes = 4096;
// Zeros between two chunks of an initial value. chosen: a chunk has an offset and a size.
inline constexpr std::uint64_t leastGap = 64;

}  // namespace clarity::compiler::cost
