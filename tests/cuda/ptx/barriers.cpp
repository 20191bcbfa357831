// SPDX-License-Identifier: Apache-2.0
// This file is barriers of a block.
#include "block.h"
#include "decoding.h"
#include "lanes.h"
#include "results.h"

namespace clarity::ptx {
namespace {

enum class Answer : std::uint8_t { Nothing, Count, And, Or };

std::uint32_t valueOf(Warp& warp, std::int32_t slot, Lanes lanes) {
  return warp.at<std::uint32_t>(slot)[std::countr_zero(lanes)];
}

void arriveAt(Warp& warp, const Instruction& in, Lanes lanes) {
  constexpr unsigned barriers = 16;
  // ".aligned": all threads of a warp come together that have not ended.
  if (in.isNarrow && lanes != warp.alive) warp.endOthers();
  if (in.isNarrow && lanes != warp.alive) {
    if (warp.putOff(lanes)) return;
    warp.fault(illegalInstructionFault,
               "an aligned barrier is executed by " + std::to_string(std::popcount(lanes)) + " of the warp's " +
                   std::to_string(std::popcount(warp.alive)) + " threads",
               lanes);
  }
  const std::uint32_t number = valueOf(warp, in.from[0], lanes);
  const std::uint32_t threads = in.from[1] == noSlot ? 0 : valueOf(warp, in.from[1], lanes);
  if (number >= barriers) warp.fault(illegalInstructionFault, "there is no barrier " + std::to_string(number), lanes);
  if (threads % warpSize != 0)
    warp.fault(illegalInstructionFault, "a barrier of " + std::to_string(threads) + " threads is none of warps", lanes);
  if (in.from[2] != noSlot) {
    const Lanes holds = warp.predicate(in.from[2]);
    warp.answers = (warp.answers & ~lanes) | (holds & lanes);
  }
  warp.wait(lanes);
  warp.block().arrive(warp, lanes, number, threads);
}

/// Operands: [result,] barrier [, threads] [, predicate].
void barrier(Decoding& decoding) {
  if (decoding.take("warp")) return warpBarrier(decoding);
  (void)decoding.take("cta");
  const bool isBar = decoding.statement.opcode == "bar", isAligned = decoding.take("aligned") || isBar;
  const bool reduces = decoding.take("red");
  if (!reduces && !decoding.take("sync")) decoding.fail("its form is not known");
  const std::string_view how = decoding.takeAny({"popc", "and", "or"});
  (void)decoding.takeAny({"u32", "pred"});
  decoding.in.isNarrow = isAligned;
  decoding.in.target = static_cast<std::uint32_t>(!reduces        ? Answer::Nothing
                                                  : how == "popc" ? Answer::Count
                                                  : how == "and"  ? Answer::And
                                                                  : Answer::Or);
  std::size_t at = 0;
  if (reduces) decoding.in.to[0] = decoding.destination(at++, how == "popc" ? 32 : 1);
  decoding.in.from[0] = decoding.source(at++, b32);
  const std::size_t rest = decoding.operands() - at - (reduces ? 1 : 0);
  if (rest == 1) decoding.in.from[1] = decoding.source(at++, b32);
  if (reduces) {
    decoding.in.from[2] = decoding.source(at, predicate);
    if (decoding.operand(at).isNegated) decoding.fail("a negated predicate is not known here");
  }
  decoding.in.run = arriveAt;
}

}  // namespace

void answerAtBarrier(Warp& warp, const Instruction& in, unsigned lane, unsigned holds, unsigned threads) {
  const Lanes self = Lanes{1} << lane;
  switch (static_cast<Answer>(in.target)) {
    case Answer::Nothing: break;
    case Answer::Count: warp.at<std::uint32_t>(in.to[0])[lane] = holds; break;
    case Answer::And: warp.setPredicate(in.to[0], self, holds == threads ? allLanes : 0); break;
    case Answer::Or: warp.setPredicate(in.to[0], self, holds != 0 ? allLanes : 0); break;
  }
  warp.answers &= ~self;
}

void addBarriers(Opcodes& opcodes) { opcodes["bar"] = opcodes["barrier"] = barrier; }

}  // namespace clarity::ptx
