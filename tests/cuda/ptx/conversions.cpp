// SPDX-License-Identifier: Apache-2.0
// This file is cvt. The usual ones have handlers of their own; others go by a description.
#include "decoding.h"
#include "lanes.h"
#include "numbers.h"

#include <algorithm>
#include <cfenv>
#include <limits>

namespace clarity::ptx {
namespace {

enum class Whole : std::uint8_t { No, Nearest, Zero, Down, Up };  ///< rounding to integers

/// Fits into an instruction's number.
struct Conversion {
  Type from, to;
  std::uint8_t rounding = 0, flags = 0;  ///< rounding: a Rounding, and a Whole times 16
};
static_assert(sizeof(Conversion) == sizeof(std::int64_t));
enum ConversionFlags : std::uint8_t { Saturates = 1, Flushes = 2, NoNegative = 4 };

std::uint64_t readBits(Warp& warp, std::int32_t slot, std::int32_t bits, unsigned lane) {
  switch (bits) {
    case 16: return warp.at<std::uint16_t>(slot)[lane];
    case 32: return warp.at<std::uint32_t>(slot)[lane];
    default: return warp.at<std::uint64_t>(slot)[lane];
  }
}
void writeBits(Warp& warp, std::int32_t slot, std::int32_t bits, unsigned lane, std::uint64_t value) {
  switch (bits) {
    case 16: warp.at<std::uint16_t>(slot)[lane] = static_cast<std::uint16_t>(value); break;
    case 32: warp.at<std::uint32_t>(slot)[lane] = static_cast<std::uint32_t>(value); break;
    default: warp.at<std::uint64_t>(slot)[lane] = value;
  }
}

std::uint64_t ones(unsigned bits) { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

__int128 integerOf(std::uint64_t value, Type type) {
  value &= ones(type.bits);
  if (type.kind == Kind::Signed && (value >> (type.bits - 1) & 1)) value |= ~ones(type.bits);
  return type.kind == Kind::Signed ? static_cast<__int128>(static_cast<std::int64_t>(value))
                                   : static_cast<__int128>(value);
}

double doubleOf(std::uint64_t value, Type type) {
  if (type.bits == 64) return std::bit_cast<double>(value);
  if (type.bits == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(value));
  const auto bits = static_cast<std::uint16_t>(value);
  return type.kind == Kind::BFloat ? ofBFloat(bits) : ofHalf(bits);
}

__int128 least(Type type) { return type.kind == Kind::Signed ? -(static_cast<__int128>(1) << (type.bits - 1)) : 0; }
__int128 most(Type type) {
  return (static_cast<__int128>(1) << (type.kind == Kind::Signed ? type.bits - 1 : type.bits)) - 1;
}

double toWhole(double x, Whole how) {
  switch (how) {
    case Whole::Nearest: return std::nearbyint(x);
    case Whole::Zero: return std::trunc(x);
    case Whole::Down: return std::floor(x);
    case Whole::Up: return std::ceil(x);
    default: return x;
  }
}

std::uint64_t toInteger(double x, const Conversion& how) {
  const Type to = how.to;
  if (x != x) {
    if (how.from.bits != 64 && to.bits != 64) return 0;
    return std::uint64_t{1} << (to.bits - 1);
  }
  const double whole = toWhole(x, static_cast<Whole>(how.rounding >> 4));
  const __int128 lowest = least(to), highest = most(to);
  if (whole <= static_cast<double>(lowest)) return static_cast<std::uint64_t>(lowest);
  if (whole >= static_cast<double>(highest)) return static_cast<std::uint64_t>(highest);
  return static_cast<std::uint64_t>(static_cast<__int128>(whole));
}

/// A float that is nearest in the direction, from a double that is exact.
float toFloat(double x, Rounding rounding) {
  const auto nearest = static_cast<float>(x);
  const double back = nearest;
  if (rounding == Rounding::Nearest || back == x || x != x) return nearest;
  const bool isUp = rounding == Rounding::Up || (rounding == Rounding::Zero && x < 0);
  if (rounding == Rounding::Zero && std::fabs(back) < std::fabs(x)) return nearest;
  if (isUp) return back > x ? nearest : std::nextafter(nearest, HUGE_VALF);
  return back < x ? nearest : std::nextafter(nearest, -HUGE_VALF);
}

std::uint64_t toFloating(double x, const Conversion& how) {
  const auto rounding = static_cast<Rounding>(how.rounding & 15);
  const Type to = how.to;
  x = toWhole(x, static_cast<Whole>(how.rounding >> 4));
  if (how.flags & Saturates) x = saturated(x);
  if (how.flags & NoNegative && x < 0) x = 0;
  if (to.bits == 64) return std::bit_cast<std::uint64_t>(x != x ? canonicalNan<double>() : x);
  if (to.bits == 16) return to.kind == Kind::BFloat ? toBFloat(x, rounding) : toHalf(x, rounding);
  float value = toFloat(x, rounding);
  if (how.flags & Flushes) value = flushed(value);
  return std::bit_cast<std::uint32_t>(x != x ? canonicalNan<float>() : value);
}

std::uint64_t fromInteger(__int128 value, const Conversion& how) {
  if (!how.to.isFloat()) {
    if (how.flags & Saturates) value = std::clamp(value, least(how.to), most(how.to));
    return static_cast<std::uint64_t>(integerOf(static_cast<std::uint64_t>(value), how.to));
  }
  const auto rounding = static_cast<Rounding>(how.rounding & 15);
  // Two parts that are exact, so that it is rounded once.
  const double high = static_cast<double>(static_cast<std::int64_t>(value >> 32)) * 0x1p32,
               low = static_cast<double>(static_cast<std::uint32_t>(value));
  if (how.to.bits != 64) return toFloating(sumRoundedToOdd(high, low), how);
  const int before = std::fegetround();
  std::fesetround(rounding == Rounding::Zero   ? FE_TOWARDZERO
                  : rounding == Rounding::Down ? FE_DOWNWARD
                  : rounding == Rounding::Up   ? FE_UPWARD
                                               : FE_TONEAREST);
  volatile double sum = high;
  sum = sum + low;
  std::fesetround(before);
  return std::bit_cast<std::uint64_t>(static_cast<double>(sum));
}

std::uint64_t converted(std::uint64_t value, const Conversion& how) {
  if (!how.from.isFloat()) return fromInteger(integerOf(value, how.from), how);
  double x = doubleOf(value, how.from);
  if (how.flags & Flushes && how.from.bits == 32) x = flushed(static_cast<float>(x));
  if (how.to.isFloat()) return toFloating(x, how);
  return static_cast<std::uint64_t>(integerOf(toInteger(x, how), how.to));
}

void convert(Warp& warp, const Instruction& in, Lanes lanes) {
  const auto how = std::bit_cast<Conversion>(in.immediate);
  forEachLane(lanes, [&](unsigned lane) {
    writeBits(warp, in.to[0], in.to[3], lane, converted(readBits(warp, in.from[0], in.from[3], lane), how));
  });
}

/// Two floats become a pair of halves: the first the upper one.
void convertPair(Warp& warp, const Instruction& in, Lanes lanes) {
  const auto how = std::bit_cast<Conversion>(in.immediate);
  forEachLane(lanes, [&](unsigned lane) {
    const auto part = [&](unsigned source) {
      return static_cast<std::uint32_t>(converted(warp.at<std::uint32_t>(in.from[source])[lane], how) & 0xffff);
    };
    warp.at<std::uint32_t>(in.to[0])[lane] = part(0) << 16 | part(1);
  });
}

template <class To, class From>
To plain(From x) {
  return static_cast<To>(x);
}
template <class To, class From, class Through>
To through(From x) {
  return static_cast<To>(static_cast<Through>(x));
}

/// A conversion of integers without saturation: `from` says what is read of a register, `Register` what it is.
template <class Register>
Handler ofInteger(Type from, unsigned toBits) {
  const auto choose = [&]<class Value>(Value) -> Handler {
    return toBits == 16   ? each<&through<std::uint16_t, Register, Value>>
           : toBits == 32 ? each<&through<std::uint32_t, Register, Value>>
                          : each<&through<std::uint64_t, Register, Value>>;
  };
  const bool isSigned = from.kind == Kind::Signed;
  switch (from.bits) {
    case 8: return isSigned ? choose(std::int8_t()) : choose(std::uint8_t());
    case 16: return isSigned ? choose(std::int16_t()) : choose(std::uint16_t());
    case 32: return isSigned ? choose(std::int32_t()) : choose(std::uint32_t());
    default: return isSigned ? choose(std::int64_t()) : choose(std::uint64_t());
  }
}

std::int32_t truncatedToInt(float x) {
  if (!(x > -2147483648.0f)) return x != x ? 0 : INT32_MIN;
  return x < 2147483648.0f ? static_cast<std::int32_t>(x) : INT32_MAX;
}
std::uint32_t truncatedToUint(float x) {
  if (!(x > 0)) return 0;
  return x < 4294967296.0f ? static_cast<std::uint32_t>(x) : UINT32_MAX;
}
float halfToFloat(std::uint16_t x) { return static_cast<float>(ofHalf(x)); }

/// The usual ones; null: by the description.
Handler quick(const Conversion& how, unsigned fromBits, unsigned toBits) {
  const Type from = how.from, to = how.to;
  if (how.flags) return nullptr;
  if (from.isInteger() && to.isInteger() && (to.bits == toBits || to.bits >= from.bits)) {
    // Narrower than its register, a destination is filled up by its own sign.
    if (to.bits != toBits && (to.kind != from.kind || to.bits == from.bits)) return nullptr;
    return fromBits == 16   ? ofInteger<std::uint16_t>(from, toBits)
           : fromBits == 32 ? ofInteger<std::uint32_t>(from, toBits)
                            : ofInteger<std::uint64_t>(from, toBits);
  }
  if (from.bits != fromBits || to.bits != toBits) return nullptr;
  const Type f32{Kind::Float, 32}, f64{Kind::Float, 64};
  const bool isNearest = how.rounding == 0, isTruncated = how.rounding >> 4 == static_cast<unsigned>(Whole::Zero);
  if (isNearest && from == s32)
    return to == f32 ? each<&plain<float, std::int32_t>> : to == f64 ? each<&plain<double, std::int32_t>> : nullptr;
  if (isNearest && from == u32)
    return to == f32 ? each<&plain<float, std::uint32_t>> : to == f64 ? each<&plain<double, std::uint32_t>> : nullptr;
  if (isTruncated && from == f32)
    return to == s32 ? each<&truncatedToInt> : to == u32 ? each<&truncatedToUint> : nullptr;
  if (isNearest && to == f32 && from == Type{Kind::Float, 16}) return each<&halfToFloat>;
  return nullptr;
}

void takeRounding(Decoding& decoding, Conversion& how) {
  static const std::map<std::string_view, unsigned>& roundings = *new std::map<std::string_view, unsigned>{
      {"rn", static_cast<unsigned>(Rounding::Nearest)}, {"rz", static_cast<unsigned>(Rounding::Zero)},
      {"rm", static_cast<unsigned>(Rounding::Down)},    {"rp", static_cast<unsigned>(Rounding::Up)},
      {"rna", static_cast<unsigned>(Rounding::Away)},   {"rni", static_cast<unsigned>(Whole::Nearest) << 4},
      {"rzi", static_cast<unsigned>(Whole::Zero) << 4}, {"rmi", static_cast<unsigned>(Whole::Down) << 4},
      {"rpi", static_cast<unsigned>(Whole::Up) << 4}};
  for (const auto& [name, value] : roundings)
    if (decoding.take(name)) how.rounding = static_cast<std::uint8_t>(value);
}

void cvt(Decoding& decoding) {
  Conversion how;
  takeRounding(decoding, how);
  if (decoding.take("sat") || decoding.take("satfinite")) how.flags |= Saturates;
  if (decoding.take("ftz")) how.flags |= Flushes;
  if (decoding.take("relu")) how.flags |= NoNegative;
  how.to = decoding.type();
  how.from = decoding.type();
  if (how.to.isFloat() && how.flags & Saturates && how.from.isFloat() && how.to.bits == 8) decoding.fail("unknown");
  if (how.to.count == 2) {
    how.to.count = 1;
    decoding.in.immediate = std::bit_cast<std::int64_t>(how);
    decoding.in.run = convertPair;
    return decoding.simple(b32, {how.from, how.from});
  }
  // Registers may be wider than what is converted.
  const unsigned toBits = decoding.bitsOf(decoding.operand(0)), fromBits = decoding.bitsOf(decoding.operand(1));
  const unsigned readBits = fromBits ? fromBits : how.from.bits;
  if (toBits < how.to.bits || readBits < how.from.bits) decoding.fail("a register is too narrow");
  decoding.in.to[0] = decoding.destination(0, toBits);
  decoding.in.from[0] = decoding.source(1, {Kind::Bits, static_cast<std::uint8_t>(readBits)});
  decoding.in.to[3] = static_cast<std::int32_t>(toBits);
  decoding.in.from[3] = static_cast<std::int32_t>(readBits);
  decoding.in.immediate = std::bit_cast<std::int64_t>(how);
  decoding.in.run = quick(how, readBits, toBits);
  if (!decoding.in.run) decoding.in.run = convert;
}

}  // namespace

void addConversions(Opcodes& opcodes) { opcodes["cvt"] = cvt; }

}  // namespace clarity::ptx
