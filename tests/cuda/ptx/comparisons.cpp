// SPDX-License-Identifier: Apache-2.0
// This file is comparisons and what chooses by them.
#include "decoding.h"
#include "lanes.h"
#include "numbers.h"

namespace clarity::ptx {
namespace {

enum class Compare : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };

const std::map<std::string_view, Compare>& comparisons = *new std::map<std::string_view, Compare>{
    {"eq", Compare::Eq},   {"ne", Compare::Ne},   {"lt", Compare::Lt},   {"le", Compare::Le},   {"gt", Compare::Gt},
    {"ge", Compare::Ge},   {"lo", Compare::Lt},   {"ls", Compare::Le},   {"hi", Compare::Gt},   {"hs", Compare::Ge},
    {"equ", Compare::Equ}, {"neu", Compare::Neu}, {"ltu", Compare::Ltu}, {"leu", Compare::Leu}, {"gtu", Compare::Gtu},
    {"geu", Compare::Geu}, {"num", Compare::Num}, {"nan", Compare::Nan}};

/// Ordered comparisons do not hold with a NaN, those with a u do.
template <Compare How, class T>
bool compares(T a, T b) {
  const bool isNan = a != a || b != b;
  switch (How) {
    case Compare::Eq: return a == b;
    case Compare::Ne: return !isNan && a != b;
    case Compare::Lt: return a < b;
    case Compare::Le: return a <= b;
    case Compare::Gt: return a > b;
    case Compare::Ge: return a >= b;
    case Compare::Equ: return isNan || a == b;
    case Compare::Neu: return a != b;
    case Compare::Ltu: return !(a >= b);
    case Compare::Leu: return !(a > b);
    case Compare::Gtu: return !(a <= b);
    case Compare::Geu: return !(a < b);
    case Compare::Num: return !isNan;
    case Compare::Nan: return isNan;
  }
}
template <Compare How>
bool comparesFlushed(float a, float b) {
  return compares<How, float>(flushed(a), flushed(b));
}
template <Compare How>
bool comparesHalf(std::uint16_t a, std::uint16_t b) {
  return compares<How, double>(ofHalf(a), ofHalf(b));
}
template <Compare How>
bool comparesBFloat(std::uint16_t a, std::uint16_t b) {
  return compares<How, double>(ofBFloat(a), ofBFloat(b));
}

using Holds = Lanes (*)(Warp&, const Instruction&, Lanes);

template <Compare How>
Holds holdsOf(Type type, bool ftz) {
  if (type.kind == Kind::BFloat) return holdsFor<&comparesBFloat<How>>;
  if (type.kind == Kind::Float)
    return type.bits == 64   ? holdsFor<&compares<How, double>>
           : type.bits == 16 ? holdsFor<&comparesHalf<How>>
           : ftz             ? holdsFor<&comparesFlushed<How>>
                             : holdsFor<&compares<How, float>>;
  if constexpr (How <= Compare::Ge) {
    const bool isSigned = type.kind == Kind::Signed;
    switch (type.bits) {
      case 16: return isSigned ? holdsFor<&compares<How, std::int16_t>> : holdsFor<&compares<How, std::uint16_t>>;
      case 32: return isSigned ? holdsFor<&compares<How, std::int32_t>> : holdsFor<&compares<How, std::uint32_t>>;
      default: return isSigned ? holdsFor<&compares<How, std::int64_t>> : holdsFor<&compares<How, std::uint64_t>>;
    }
  }
  return nullptr;
}

template <Compare... How>
Holds holdsOf(Compare how, Type type, bool ftz, std::integer_sequence<Compare, How...>) {
  Holds result = nullptr;
  ((how == How ? void(result = holdsOf<How>(type, ftz)) : void()), ...);
  return result;
}

using All = std::integer_sequence<Compare, Compare::Eq, Compare::Ne, Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge,
                                  Compare::Equ, Compare::Neu, Compare::Ltu, Compare::Leu, Compare::Gtu, Compare::Geu,
                                  Compare::Num, Compare::Nan>;

/// The one of the statement's modifiers, and the type that is compared.
std::pair<Compare, Type> comparison(Decoding& decoding) {
  for (const auto& [name, how] : comparisons)
    if (decoding.take(name)) return {how, decoding.type()};
  decoding.fail("its comparison is not known");
}

std::intptr_t singleFunction(Decoding& decoding, Compare how, Type type, bool ftz) {
  const Holds holds = holdsOf(how, type, ftz, All());
  if (!holds) decoding.fail("it is not one of this type");
  return reinterpret_cast<std::intptr_t>(holds);
}

enum class Join : std::uint8_t { Nothing, And, Or, Xor };

Lanes joined(Warp& warp, const Instruction& in, Lanes holds) {
  const Lanes other = in.from[2] == noSlot ? 0 : warp.predicate(in.from[2]) ^ (in.from[3] == noSlot ? 0 : allLanes);
  switch (static_cast<Join>(in.target)) {
    case Join::And: return holds & other;
    case Join::Or: return holds | other;
    case Join::Xor: return holds ^ other;
    default: return holds;
  }
}

Holds heldIn(const Instruction& in) { return reinterpret_cast<Holds>(in.immediate); }

void setPredicates(Warp& warp, const Instruction& in, Lanes lanes) {
  const Lanes holds = heldIn(in)(warp, in, lanes);
  const Lanes first = joined(warp, in, holds), second = joined(warp, in, ~holds);
  warp.setPredicate(in.to[0], lanes, first);
  if (in.to[1] != noSlot) warp.setPredicate(in.to[1], lanes, second);
}

/// The usual one: a single destination, no other predicate.
void setPredicate(Warp& warp, const Instruction& in, Lanes lanes) {
  warp.setPredicate(in.to[0], lanes, heldIn(in)(warp, in, lanes));
}

void setPairs(Warp& warp, const Instruction& in, Lanes lanes) {
  // Halves one after another, through the handler of single ones.
  forEachLane(lanes, [&](unsigned lane) {
    for (unsigned part = 0; part < 2; ++part) {
      const auto of = [&](unsigned source) {
        return static_cast<std::uint16_t>(warp.at<std::uint32_t>(in.from[source])[lane] >> (16 * part));
      };
      const bool holds = reinterpret_cast<bool (*)(std::uint16_t, std::uint16_t)>(in.immediate)(of(0), of(1));
      if (in.to[part] != noSlot) warp.setPredicate(in.to[part], Lanes{1} << lane, holds ? allLanes : 0);
    }
  });
}

template <Compare... How>
std::intptr_t pairFunction(Compare how, bool isBFloat, std::integer_sequence<Compare, How...>) {
  std::intptr_t result = 0;
  ((how == How ? void(result = reinterpret_cast<std::intptr_t>(isBFloat ? &comparesBFloat<How> : &comparesHalf<How>))
               : void()),
   ...);
  return result;
}

void takeJoin(Decoding& decoding) {
  const std::string_view join = decoding.takeAny({"and", "or", "xor"});
  decoding.in.target = static_cast<std::uint32_t>(join.empty()    ? Join::Nothing
                                                  : join == "and" ? Join::And
                                                  : join == "or"  ? Join::Or
                                                                  : Join::Xor);
}

void takeOther(Decoding& decoding) {
  if (decoding.operands() <= 3) return;
  decoding.in.from[2] = decoding.source(3, predicate);
  if (decoding.operand(3).isNegated) decoding.in.from[3] = 0;
}

void setp(Decoding& decoding) {
  const bool ftz = decoding.take("ftz");
  takeJoin(decoding);
  const auto [how, type] = comparison(decoding);
  const bool isPair = type.count == 2;
  decoding.in.immediate =
      isPair ? pairFunction(how, type.kind == Kind::BFloat, All()) : singleFunction(decoding, how, type, ftz);
  const Operand& to = decoding.operand(0);
  const bool hasTwo = to.form == Operand::Form::Pair;
  decoding.in.to[0] = decoding.destination(hasTwo ? to.parts[0] : to, 1);
  if (hasTwo) decoding.in.to[1] = decoding.destination(to.parts[1], 1);
  decoding.in.from[0] = decoding.source(1, type);
  decoding.in.from[1] = decoding.source(2, type);
  takeOther(decoding);
  decoding.in.run = isPair ? setPairs : hasTwo || decoding.in.target ? setPredicates : setPredicate;
}

void setNumbers(Warp& warp, const Instruction& in, Lanes lanes) {
  const Lanes holds = joined(warp, in, heldIn(in)(warp, in, lanes));
  // The value of true: all bits, or 1.0 as a float.
  const std::uint32_t one = in.count == 2 ? 0x3f800000u : ~0u;
  forEachLane(lanes, [&](unsigned lane) { warp.at<std::uint32_t>(in.to[0])[lane] = holds >> lane & 1 ? one : 0; });
}

void set(Decoding& decoding) {
  const bool ftz = decoding.take("ftz");
  takeJoin(decoding);
  const Type to = decoding.type();
  if (to.width() != 32) decoding.fail("it sets 32 bits only here");
  const auto [how, type] = comparison(decoding);
  decoding.in.count = to.isFloat() ? 2 : 1;
  decoding.in.immediate = singleFunction(decoding, how, type, ftz);
  decoding.in.to[0] = decoding.destination(0, 32);
  decoding.in.from[0] = decoding.source(1, type);
  decoding.in.from[1] = decoding.source(2, type);
  takeOther(decoding);
  decoding.in.run = setNumbers;
}

template <class T>
void choose(Warp& warp, const Instruction& in, Lanes lanes) {
  T* const to = warp.at<T>(in.to[0]);
  const T *a = warp.at<T>(in.from[0]), *b = warp.at<T>(in.from[1]);
  const Lanes holds = warp.predicate(in.from[2]);
  if (lanes == allLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned lane = 0; lane < warpSize; ++lane) to[lane] = holds >> lane & 1 ? a[lane] : b[lane];
  } else {
    forEachLane(lanes, [&](unsigned lane) { to[lane] = holds >> lane & 1 ? a[lane] : b[lane]; });
  }
}

