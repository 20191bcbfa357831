// SPDX-License-Identifier: Apache-2.0
// This file is arithmetic of half and bfloat16 and of pairs of them: in double, where what is not exact is rounded to
// odd, and then once to the format.
#include "arithmetic.h"
#include "lanes.h"
#include "numbers.h"

namespace clarity::ptx {
namespace {

enum Flags : std::uint32_t { FlushesHalves = 1, SaturatesHalves = 2, HasNoNegative = 4, KeepsNan = 8 };

struct Half {
  static constexpr double least = 0x1p-14;  // normal
  static double read(std::uint16_t bits) { return ofHalf(bits); }
  static std::uint16_t write(double x) { return toHalf(x); }
};
struct BFloat {
  static constexpr double least = 0x1p-126;
  static double read(std::uint16_t bits) { return ofBFloat(bits); }
  static std::uint16_t write(double x) { return toBFloat(x); }
};

template <class Format>
double flushedTo(double x, std::uint32_t flags) {
  return flags & FlushesHalves && std::fabs(x) < Format::least ? std::copysign(0.0, x) : x;
}

template <class Format, Sum Operation>
struct HalfSum {
  static std::uint16_t run(std::uint16_t a, std::uint16_t b, std::uint16_t c, const Instruction& in) {
    const auto read = [&](std::uint16_t bits) { return flushedTo<Format>(Format::read(bits), in.target); };
    const double x = read(a), y = read(b);
    double value = Operation == Sum::Add   ? sumRoundedToOdd(x, y)
                   : Operation == Sum::Sub ? sumRoundedToOdd(x, -y)
                   : Operation == Sum::Mul ? x * y
                                           : sumRoundedToOdd(x * y, read(c));
    if (in.target & HasNoNegative && value < 0) value = 0;
    if (in.target & SaturatesHalves) value = saturated(value);
    const std::uint16_t bits = Format::write(value);
    return flushedTo<Format>(Format::read(bits), in.target) == 0 ? bits & 0x8000 : bits;
  }
};

template <class Format, bool IsMax>
struct HalfMinMax {
  static std::uint16_t run(std::uint16_t a, std::uint16_t b, std::uint16_t, const Instruction& in) {
    const double x = flushedTo<Format>(Format::read(a), in.target), y = flushedTo<Format>(Format::read(b), in.target);
    if (in.target & KeepsNan && (x != x || y != y)) return 0x7fff;
    return Format::write(IsMax ? greater(x, y) : lesser(x, y));
  }
};

template <bool IsAbs>
struct HalfSign {
  static std::uint16_t run(std::uint16_t a, std::uint16_t, std::uint16_t, const Instruction&) {
    return static_cast<std::uint16_t>(IsAbs ? a & 0x7fff : a ^ 0x8000);
  }
};

template <class Format>
struct HalfFunction {
  static std::uint16_t run(std::uint16_t a, std::uint16_t, std::uint16_t, const Instruction& in) {
    return Format::write(reinterpret_cast<double (*)(double)>(in.immediate)(Format::read(a)));
  }
};

template <class Operation, unsigned Sources>
void onHalves(Warp& warp, const Instruction& in, Lanes lanes) {
  const auto of = [&](unsigned source, unsigned lane) {
    return source < Sources ? warp.at<std::uint16_t>(in.from[source])[lane] : std::uint16_t{0};
  };
  forEachLane(lanes, [&](unsigned lane) {
    warp.at<std::uint16_t>(in.to[0])[lane] = Operation::run(of(0, lane), of(1, lane), of(2, lane), in);
  });
}

template <class Operation, unsigned Sources>
void onPairs(Warp& warp, const Instruction& in, Lanes lanes) {
  forEachLane(lanes, [&](unsigned lane) {
    const auto of = [&](unsigned source) {
      return source < Sources ? warp.at<std::uint32_t>(in.from[source])[lane] : 0;
    };
    const auto part = [&](unsigned shift) {
      return std::uint32_t{Operation::run(static_cast<std::uint16_t>(of(0) >> shift),
                                          static_cast<std::uint16_t>(of(1) >> shift),
                                          static_cast<std::uint16_t>(of(2) >> shift), in)}
             << shift;
    };
    warp.at<std::uint32_t>(in.to[0])[lane] = part(0) | part(16);
  });
}

template <class Operation, unsigned Sources>
void use(Decoding& decoding, Type type) {
  decoding.in.run = type.count == 2 ? onPairs<Operation, Sources> : onHalves<Operation, Sources>;
  if constexpr (Sources == 1)
    decoding.simple(type, {type});
  else if constexpr (Sources == 2)
    decoding.simple(type, {type, type});
  else
    decoding.simple(type, {type, type, type});
}

template <class Format>
void sumOf(Decoding& decoding, Type type, Sum operation) {
  switch (operation) {
    case Sum::Add: return use<HalfSum<Format, Sum::Add>, 2>(decoding, type);
    case Sum::Sub: return use<HalfSum<Format, Sum::Sub>, 2>(decoding, type);
    case Sum::Mul: return use<HalfSum<Format, Sum::Mul>, 2>(decoding, type);
    case Sum::Fma: return use<HalfSum<Format, Sum::Fma>, 3>(decoding, type);
    default: decoding.fail("it is not one of half");
  }
}

}  // namespace

void halfSum(Decoding& decoding, Type type, Sum operation) {
  (void)decoding.take("rn");
  if (decoding.take("ftz")) decoding.in.target |= FlushesHalves;
  if (decoding.take("sat")) decoding.in.target |= SaturatesHalves;
  if (decoding.take("relu")) decoding.in.target |= HasNoNegative;
  type.kind == Kind::Float ? sumOf<Half>(decoding, type, operation) : sumOf<BFloat>(decoding, type, operation);
}

void halfMinMax(Decoding& decoding, Type type, bool isMax) {
  if (decoding.take("ftz")) decoding.in.target |= FlushesHalves;
  if (decoding.take("NaN")) decoding.in.target |= KeepsNan;
  if (type.kind == Kind::Float)
    isMax ? use<HalfMinMax<Half, true>, 2>(decoding, type) : use<HalfMinMax<Half, false>, 2>(decoding, type);
  else
    isMax ? use<HalfMinMax<BFloat, true>, 2>(decoding, type) : use<HalfMinMax<BFloat, false>, 2>(decoding, type);
}

void halfSign(Decoding& decoding, Type type, bool isAbs) {
  if (decoding.take("ftz")) decoding.fail("with .ftz it is not known");
  isAbs ? use<HalfSign<true>, 1>(decoding, type) : use<HalfSign<false>, 1>(decoding, type);
}

void halfFunction(Decoding& decoding, Type type, double (*function)(double)) {
  decoding.in.immediate = reinterpret_cast<std::intptr_t>(function);
  type.kind == Kind::Float ? use<HalfFunction<Half>, 1>(decoding, type) : use<HalfFunction<BFloat>, 1>(decoding, type);
}

}  // namespace clarity::ptx
