// SPDX-License-Identifier: Apache-2.0
// This file is what threads of a warp do together: shuffles, votes, matches and reductions. A thread waits until all
// threads of its mask that have not ended are there, wherever in the program, with the same operation and mask.
#include "block.h"
#include "decoding.h"
#include "lanes.h"
#include "results.h"
#include "together.h"

#include <algorithm>

namespace clarity::ptx {
namespace {

constexpr std::size_t maskSource = 3;

Exchange exchangeOf(const Instruction& in) { return reinterpret_cast<Exchange>(in.immediate); }

void together(Warp& warp, const Instruction& in, Lanes lanes) {
  const std::uint32_t* const masks = warp.at<std::uint32_t>(in.from[maskSource]);
  const Lanes first = masks[std::countr_zero(lanes)];
  bool isWhole = (first & warp.alive) == lanes;
  forEachLane(lanes, [&](unsigned lane) {
    if ((masks[lane] >> lane & 1) == 0)
      warp.fault(illegalInstructionFault, "a thread is not in its own mask", Lanes{1} << lane);
    isWhole &= masks[lane] == first;
  });
  if (isWhole) {
    Each each;
    each.fill(&in);
    return exchangeOf(in)(warp, each, lanes);
  }
  constexpr unsigned firstWithPlaces = 70;
  if (warp.launch().capability < firstWithPlaces)
    warp.fault(illegalInstructionFault, "threads of a mask do not execute the instruction together", lanes);
  forEachLane(lanes, [&](unsigned lane) { warp.masks[lane] = masks[lane]; });
  warp.wait(lanes);
  resume(warp);
}

/// The threads that `lane` waits for, if all of them wait for each other; 0 if not.
Lanes readySet(const Warp& warp, unsigned lane) {
  const Lanes set = warp.masks[lane] & warp.alive, waiting = warp.waiting & ~warp.atBarrier;
  if ((set & ~waiting) != 0) return 0;
  const Instruction& in = warp.instructionAt(warp.places[lane]);
  bool isReady = true;
  forEachLane(set, [&](unsigned other) {
    const Instruction& its = warp.instructionAt(warp.places[other]);
    isReady &= warp.masks[other] == warp.masks[lane] && its.run == together && its.immediate == in.immediate &&
               its.target == in.target;
  });
  return isReady ? set : 0;
}

// ---- operations

enum class Shuffle : std::uint8_t { Up, Down, Butterfly, Index };

template <Shuffle How>
void shuffle(Warp& warp, const Each& each, Lanes lanes) {
  std::uint32_t values[warpSize], results[warpSize];
  Lanes valid = 0;
  forEachLane(lanes, [&](unsigned lane) { values[lane] = warp.at<std::uint32_t>(each[lane]->from[0])[lane]; });
  forEachLane(lanes, [&](unsigned lane) {
    const auto b = warp.at<std::uint32_t>(each[lane]->from[1])[lane] & 31,
               c = warp.at<std::uint32_t>(each[lane]->from[2])[lane];
    const std::uint32_t clamp = c & 31, segment = c >> 8 & 31;
    const std::uint32_t highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
    std::int32_t from = 0;
    bool isValid = false;
    switch (How) {
      case Shuffle::Up:
        from = static_cast<std::int32_t>(lane - b);
        isValid = from >= static_cast<std::int32_t>(highest);
        break;
      case Shuffle::Down:
        from = static_cast<std::int32_t>(lane + b);
        isValid = from <= static_cast<std::int32_t>(highest);
        break;
      case Shuffle::Butterfly:
        from = static_cast<std::int32_t>(lane ^ b);
        isValid = from <= static_cast<std::int32_t>(highest);
        break;
      case Shuffle::Index:
        from = static_cast<std::int32_t>(lowest | (b & ~segment));
        isValid = from <= static_cast<std::int32_t>(highest);
        break;
    }
    if (!isValid) from = static_cast<std::int32_t>(lane);
    // The value of a thread that is not there is not said: something that no program expects.
    results[lane] = lanes >> from & 1 ? values[from] : 0xdeadbeef;
    valid |= Lanes{isValid} << lane;
  });
  forEachLane(lanes, [&](unsigned lane) {
    warp.at<std::uint32_t>(each[lane]->to[0])[lane] = results[lane];
    if (each[lane]->to[1] != noSlot) warp.setPredicate(each[lane]->to[1], Lanes{1} << lane, valid);
  });
}

enum class Vote : std::uint8_t { All, Any, Uniform, Ballot };

template <Vote How>
void vote(Warp& warp, const Each& each, Lanes lanes) {
  Lanes holds = 0;
  forEachLane(lanes, [&](unsigned lane) {
    const Lanes predicate = warp.predicate(each[lane]->from[0]) ^ (each[lane]->isNarrow ? allLanes : 0);
    holds |= predicate & (Lanes{1} << lane);
  });
  const bool result = How == Vote::All ? holds == lanes : How == Vote::Any ? holds != 0 : holds == lanes || holds == 0;
  forEachLane(lanes, [&](unsigned lane) {
    if (How == Vote::Ballot)
      warp.at<std::uint32_t>(each[lane]->to[0])[lane] = holds;
    else
      warp.setPredicate(each[lane]->to[0], Lanes{1} << lane, result ? allLanes : 0);
  });
}

template <class T, bool All>
void match(Warp& warp, const Each& each, Lanes lanes) {
  std::array<T, warpSize> values{};
  forEachLane(lanes, [&](unsigned lane) { values[lane] = warp.at<T>(each[lane]->from[0])[lane]; });
  forEachLane(lanes, [&](unsigned lane) {
    Lanes same = 0;
    forEachLane(lanes, [&](unsigned other) { same |= Lanes{values[other] == values[lane]} << other; });
    const bool all = same == lanes;
    warp.at<std::uint32_t>(each[lane]->to[0])[lane] = All && !all ? 0 : same;
    if (All && each[lane]->to[1] != noSlot) warp.setPredicate(each[lane]->to[1], Lanes{1} << lane, all ? allLanes : 0);
  });
}

template <class T, T (*Combine)(T, T)>
void reduce(Warp& warp, const Each& each, Lanes lanes) {
  const auto of = [&](unsigned lane) { return warp.at<T>(each[lane]->from[0])[lane]; };
  T result = of(static_cast<unsigned>(std::countr_zero(lanes)));
  forEachLane(lanes & (lanes - 1), [&](unsigned lane) { result = Combine(result, of(lane)); });
  forEachLane(lanes, [&](unsigned lane) { warp.at<T>(each[lane]->to[0])[lane] = result; });
}

using Word = std::uint32_t;
Word sumOfWords(Word a, Word b) { return a + b; }
Word allOfBits(Word a, Word b) { return a & b; }
Word anyOfBits(Word a, Word b) { return a | b; }
Word oddOfBits(Word a, Word b) { return a ^ b; }
template <class T>
T leastOf(T a, T b) {
  return std::min(a, b);
}
template <class T>
T mostOf(T a, T b) {
  return std::max(a, b);
}

void meet(Warp&, const Each&, Lanes) {}

void electOne(Warp& warp, const Each& each, Lanes lanes) {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  forEachLane(lanes, [&](unsigned lane) {
    if (each[lane]->to[0] != noSlot) warp.at<Word>(each[lane]->to[0])[lane] = first;
    warp.setPredicate(each[lane]->to[1], Lanes{1} << lane, lane == first ? allLanes : 0);
  });
}

// ---- decoders

void useExchange(Decoding& decoding, Exchange exchange, std::size_t mask) {
  useTogether(decoding, exchange, decoding.source(mask, b32));
}

/// to[0], and to[1] where both are asked for.
void takeDestinations(Decoding& decoding, unsigned bits) {
  const Operand& to = decoding.operand(0);
  const bool hasTwo = to.form == Operand::Form::Pair;
  decoding.in.to[0] = decoding.destination(hasTwo ? to.parts[0] : to, bits);
  if (hasTwo && to.parts[1].form != Operand::Form::Sink) decoding.in.to[1] = decoding.destination(to.parts[1], 1);
}

void shfl(Decoding& decoding) {
  if (!decoding.take("sync")) decoding.fail("without .sync it is not known");
  const std::string_view how = decoding.takeAny({"up", "down", "bfly", "idx"});
  (void)decoding.type();
  takeDestinations(decoding, 32);
  for (std::size_t i = 0; i < 3; ++i) decoding.in.from[i] = decoding.source(i + 1, b32);
  useExchange(decoding,
              how == "up"     ? shuffle<Shuffle::Up>
              : how == "down" ? shuffle<Shuffle::Down>
              : how == "bfly" ? shuffle<Shuffle::Butterfly>
                              : shuffle<Shuffle::Index>,
              4);
}

void voteOf(Decoding& decoding) {
  if (!decoding.take("sync")) decoding.fail("without .sync it is not known");
  const std::string_view how = decoding.takeAny({"all", "any", "uni", "ballot"});
  (void)decoding.type();
  decoding.in.to[0] = decoding.destination(0, how == "ballot" ? 32 : 1);
  decoding.in.from[0] = decoding.source(1, predicate);
  decoding.in.isNarrow = decoding.operand(1).isNegated;
  useExchange(decoding,
              how == "all"   ? vote<Vote::All>
              : how == "any" ? vote<Vote::Any>
              : how == "uni" ? vote<Vote::Uniform>
                             : vote<Vote::Ballot>,
              2);
}

void matchOf(Decoding& decoding) {
  const bool all = decoding.take("all");
  if ((!all && !decoding.take("any")) || !decoding.take("sync")) decoding.fail("its form is not known");
  const Type type = decoding.type();
  takeDestinations(decoding, 32);
  decoding.in.from[0] = decoding.source(1, type);
  useExchange(decoding,
              type.bits == 64 ? (all ? match<std::uint64_t, true> : match<std::uint64_t, false>)
                              : (all ? match<std::uint32_t, true> : match<std::uint32_t, false>),
              2);
}

void redux(Decoding& decoding) {
  if (!decoding.take("sync")) decoding.fail("without .sync it is not known");
  const std::string_view how = decoding.takeAny({"add", "min", "max", "and", "or", "xor"});
  const Type type = decoding.type();
  const bool isSigned = type.kind == Kind::Signed;
  if (type.isFloat()) decoding.fail("of floats it is not known");
  decoding.in.to[0] = decoding.destination(0, 32);
  decoding.in.from[0] = decoding.source(1, b32);
  useExchange(decoding,
              how == "add"   ? reduce<Word, sumOfWords>
              : how == "and" ? reduce<Word, allOfBits>
              : how == "or"  ? reduce<Word, anyOfBits>
              : how == "xor" ? reduce<Word, oddOfBits>
              : how == "min" ? (isSigned ? reduce<std::int32_t, leastOf> : reduce<Word, leastOf>)
                             : (isSigned ? reduce<std::int32_t, mostOf> : reduce<Word, mostOf>),
              2);
}

void elect(Decoding& decoding) {
  if (!decoding.take("sync")) decoding.fail("without .sync it is not known");
  const Operand& to = decoding.operand(0);
  if (to.form != Operand::Form::Pair) decoding.fail("it has two results");
  if (to.parts[0].form != Operand::Form::Sink) decoding.in.to[0] = decoding.destination(to.parts[0], 32);
  decoding.in.to[1] = decoding.destination(to.parts[1], 1);
  useExchange(decoding, electOne, 1);
}

void activeMask(Warp& warp, const Instruction& in, Lanes lanes) {
  if (warp.putOff(lanes)) return;
  forEachLane(lanes, [&](unsigned lane) { warp.at<std::uint32_t>(in.to[0])[lane] = lanes; });
}

}  // namespace

void useTogether(Decoding& decoding, Exchange exchange, std::int32_t mask) {
  decoding.in.immediate = reinterpret_cast<std::intptr_t>(exchange);
  decoding.in.from[maskSource] = mask;
  decoding.in.run = together;
}

void resume(Warp& warp) {
  for (Lanes left = warp.waiting & ~warp.atBarrier; left;) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const Lanes set = readySet(warp, lane);
    left &= ~(set | Lanes{1} << lane);
    if (!set) continue;
    Each each{};
    forEachLane(set, [&](unsigned other) { each[other] = &warp.instructionAt(warp.places[other]); });
    exchangeOf (*each[lane])(warp, each, set);
    warp.release(set);
  }
}

void warpBarrier(Decoding& decoding) {
  if (!decoding.take("sync")) decoding.fail("its form is not known");
  useExchange(decoding, meet, 0);
}

void addCollectives(Opcodes& opcodes) {
  opcodes["shfl"] = shfl;
  opcodes["vote"] = voteOf;
  opcodes["match"] = matchOf;
  opcodes["redux"] = redux;
  opcodes["elect"] = elect;
  opcodes["activemask"] = [](Decoding& decoding) {
    (void)decoding.type();
    decoding.in.to[0] = decoding.destination(0, 32);
    decoding.in.run = activeMask;
  };
}

}  // namespace clarity::ptx
