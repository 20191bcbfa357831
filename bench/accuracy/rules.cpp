// SPDX-License-Identifier: Apache-2.0
// This file defines the bounds of OpenCL C 3.0 for unsafe math (section 7.4, the table for single precision) and parses
// build options.
#include "accuracy/rules.h"

#include <cmath>
#include <numbers>

namespace accuracy {
namespace {

constexpr double outside = std::numeric_limits<double>::quiet_NaN();
constexpr double derivedBound = 8192;  // of functions that may be derived from others, if they are not
constexpr double logBound = 0x1p-21;   // absolute, close to 1
constexpr double sineBound = 0x1p-11;  // absolute
using F = const Arguments<float>&;

double absolute(double bound, double truth) { return bound * inverseUlp<float>(truth); }
bool within(double x, double low, double high) { return x >= low && x <= high; }

double limitOfLog(double x, double truth) { return within(x, 0.5, 2) ? absolute(logBound, truth) : 3; }
double limitOfExp(double x) { return 3 + std::floor(std::fabs(2 * x)); }
double limitOfSine(double x, double range, double truth) {
  return within(x, -range, range) ? absolute(sineBound, truth) : outside;
}
// Functions of log() of an argument close to 1 inherit the absolute error of log().
double limitOfLogOf(double truth) { return std::max(derivedBound, absolute(2 * logBound, truth)); }

// exp2(y * log2(x)): the error of the logarithm times y, the product's rounding, and exp2's own, all relative to the
// result.
double limitOfPower(double x, double y, double truth) {
  if (!(x != 0) || std::isinf(x) || std::isinf(y) || std::isnan(y)) return outside;
  const double logarithm = std::log2(std::fabs(x)), exponent = y * logarithm;
  const double logError = within(std::fabs(x), 0.5, 2) ? logBound : 3 * std::fabs(logarithm) * 0x1p-23;
  const double exponentError = std::fabs(y) * logError + std::fabs(exponent) * 0x1p-24;
  const double relative = std::expm1(exponentError * std::numbers::ln2) + limitOfExp(exponent) * 0x1p-23;
  // Below the smallest normal number an ulp is relatively larger.
  const double inUlps = relative * std::fabs(truth) * inverseUlp<float>(truth);
  return std::max(derivedBound, inUlps + 1);
}
double limitOfPow(F a, double truth) {
  const double x = a.x, y = a.y;
  if (x < 0 && (y != std::trunc(y) || std::fabs(y) > 0x1p24)) return outside;
  return limitOfPower(x, y, truth);
}

double limitOfTangent(double x, double truth) {
  if (!within(x, -std::numbers::pi, std::numbers::pi)) return outside;
  const double relative = sineBound / std::fabs(std::sin(x)) + sineBound / std::fabs(std::cos(x));
  return std::max(derivedBound, relative * std::fabs(truth) * inverseUlp<float>(truth));
}

const RelaxedBound bounds[] = {
    {"reciprocal", "2.5 from 2^-126 to 2^126",
     [](F a, double) { return within(std::fabs(a.x), 0x1p-126, 0x1p126) ? 2.5 : outside; }},
    {"divide", "2.5 from 2^-62 to 2^62",
     [](F a, double) {
       return within(std::fabs(a.x), 0x1p-62, 0x1p62) && within(std::fabs(a.y), 0x1p-62, 0x1p62) ? 2.5 : outside;
     }},
    {"acos", "4096", [](F, double) { return 4096.0; }},
    {"acosh", "8192 or derived", [](F, double truth) { return limitOfLogOf(truth); }},
    {"acospi", "8192", [](F, double) { return derivedBound; }},
    {"asin", "4096", [](F, double) { return 4096.0; }},
    {"asinh", "8192 or derived", [](F, double truth) { return limitOfLogOf(truth); }},
    {"asinpi", "8192", [](F, double) { return derivedBound; }},
    {"atan", "4096", [](F, double) { return 4096.0; }},
    {"atanh", "8192", [](F a, double) { return std::fabs(a.x) < 1 ? derivedBound : outside; }},
    {"atanpi", "8192", [](F, double) { return derivedBound; }},
    {"atan2", "8192", [](F, double) { return derivedBound; }},
    {"atan2pi", "8192", [](F, double) { return derivedBound; }},
    {"cbrt", "8192", [](F, double) { return derivedBound; }},
    {"cos", "2^-11 absolute from -pi to pi",
     [](F a, double truth) { return limitOfSine(a.x, std::numbers::pi, truth); }},
    {"cosh", "8192 from -88 to 88", [](F a, double) { return within(a.x, -88, 88) ? derivedBound : outside; }},
    {"cospi", "2^-11 absolute from -1 to 1", [](F a, double truth) { return limitOfSine(a.x, 1, truth); }},
    {"exp", "3 + floor(2 abs(x))", [](F a, double) { return limitOfExp(a.x); }},
    {"exp2", "3 + floor(2 abs(x))", [](F a, double) { return limitOfExp(a.x); }},
    {"exp10", "8192", [](F, double) { return derivedBound; }},
    {"expm1", "8192 or derived", [](F, double truth) { return std::max(derivedBound, absolute(4 * 0x1p-23, truth)); }},
    {"log", "3, and 2^-21 absolute from 0.5 to 2", [](F a, double truth) { return limitOfLog(a.x, truth); }},
    {"log2", "3, and 2^-21 absolute from 0.5 to 2", [](F a, double truth) { return limitOfLog(a.x, truth); }},
    {"log10", "3, and 2^-21 absolute from 0.5 to 2", [](F a, double truth) { return limitOfLog(a.x, truth); }},
    {"log1p", "8192 or derived", [](F, double truth) { return limitOfLogOf(truth); }},
    {"pow", "as exp2(y log2(x))", limitOfPow},
    {"pown", "as exp2(y log2(x))", [](F a, double truth) { return limitOfPower(a.x, a.n, truth); }},
    {"powr", "as exp2(y log2(x))", [](F a, double truth) { return a.x > 0 ? limitOfPower(a.x, a.y, truth) : outside; }},
    {"rootn", "as exp2(log2(x) / n)",
     [](F a, double truth) {
       return a.n == 0 || (a.x < 0 && a.n % 2 == 0) ? outside : limitOfPower(a.x, 1.0 / a.n, truth);
     }},
    {"sin", "2^-11 absolute from -pi to pi",
     [](F a, double truth) { return limitOfSine(a.x, std::numbers::pi, truth); }},
    {"sincos", "2^-11 absolute from -pi to pi",
     [](F a, double truth) { return limitOfSine(a.x, std::numbers::pi, truth); }},
    {"sinh", "8192 from -88 to 88", [](F a, double) { return within(a.x, -88, 88) ? derivedBound : outside; }},
    {"sinpi", "2^-11 absolute from -1 to 1", [](F a, double truth) { return limitOfSine(a.x, 1, truth); }},
    {"tan", "8192, as sin(x) / cos(x) from -pi to pi", [](F a, double truth) { return limitOfTangent(a.x, truth); }},
    {"tanh", "8192", [](F, double) { return derivedBound; }},
    {"tanpi", "8192 from -1 to 1", [](F a, double) { return within(a.x, -1, 1) ? derivedBound : outside; }},
};

bool has(const std::string& options, const char* option) {
  const std::string padded = ' ' + options + ' ';
  return padded.find(std::string(" -cl-") + option + ' ') != std::string::npos;
}

}  // namespace

template <class T>
Rules rulesFor(const std::string& options, bool keepsSubnormals) {
  constexpr bool isHalf = sizeof(T) == sizeof(Half), isFloat = sizeof(T) == sizeof(float);
  const bool fast = has(options, "fast-relaxed-math"), isUnsafe = fast || has(options, "unsafe-math-optimizations");
  Rules rules;
  // -cl-denorms-are-zero applies to single and double precision.
  rules.flushes = !keepsSubnormals || (!isHalf && (isUnsafe || has(options, "denorms-are-zero")));
  // Unsafe math assumes that arguments and results are valid.
  rules.finiteOnly = isUnsafe || has(options, "finite-math-only");
  rules.anyZero = isUnsafe || has(options, "no-signed-zeros");
  rules.edgesAreFree = isUnsafe || has(options, "finite-math-only");
  rules.relaxed = isUnsafe && isFloat;
  rules.roundsDivision = isFloat && has(options, "fp32-correctly-rounded-divide-sqrt");
  return rules;
}

template Rules rulesFor<Half>(const std::string&, bool);
template Rules rulesFor<float>(const std::string&, bool);
template Rules rulesFor<double>(const std::string&, bool);

const RelaxedBound* RelaxedBound::of(const std::string& function) {
  for (const RelaxedBound& bound : bounds)
    if (function == bound.function_) return &bound;
  return nullptr;
}

const std::vector<std::string>& optionSets() {
  static const std::vector<std::string> sets = {"",
                                                "-cl-denorms-are-zero",
                                                "-cl-unsafe-math-optimizations",
                                                "-cl-fast-relaxed-math",
                                                "-cl-fp32-correctly-rounded-divide-sqrt",
                                                "-cl-mad-enable",
                                                "-cl-no-signed-zeros",
                                                "-cl-finite-math-only",
                                                "-cl-single-precision-constant",
                                                "-cl-opt-disable"};
  return sets;
}

}  // namespace accuracy
