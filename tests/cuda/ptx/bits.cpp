// SPDX-License-Identifier: Apache-2.0
// This file is logic, shifts and fields of bits.
#include "decoding.h"
#include "lanes.h"

#include <algorithm>
#include <bit>

namespace clarity::ptx {
namespace {

template <class T>
struct And {
  static T run(T a, T b) { return a & b; }
};
template <class T>
struct Or {
  static T run(T a, T b) { return a | b; }
};
template <class T>
struct Xor {
  static T run(T a, T b) { return a ^ b; }
};
template <class T>
struct Not {
  static T run(T a) { return static_cast<T>(~a); }
};
template <class T>
struct LogicalNot {
  static T run(T a) { return a == 0; }
};

template <template <class> class Operation>
Handler ofBits(unsigned bits) {
  return bits == 16   ? each<&Operation<std::uint16_t>::run>
         : bits == 32 ? each<&Operation<std::uint32_t>::run>
         : bits == 64 ? each<&Operation<std::uint64_t>::run>
                      : nullptr;
}

/// An operation on predicates: words of a bit for each thread.
template <template <class> class Operation>
void onPredicates(Warp& warp, const Instruction& in, Lanes lanes) {
  warp.setPredicate(in.to[0], lanes, Operation<Lanes>::run(warp.predicate(in.from[0]), warp.predicate(in.from[1])));
}

template <template <class> class Operation>
void logic(Decoding& decoding) {
  const Type type = decoding.type();
  decoding.in.run = type == predicate ? onPredicates<Operation> : ofBits<Operation>(type.bits);
  decoding.simple(type, {type, type});
}

// Shifts by more than the width shift everything out.
template <class T>
struct ShiftLeft {
  static T run(T a, std::uint32_t b) { return b < 8 * sizeof(T) ? static_cast<T>(a << b) : 0; }
};
template <class T>
struct ShiftRight {
  static T run(T a, std::uint32_t b) {
    constexpr std::uint32_t most = 8 * sizeof(T) - 1;
    if (!std::is_signed_v<T> && b > most) return 0;
    return static_cast<T>(a >> std::min(b, most));
  }
};

void shiftLeft(Decoding& decoding) {
  const Type type = decoding.type();
  decoding.in.run = ofBits<ShiftLeft>(type.bits);
  decoding.simple(type, {type, b32});
}

void shiftRight(Decoding& decoding) {
  const Type type = decoding.type();
  if (type.kind == Kind::Signed)
    decoding.in.run = type.bits == 16   ? each<&ShiftRight<std::int16_t>::run>
                      : type.bits == 32 ? each<&ShiftRight<std::int32_t>::run>
                                        : each<&ShiftRight<std::int64_t>::run>;
  else
    decoding.in.run = ofBits<ShiftRight>(type.bits);
  decoding.simple(type, {type, b32});
}

template <bool IsLeft, bool Wraps>
std::uint32_t funnel(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  const std::uint32_t by = Wraps ? c & 31 : std::min(c, 32u);
  return static_cast<std::uint32_t>(IsLeft ? both << by >> 32 : both >> by);
}

void funnelShift(Decoding& decoding) {
  const bool isLeft = decoding.take("l"), wraps = decoding.take("wrap");
  if ((!isLeft && !decoding.take("r")) || (!wraps && !decoding.take("clamp"))) decoding.fail("its form is not known");
  (void)decoding.type();
  decoding.in.run = isLeft ? (wraps ? each<&funnel<true, true>> : each<&funnel<true, false>>)
                           : (wraps ? each<&funnel<false, true>> : each<&funnel<false, false>>);
  decoding.simple(b32, {b32, b32, b32});
}

std::uint32_t popcount32(std::uint32_t a) { return static_cast<std::uint32_t>(std::popcount(a)); }
std::uint32_t popcount64(std::uint64_t a) { return static_cast<std::uint32_t>(std::popcount(a)); }
std::uint32_t zeros32(std::uint32_t a) { return static_cast<std::uint32_t>(std::countl_zero(a)); }
std::uint32_t zeros64(std::uint64_t a) { return static_cast<std::uint32_t>(std::countl_zero(a)); }
template <class T>
T reversed(T a) {
  T result = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i) result = static_cast<T>(result << 1 | (a >> i & 1));
  return result;
}

template <std::uint32_t (*Of32)(std::uint32_t), std::uint32_t (*Of64)(std::uint64_t)>
void counting(Decoding& decoding) {
  const Type type = decoding.type();
  decoding.in.run = type.bits == 32 ? each<Of32> : each<Of64>;
  decoding.simple(u32, {type});
}

/// The place of the highest bit that is unlike the sign, or how far it has to be shifted to be the highest.
template <class T, bool ShiftAmount>
std::uint32_t highestBit(T a) {
  using Unsigned = std::make_unsigned_t<T>;
  const auto x = static_cast<Unsigned>(a < 0 ? ~a : a);
  if (x == 0) return ~0u;
  const auto place = static_cast<std::uint32_t>(8 * sizeof(T) - 1) - static_cast<std::uint32_t>(std::countl_zero(x));
  return ShiftAmount ? static_cast<std::uint32_t>(8 * sizeof(T) - 1) - place : place;
}

template <class T>
Handler highestBitOf(bool isShift) {
  return isShift ? each<&highestBit<T, true>> : each<&highestBit<T, false>>;
}

void findBit(Decoding& decoding) {
  const bool isShift = decoding.take("shiftamt");
  const Type type = decoding.type();
  const bool isSigned = type.kind == Kind::Signed;
  if (type.bits == 32)
    decoding.in.run = isSigned ? highestBitOf<std::int32_t>(isShift) : highestBitOf<std::uint32_t>(isShift);
  else
    decoding.in.run = isSigned ? highestBitOf<std::int64_t>(isShift) : highestBitOf<std::uint64_t>(isShift);
  decoding.simple(u32, {type});
}

template <class T>
struct Extract {
  static T run(T a, std::uint32_t position, std::uint32_t length) {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    position &= 0xff;
    length &= 0xff;
    if (length == 0) return 0;
    using Unsigned = std::make_unsigned_t<T>;
    const std::uint32_t top = std::min(position + length - 1, bits - 1);
    const bool sign = std::is_signed_v<T> && (static_cast<Unsigned>(a) >> top & 1);
    Unsigned result = position < bits ? static_cast<Unsigned>(static_cast<Unsigned>(a) >> position) : 0;
    const std::uint32_t has = position < bits ? std::min(length, bits - position) : 0;
    if (has < bits) {
      const Unsigned mask = (Unsigned{1} << has) - 1;
      result = sign ? result | ~mask : result & mask;
    }
    return static_cast<T>(result);
  }
};

void extract(Decoding& decoding) {
  const Type type = decoding.type();
  const bool isSigned = type.kind == Kind::Signed;
  if (type.bits == 32)
    decoding.in.run = isSigned ? each<&Extract<std::int32_t>::run> : each<&Extract<std::uint32_t>::run>;
  else
    decoding.in.run = isSigned ? each<&Extract<std::int64_t>::run> : each<&Extract<std::uint64_t>::run>;
  decoding.simple(type, {type, u32, u32});
}

template <class T>
struct Insert {
  static T run(T a, T b, std::uint32_t position, std::uint32_t length) {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    position &= 0xff;
    length &= 0xff;
    if (position >= bits || length == 0) return b;
    const T ones = length >= bits ? ~T{0} : (T{1} << length) - 1, mask = ones << position;
    return (b & ~mask) | (a << position & mask);
  }
};

void insert(Decoding& decoding) {
  const Type type = decoding.type();
  decoding.in.run = type.bits == 32 ? each<&Insert<std::uint32_t>::run> : each<&Insert<std::uint64_t>::run>;
  decoding.simple(type, {type, type, u32, u32});
}

std::uint32_t lookup(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t select = selector >> (4 * i);
    auto byte = static_cast<std::uint32_t>(bytes >> (8 * (select & 7)) & 0xff);
    if (select & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

enum class Permutation : std::uint8_t { Forward4, Backward4, Repeat8, EdgeLeft, EdgeRight, Repeat16 };

template <Permutation Mode>
std::uint32_t permuteBy(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  static constexpr std::uint16_t selectors[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                                    {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                                    {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  return permute(a, b, selectors[static_cast<unsigned>(Mode)][c & 3]);
}

void permutation(Decoding& decoding) {
  (void)decoding.type();
  static const std::map<std::string_view, Handler>& modes = *new std::map<std::string_view, Handler>{
      {"f4e", each<&permuteBy<Permutation::Forward4>>},  {"b4e", each<&permuteBy<Permutation::Backward4>>},
      {"rc8", each<&permuteBy<Permutation::Repeat8>>},   {"ecl", each<&permuteBy<Permutation::EdgeLeft>>},
      {"ecr", each<&permuteBy<Permutation::EdgeRight>>}, {"rc16", each<&permuteBy<Permutation::Repeat16>>}};
  const std::string_view mode = decoding.takeAny({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  decoding.in.run = mode.empty() ? each<&permute> : modes.at(mode);
  decoding.simple(b32, {b32, b32, b32});
}

/// The place of the nth set bit from `base` on: upwards with n > 0, downwards with n < 0.
std::uint32_t nthBit(std::uint32_t mask, std::uint32_t base, std::int32_t n) {
  if (n == 0) return base < 32 && (mask >> base & 1) ? base : ~0u;
  const std::int32_t step = n > 0 ? 1 : -1;
  std::int32_t left = n > 0 ? n : -n;
  for (auto place = static_cast<std::int32_t>(base); place >= 0 && place < 32; place += step)
    if ((mask >> place & 1) && --left == 0) return static_cast<std::uint32_t>(place);
  return ~0u;
}

template <bool Wraps>
std::uint32_t maskOfBits(std::uint32_t position, std::uint32_t length) {
  if (Wraps) {
    position &= 31;
    length &= 31;
  }
  const std::uint64_t ones = length >= 32 ? 0xffffffffu : (std::uint64_t{1} << length) - 1;
  return position >= 32 ? 0 : static_cast<std::uint32_t>(ones << position);
}

}  // namespace

void addBits(Opcodes& opcodes) {
  opcodes["and"] = logic<And>;
  opcodes["or"] = logic<Or>;
  opcodes["xor"] = logic<Xor>;
  opcodes["not"] = [](Decoding& decoding) {
    const Type type = decoding.type();
    decoding.in.run = ofBits<Not>(type.bits);
    if (type == predicate)
      decoding.in.run = [](Warp& warp, const Instruction& in, Lanes lanes) {
        warp.setPredicate(in.to[0], lanes, ~warp.predicate(in.from[0]));
      };
    decoding.simple(type, {type});
  };
  opcodes["cnot"] = [](Decoding& decoding) {
    const Type type = decoding.type();
    decoding.in.run = ofBits<LogicalNot>(type.bits);
    decoding.simple(type, {type});
  };
  opcodes["lop3"] = [](Decoding& decoding) {
    (void)decoding.type();
    decoding.in.run = each<&lookup>;
    decoding.simple(b32, {b32, b32, b32, b32});
  };
  opcodes["shl"] = shiftLeft;
  opcodes["shr"] = shiftRight;
  opcodes["shf"] = funnelShift;
  opcodes["popc"] = counting<popcount32, popcount64>;
  opcodes["clz"] = counting<zeros32, zeros64>;
  opcodes["brev"] = [](Decoding& decoding) {
    const Type type = decoding.type();
    decoding.in.run = type.bits == 32 ? each<&reversed<std::uint32_t>> : each<&reversed<std::uint64_t>>;
    decoding.simple(type, {type});
  };
  opcodes["bfind"] = findBit;
  opcodes["bfe"] = extract;
  opcodes["bfi"] = insert;
  opcodes["prmt"] = permutation;
  opcodes["fns"] = [](Decoding& decoding) {
    (void)decoding.type();
    decoding.in.run = each<&nthBit>;
    decoding.simple(b32, {b32, b32, b32});
  };
  opcodes["bmsk"] = [](Decoding& decoding) {
    (void)decoding.type();
    const bool wraps = decoding.take("wrap");
    if (!wraps && !decoding.take("clamp")) decoding.fail("its form is not known");
    decoding.in.run = wraps ? each<&maskOfBits<true>> : each<&maskOfBits<false>>;
    decoding.simple(b32, {b32, b32});
  };
}

}  // namespace clarity::ptx
