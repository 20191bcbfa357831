// SPDX-License-Identifier: Apache-2.0
// This file is arithmetic of float and double, rounded to nearest, and functions that GPUs approximate, which are exact
// to a rounding here.
#include "arithmetic.h"
#include "lanes.h"
#include "numbers.h"

#include <cfenv>

namespace clarity::ptx {
namespace {

template <Sum Operation, class T>
T result(T a, T b, T c) {
  switch (Operation) {
    case Sum::Add: return a + b;
    case Sum::Sub: return a - b;
    case Sum::Mul: return a * b;
    case Sum::Fma: return std::fma(a, b, c);
    case Sum::Div: return a / b;
    case Sum::Sqrt: return std::sqrt(a);
    case Sum::Rcp: return T(1) / a;
  }
}

template <Sum Operation, class T, bool Ftz, bool Saturates>
T finished(T a, T b, T c) {
  T value = result<Operation, T>(flushedIf<Ftz>(a), flushedIf<Ftz>(b), flushedIf<Ftz>(c));
  value = flushedIf<Ftz>(value);
  return Saturates ? saturated(value) : value;
}
template <Sum Operation, class T, bool Ftz, bool Saturates>
T ofOne(T a) {
  return finished<Operation, T, Ftz, Saturates>(a, T(1), T(0));
}
template <Sum Operation, class T, bool Ftz, bool Saturates>
T ofTwo(T a, T b) {
  return finished<Operation, T, Ftz, Saturates>(a, b, T(0));
}

constexpr unsigned sourcesOf(Sum operation) {
  return operation == Sum::Fma ? 3 : operation == Sum::Sqrt || operation == Sum::Rcp ? 1 : 2;
}

/// Multiplication and addition on hosts that have one instruction for both.
template <class T, bool Ftz, bool Saturates>
__attribute__((target("fma,avx2"))) void fmaByInstruction(Warp& warp, const Instruction& in, Lanes lanes) {
  T* const to = warp.at<T>(in.to[0]);
  const T *a = warp.at<T>(in.from[0]), *b = warp.at<T>(in.from[1]), *c = warp.at<T>(in.from[2]);
  const auto one = [&](unsigned lane) __attribute__((target("fma,avx2"))) {
    T value = __builtin_elementwise_fma(flushedIf<Ftz>(a[lane]), flushedIf<Ftz>(b[lane]), flushedIf<Ftz>(c[lane]));
    value = flushedIf<Ftz>(value);
    to[lane] = Saturates ? saturated(value) : value;
  };
  if (lanes == allLanes) {
#pragma clang loop vectorize(assume_safety)
    for (unsigned lane = 0; lane < warpSize; ++lane) one(lane);
  } else {
    for (; lanes; lanes &= lanes - 1) one(static_cast<unsigned>(std::countr_zero(lanes)));
  }
}

template <Sum Operation, class T, bool Ftz, bool Saturates>
Handler handlerOf() {
  if constexpr (sourcesOf(Operation) == 1) return each<&ofOne<Operation, T, Ftz, Saturates>>;
  if constexpr (sourcesOf(Operation) == 2) return each<&ofTwo<Operation, T, Ftz, Saturates>>;
#if defined(__x86_64__)
  static const bool hasFma = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
  if (Operation == Sum::Fma && hasFma) return fmaByInstruction<T, Ftz, Saturates>;
#endif
  return each<&finished<Operation, T, Ftz, Saturates>>;
}

template <Sum Operation>
Handler nearest(Type type, bool ftz, bool saturates) {
  if (type.bits == 64) return handlerOf<Operation, double, false, false>();
  if (ftz) return saturates ? handlerOf<Operation, float, true, true>() : handlerOf<Operation, float, true, false>();
  return saturates ? handlerOf<Operation, float, false, true>() : handlerOf<Operation, float, false, false>();
}

Handler nearest(Sum operation, Type type, bool ftz, bool saturates) {
  switch (operation) {
    case Sum::Add: return nearest<Sum::Add>(type, ftz, saturates);
    case Sum::Sub: return nearest<Sum::Sub>(type, ftz, saturates);
    case Sum::Mul: return nearest<Sum::Mul>(type, ftz, saturates);
    case Sum::Fma: return nearest<Sum::Fma>(type, ftz, saturates);
    case Sum::Div: return nearest<Sum::Div>(type, ftz, saturates);
    case Sum::Sqrt: return nearest<Sum::Sqrt>(type, ftz, saturates);
    case Sum::Rcp: return nearest<Sum::Rcp>(type, ftz, saturates);
  }
}

template <bool IsMax, class T, bool Ftz, bool KeepsNan, bool OfMagnitudes>
T minMax(T a, T b) {
  a = flushedIf<Ftz>(a);
  b = flushedIf<Ftz>(b);
  if (KeepsNan && (a != a || b != b)) return canonicalNan<T>();
  const bool isNegative = std::signbit(a) != std::signbit(b);
  if (OfMagnitudes) {
    a = std::fabs(a);
    b = std::fabs(b);
  }
  const T value = IsMax ? greater(a, b) : lesser(a, b);
  return OfMagnitudes && isNegative ? -value : value;
}

template <bool IsMax, class T, bool Ftz>
Handler minMaxOf(bool keepsNan, bool ofMagnitudes) {
  if (keepsNan)
    return ofMagnitudes ? each<&minMax<IsMax, T, Ftz, true, true>> : each<&minMax<IsMax, T, Ftz, true, false>>;
  return ofMagnitudes ? each<&minMax<IsMax, T, Ftz, false, true>> : each<&minMax<IsMax, T, Ftz, false, false>>;
}

template <class T, bool Ftz, bool IsAbs>
T withSign(T a) {
  a = flushedIf<Ftz>(a);
  return IsAbs ? std::fabs(a) : -a;
}

float ex2(float x) { return static_cast<float>(std::exp2(static_cast<double>(x))); }
float lg2(float x) { return static_cast<float>(std::log2(static_cast<double>(x))); }
float sine(float x) { return static_cast<float>(std::sin(static_cast<double>(x))); }
float cosine(float x) { return static_cast<float>(std::cos(static_cast<double>(x))); }
float tangentH(float x) { return static_cast<float>(std::tanh(static_cast<double>(x))); }
float inverseRoot(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
double inverseRootOfDouble(double x) { return 1 / std::sqrt(x); }

template <float (*Function)(float), bool Ftz>
float approximate(float x) {
  return flushedIf<Ftz>(Function(flushedIf<Ftz>(x)));
}

template <float (*Function)(float), double (*Exact)(double)>
void approximation(Decoding& decoding) {
  (void)decoding.take("approx");
  const bool ftz = decoding.take("ftz");
  const Type type = decoding.type();
  if (type.bits == 16) return halfFunction(decoding, type, Exact);
  if (type.bits != 32) decoding.fail("it is one of f32");
  decoding.in.run = ftz ? each<&approximate<Function, true>> : each<&approximate<Function, false>>;
  decoding.simple(type, {type});
}

void reciprocalRoot(Decoding& decoding) {
  (void)decoding.take("approx");
  const bool ftz = decoding.take("ftz");
  const Type type = decoding.type();
  decoding.in.run = type.bits == 64 ? each<&inverseRootOfDouble>
                    : ftz           ? each<&approximate<inverseRoot, true>>
                                    : each<&approximate<inverseRoot, false>>;
  decoding.simple(type, {type});
}

template <class T>
T signOf(T sign, T magnitude) {
  return std::copysign(magnitude, sign);
}

template <class T>
struct Tests {
  static bool finite(T x) { return std::isfinite(x); }
  static bool infinite(T x) { return std::isinf(x); }
  static bool number(T x) { return x == x; }
  static bool notANumber(T x) { return x != x; }
  static bool normal(T x) { return std::isnormal(x); }
  static bool subnormal(T x) { return std::fpclassify(x) == FP_SUBNORMAL; }
  template <auto Test>
  static void run(Warp& warp, const Instruction& in, Lanes lanes) {
    warp.setPredicate(in.to[0], lanes, holdsFor<Test>(warp, in, lanes));
  }
  static Handler named(std::string_view test) {
    return test == "finite"       ? run<&finite>
           : test == "infinite"   ? run<&infinite>
           : test == "number"     ? run<&number>
           : test == "notanumber" ? run<&notANumber>
           : test == "normal"     ? run<&normal>
                                  : run<&subnormal>;
  }
};

void test(Decoding& decoding) {
  const std::string_view name = decoding.takeAny({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (name.empty()) decoding.fail("its test is not known");
  const Type type = decoding.type();
  decoding.in.run = type.bits == 64 ? Tests<double>::named(name) : Tests<float>::named(name);
  decoding.simple(predicate, {type});
}

}  // namespace

void floatSum(Decoding& decoding, Type type, Sum operation) {
  const std::string_view rounding = decoding.takeAny({"rn", "rz", "rm", "rp", "approx", "full"});
  const bool ftz = decoding.take("ftz"), saturates = decoding.take("sat");
  if (rounding == "rz" || rounding == "rm" || rounding == "rp") {
    if (ftz || saturates) decoding.fail("with this rounding it has neither .ftz nor .sat here");
    decoding.in.run = roundedSum(type, operation);
    decoding.in.target = rounding == "rz" ? FE_TOWARDZERO : rounding == "rm" ? FE_DOWNWARD : FE_UPWARD;
  } else {
    decoding.in.run = nearest(operation, type, ftz, saturates);
  }
  switch (sourcesOf(operation)) {
    case 1: return decoding.simple(type, {type});
    case 2: return decoding.simple(type, {type, type});
    default: return decoding.simple(type, {type, type, type});
  }
}

void floatMinMax(Decoding& decoding, Type type, bool isMax) {
  const bool ftz = decoding.take("ftz"), keepsNan = decoding.take("NaN");
  const bool ofMagnitudes = decoding.take("xorsign") && decoding.take("abs");
  if (type.bits == 64)
    decoding.in.run = isMax ? each<&greater<double>> : each<&lesser<double>>;
  else if (ftz)
    decoding.in.run = isMax ? minMaxOf<true, float, true>(keepsNan, ofMagnitudes)
                            : minMaxOf<false, float, true>(keepsNan, ofMagnitudes);
  else
    decoding.in.run = isMax ? minMaxOf<true, float, false>(keepsNan, ofMagnitudes)
                            : minMaxOf<false, float, false>(keepsNan, ofMagnitudes);
  decoding.simple(type, {type, type});
}

void floatSign(Decoding& decoding, Type type, bool isAbs) {
  const bool ftz = decoding.take("ftz");
  if (type.bits == 64)
    decoding.in.run = isAbs ? each<&withSign<double, false, true>> : each<&withSign<double, false, false>>;
  else if (ftz)
    decoding.in.run = isAbs ? each<&withSign<float, true, true>> : each<&withSign<float, true, false>>;
  else
    decoding.in.run = isAbs ? each<&withSign<float, false, true>> : each<&withSign<float, false, false>>;
  decoding.simple(type, {type});
}

void addFloats(Opcodes& opcodes) {
  opcodes["ex2"] = approximation<ex2, std::exp2>;
  opcodes["lg2"] = approximation<lg2, std::log2>;
  opcodes["sin"] = approximation<sine, std::sin>;
  opcodes["cos"] = approximation<cosine, std::cos>;
  opcodes["tanh"] = approximation<tangentH, std::tanh>;
  opcodes["rsqrt"] = reciprocalRoot;
  opcodes["testp"] = test;
  opcodes["copysign"] = [](Decoding& decoding) {
    const Type type = decoding.type();
    decoding.in.run = type.bits == 64 ? each<&signOf<double>> : each<&signOf<float>>;
    decoding.simple(type, {type, type});
  };
}

}  // namespace clarity::ptx
