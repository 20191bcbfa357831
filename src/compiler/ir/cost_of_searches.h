// SPDX-License-Identifier: Apache-2.0
// This file holds how far analyses and passes look: each bounds the time of one query, and what is beyond counts as not
// known (cost_model.h says where numbers come from; all of these are build time where nothing else is said).
#pragma once

#include <cstddef>
#include <cstdint>

namespace clarity::compiler::cost::search {

// --- addresses and affine functions ----------------------------------------------------------------------------------

// Loops around each other whose iterations an affine function depends on; operands of operands that are looked through
// for it, for the terms of an address, and for a base with a constant offset.
inline constexpr unsigned affineLoops = 3, affineDepth = 8, addressDepth = 12, offsetDepth = 6;
// Terms of a sum of products, and values of a product. derived: an index in three dimensions has as many.
inline constexpr std::size_t polynomialTerms = 8, polynomialDegree = 3;
// Special unknowns that an affine function of a launch is looked through for.
inline constexpr unsigned substitutions = 5;
// Values behind an address that are looked at: for 32 bits of it, and for extensions of ids.
inline constexpr unsigned addressValues = 64, extensionValues = 64;
// Values that an index in memory is computed from, as a launch computes all of them, and steps between two of them.
inline constexpr std::size_t indexValues = 4'000;
inline constexpr unsigned indexDepth = 200;
// Ways in which an address may have been made, and steps that are followed.
inline constexpr std::size_t placesOfAddress = 8;
inline constexpr unsigned placesDepth = 64;
// Operands of operands of two addresses that are compared, for stores behind a branch and for loads of components.
inline constexpr unsigned storedAddressDepth = 8, loadedAddressDepth = 6;
// Additions between an image's texel and the address of its image (nvptx/known_images.cpp).
inline constexpr unsigned texelSteps = 16;

// --- ranges, and proofs that values do not wrap ----------------------------------------------------------------------

// Operands of operands that a range is derived from, and what is followed for one of floats.
inline constexpr unsigned rangeDepth = 8, floatRangeSteps = 12;
// Values and users of values that one proof looks at, and terms of a difference in it.
inline constexpr unsigned proofValues = 16, proofUsers = 32, proofTerms = 6;
// Terms of a sum that must be exact, the depth of its expression, and instructions of a term.
inline constexpr unsigned sumTerms = 8, sumDepth = 8, sumInstructions = 32;
// Operands of operands of a bounds check that are followed; conditions of a condition of a guard.
inline constexpr unsigned boundsDepth = 8, guardDepth = 4;

// --- control flow ----------------------------------------------------------------------------------------------------

// Blocks that are visited to find out exactly where work-items meet: thousands of divergent branches in a large kernel
// would take minutes; and users of a value on the way.
inline constexpr std::uint64_t meetingBlocks = 2'000'000;
inline constexpr unsigned meetingUsers = 64;
// Blocks that are visited to find out whether threads may come apart; and whether a branch decides how often a loop
// runs.
inline constexpr std::size_t apartBlocks = std::size_t{1} << 20, decidingBlocks = 64;
// Conditions of a loop's exit (pipeline/estimate_work.cpp).
inline constexpr std::size_t exitConditions = 16;
// Operands of operands that a loop's bounds are looked through for: when it is interchanged, when a counter is copied,
// when memory is kept in a register.
inline constexpr unsigned interchangeDepth = 8, counterDepth = 12, invariantDepth = 8;
// Operands of operands of an address whose growth in a loop is sought (nvptx/loop_steps.cpp).
inline constexpr unsigned growthDepth = 12;
// Operations that compute what a loop counts, by LLVM's costs. chosen: those of one iteration.
inline constexpr unsigned repeatedOperations = 4;
// Loops whose memory is kept in registers: analyses are made anew for each.
inline constexpr unsigned promotedLoops = 32;
// Iterations of loops whose counters decide trip counts.
inline constexpr unsigned followedIterations = 256;

// --- exchanges between lanes without a barrier (analysis/lane_exchange.cpp) ------------------------------------------

// Accesses, blocks times accesses, pairs of accesses; iterations and comparisons of a pair.
inline constexpr std::size_t exchangeAccesses = 400, exchangeBlocksTimesAccesses = 400'000, exchangePairs = 4'000,
                             exchangeIterations = 128, exchangeComparisons = 20'000;
// Iterations of a loop that both accesses are in, or that one is in. derived: a distance that is halved from 2,048 on
// has twelve.
inline constexpr unsigned exchangeInner = 12, exchangeOuter = 3;
// Accesses of exchanges in loops that barriers at their ends may separate (pipeline/keep_in_step.cpp).
inline constexpr std::size_t exchangeInLoops = 24;
// Instructions between an id and a value that is computed for each lane: to find exchanges, and to spread work-items
// over a warp.
inline constexpr unsigned laneDepth = 200, warpLaneDepth = 48;

// --- groups of instructions ------------------------------------------------------------------------------------------

// Accesses that another one is compared with: of a group, of a block whose accesses get one type, and loads of vectors.
inline constexpr std::size_t groupAccesses = 64, blockAccesses = 128, vectorLoads = 64;
// Instructions between a load and the store of the same vector; insertions and shuffles that a component is followed
// through.
inline constexpr unsigned betweenComponents = 64, componentSteps = 64;
// Values of a web of phis (passes/separate_progress.cpp). derived: programs write them by hand.
inline constexpr unsigned webMembers = 16;
// Moves of a normalised integer between a read and a write (transforms/normalised_integers.cpp).
inline constexpr unsigned normalisedMoves = 64;
// Addends of a sum of products of bytes (nvptx/dot_products.cpp).
inline constexpr std::size_t dotAddends = 64;

}  // namespace clarity::compiler::cost::search
