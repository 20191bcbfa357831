// SPDX-License-Identifier: Apache-2.0
// This file names CUDA's results that a launch ends with, and what the parts of the executor do for each other.
#pragma once

#include "warp.h"

namespace clarity::ptx {

inline constexpr int illegalAddressFault = 700, launchTimeoutFault = 702, misalignedAddressFault = 716,
                     illegalInstructionFault = 715, launchFailedFault = 719;

/// The beginning of a block of instructions that several lead to.
void joinBlocks(Warp&, const Instruction&, Lanes);
void endThreads(Warp&, const Instruction&, Lanes);
/// The copies of cp.async of these threads, but for the last `pending` groups of each, happen.
void finishCopies(Warp&, Lanes, unsigned pending, bool withUncommitted);
/// Threads that wait for others of their warp go on where these are all there, or have ended.
void resume(Warp&);
/// A thread learns what came of a barrier: of how many threads, how many had the predicate.
void answerAtBarrier(Warp&, const Instruction&, unsigned lane, unsigned holds, unsigned threads);

}  // namespace clarity::ptx