template <class T>
T chooseBySign(T a, T b, std::int32_t c) {
  return c >= 0 ? a : b;
}
template <class T, bool Ftz>
T chooseByFloat(T a, T b, float c) {
  return flushedIf<Ftz>(c) >= 0 ? a : b;
}

void slct(Decoding& decoding) {
  const bool ftz = decoding.take("ftz");
  const Type type = decoding.type(), of = decoding.type();
  const bool isWide = type.bits == 64;
  if (type.bits < 32) decoding.fail("with 16 bits it is not known");
  if (!of.isFloat())
    decoding.in.run = isWide ? each<&chooseBySign<std::uint64_t>> : each<&chooseBySign<std::uint32_t>>;
  else if (ftz)
    decoding.in.run = isWide ? each<&chooseByFloat<std::uint64_t, true>> : each<&chooseByFloat<std::uint32_t, true>>;
  else
    decoding.in.run = isWide ? each<&chooseByFloat<std::uint64_t, false>> : each<&chooseByFloat<std::uint32_t, false>>;
  decoding.simple(type, {type, type, of});
}

}  // namespace

void addComparisons(Opcodes& opcodes) {
  opcodes["setp"] = setp;
  opcodes["set"] = set;
  opcodes["slct"] = slct;
  opcodes["selp"] = [](Decoding& decoding) {
    const Type type = decoding.type();
    decoding.in.run = type.width() == 16   ? choose<std::uint16_t>
                      : type.width() == 32 ? choose<std::uint32_t>
                                           : choose<std::uint64_t>;
    decoding.simple(type, {type, type, predicate});
  };
}

}  // namespace clarity::ptx
