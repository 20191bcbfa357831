// SPDX-License-Identifier: Apache-2.0
// This file judges results. Results whose error is at most the largest one so far take a fast path without branches;
// for all others special values, build options and everything else that the standard leaves open are checked.
#include "accuracy/judge.h"

#include <array>
#include <climits>
#include <cstdio>
#include <string_view>

namespace accuracy {
namespace {

constexpr double wrong = std::numeric_limits<double>::infinity();

template <class W>
std::string numberText(W value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%La", static_cast<long double>(value));
  return text.data();
}

// In C's hexadecimal notation of doubles, which can be read back; that of long double depends on the processor.
template <class T>
std::string argumentText(T value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%a", static_cast<double>(value));
  return text.data();
}

std::string ulpsText(double ulps) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.4g", ulps);
  return text.data();
}

template <class T>
bool isZeroOrInfinite(T value) {
  return (int{magnitudeBits(value) == 0} | int{magnitudeBits(value) == infinityBits<T>}) != 0;
}

// The error if it is a simple difference, otherwise NaN, which compares false. Without branches, for vectorisation.
template <class T>
double quickError(T result, Wide<T> truth) {
  const Wide<T> value = result;
  const int same = int{value == truth} & int{truth != 0}, bothNan = int{value != value} & int{truth != truth};
  const int bothHigh = int{value > beyondLargest<T>()} & int{truth >= beyondLargest<T>()};
  const int bothLow = int{value < -beyondLargest<T>()} & int{truth <= -beyondLargest<T>()};
  const double error = static_cast<double>(std::fabs(value - truth) * inverseUlp<T>(truth));
  const double unlike = truth == 0 ? std::numeric_limits<double>::quiet_NaN() : error;
  return (same | bothNan | bothHigh | bothLow) != 0 ? 0 : unlike;
}

}  // namespace

void Outcome::merge(const Outcome& other) {
  if (other.share() > share() || (other.share() == share() && other.index < index)) {
    error = other.error;
    limit = other.limit;
    index = other.index;
    at = other.at;
  }
  failures += other.failures;
  shown.insert(shown.end(), other.shown.begin(), other.shown.end());
  std::ranges::sort(shown, {}, &Failure::index);
  if (shown.size() > mostShown) shown.resize(mostShown);
}

std::string limitText(double limit) { return limit == exact ? "exact" : limit == unbounded ? "any" : ulpsText(limit); }

template <class T>
Judge<T>::Judge(const Function<T>& function, const Rules& rules)
    : function_(function), rules_(rules), limit_(function.limit) {
  const std::string_view name = function.name;
  if (rules.relaxed) relaxed_ = RelaxedBound::of(function.name);
  if (rules.roundsDivision && (name == "divide" || name == "reciprocal" || name == "sqrt")) limit_ = exact;
  isPower_ = name == "pow" || name == "powr" || name == "pown";
  isExtremum_ = name == "fmax" || name == "fmin" || name == "maxmag" || name == "minmag";
  isMultiplyAdd_ = name == "mad";
  isNext_ = name == "nextafter";
  isQuotient_ = name == "remquo";
  isExponent_ = name == "ilogb";
}

template <class T>
void Judge<T>::judge(const Block<T>& block, const Truth<T>* truth, std::uint64_t begin, Outcome& outcome) const {
  if (givesInt(function_.shape)) return judgeInts(block, truth, Which::First, begin, outcome);
  judgeNumbers(block, truth, Which::First, begin, outcome);
  if (givesSecondNumber(function_.shape)) judgeNumbers(block, truth, Which::Second, begin, outcome);
  if (givesSecondInt(function_.shape)) judgeInts(block, truth, Which::Second, begin, outcome);
}

template <class T>
void Judge<T>::judgeNumbers(const Block<T>& block, const Truth<T>* truth, Which which, std::uint64_t begin,
                            Outcome& outcome) const {
  const T* results = which == Which::First ? block.first.data() : block.second.data();
  auto truthOf = [=](std::size_t i) { return which == Which::First ? truth[i].first : truth[i].second; };
  auto closely = [&](std::size_t i) {
    const Arguments<T> arguments = block.arguments(i);
    Wide<T> exact = truthOf(i);
    if (function_.quick) {
      const Truth<T> again = function_.referenceOfOne(arguments);
      exact = which == Which::First ? again.first : again.second;
    }
    const Verdict found = verdict(arguments, exact, results[i], which);
    const bool recorded = found.error > 0 || outcome.index == UINT64_MAX;
    if (!found.outside && recorded)
      record(arguments, found, argumentText(results[i]), numberText(exact), begin + i, outcome);
  };
  if (relaxed_) {
    for (std::size_t i = 0; i < block.count; ++i) {
      const double limit = limitFor(block.arguments(i), truthOf(i));
      if (std::isnan(limit) || quickError(results[i], truthOf(i)) <= std::min(1.0, outcome.share()) * limit) continue;
      closely(i);
    }
    return;
  }
  if (limit_ == exact) {
    for (std::size_t i = 0; i < block.count; ++i)
      if (bitsOf(static_cast<T>(truthOf(i))) != bitsOf(results[i])) closely(i);
    return;
  }
  constexpr std::size_t part = 1024;
  std::array<double, part> errors;
  const Wide<T> Truth<T>::* const member = which == Which::First ? &Truth<T>::first : &Truth<T>::second;
  for (std::size_t first = 0; first < block.count; first += part) {
    const std::size_t end = std::min(part, block.count - first);
    for (std::size_t i = 0; i < end; ++i) errors[i] = quickError(results[first + i], truth[first + i].*member);
    if (takesOneNumber(function_.shape)) {
      for (std::size_t i = 0; i < end; ++i)
        errors[i] = isZeroOrInfinite(block.x[first + i]) ? std::numeric_limits<double>::quiet_NaN() : errors[i];
    } else {
      for (std::size_t i = 0; i < end; ++i)
        errors[i] = isEdge(block.arguments(first + i)) ? std::numeric_limits<double>::quiet_NaN() : errors[i];
    }
    double seen = limit_ < unbounded ? std::min(1.0, outcome.share()) * limit_ : outcome.share();
    for (std::size_t i = 0; i < end; ++i) {
      if (errors[i] <= seen) continue;
      closely(first + i);
      seen = limit_ < unbounded ? std::min(1.0, outcome.share()) * limit_ : outcome.share();
    }
  }
}

template <class T>
void Judge<T>::judgeInts(const Block<T>& block, const Truth<T>* truth, Which which, std::uint64_t begin,
                         Outcome& outcome) const {
  const std::int32_t* results = which == Which::First ? block.firstInt.data() : block.secondInt.data();
  for (std::size_t i = 0; i < block.count; ++i) {
    const Wide<T> expected = which == Which::First ? truth[i].first : truth[i].second;
    if (static_cast<Wide<T>>(results[i]) == expected) continue;
    const Arguments<T> arguments = block.arguments(i);
    if (rules_.finiteOnly && (saysNothing(arguments, expected) || !std::isfinite(truth[i].first))) continue;
    Verdict found{intErrorOf(expected, results[i], arguments), exact};
    if (found.error > 0)
      found.error = leastErrorOfVariants(arguments, which, [&](const Arguments<T>& variant, Wide<T> other) {
        return intErrorOf(other, results[i], variant);
      });
    if (found.error > 0)
      record(arguments, found, std::to_string(results[i]), std::to_string(static_cast<long long>(expected)), begin + i,
             outcome);
  }
}

// The device defines FP_ILOGB0 and FP_ILOGBNAN, each one of two values. The quotient of remquo() has at least seven
// bits, and the sign.
template <class T>
double Judge<T>::intErrorOf(Wide<T> truth, std::int32_t result, const Arguments<T>& arguments) const {
  const std::int64_t value = result, expected = static_cast<std::int64_t>(truth);
  if (isExponent_ && isZero(arguments.x)) return value == INT_MIN || value == -INT_MAX ? 0 : wrong;
  if (isExponent_ && isNan(arguments.x)) return value == INT_MIN || value == INT_MAX ? 0 : wrong;
  if (isQuotient_) {
    const bool sameSign = value == 0 || expected == 0 || (value < 0) == (expected < 0);
    return sameSign && std::abs(value) % 128 == std::abs(expected) ? 0 : wrong;
  }
  if (function_.limit == unbounded && !isFinite(arguments.x)) return 0;  // lgamma_r has a sign for finite numbers only
  return value == expected ? 0 : wrong;
}

template <class T>
auto Judge<T>::verdict(const Arguments<T>& arguments, Wide<T> truth, T result, Which which) const -> Verdict {
  if (rules_.finiteOnly && saysNothing(arguments, truth)) return {.outside = true};
  const double limit = limitFor(arguments, truth);
  if (std::isnan(limit)) return {.outside = true};
  Verdict found{errorOf(arguments, truth, result, limit), limit};
  if (found.error <= limit && found.error != wrong) return found;
  if (which == Which::First && hasOtherRight(arguments, result)) return {0, limit};
  found.error =
      std::min(found.error, leastErrorOfVariants(arguments, which, [&](const Arguments<T>& variant, Wide<T> other) {
                 return errorOf(variant, other, result, limit);
               }));
  return found;
}

template <class T>
double Judge<T>::limitFor(const Arguments<T>& arguments, Wide<T> truth) const {
  if constexpr (sizeof(T) == sizeof(float))
    if (relaxed_) return relaxed_->limit(arguments, truth);
  return limit_;
}

// With -cl-finite-math-only results are undefined for NaN and infinities, and where they overflow.
template <class T>
bool Judge<T>::saysNothing(const Arguments<T>& arguments, Wide<T> truth) const {
  return !isFinite(arguments.x) || !isFinite(arguments.y) || !isFinite(arguments.z) || !isFinite(static_cast<T>(truth));
}

// Arguments with results that section 7.5 and C99 prescribe: zeros and infinities, and powers of 1 and to 0. At other
// such points (log(1)) the result is zero.
template <class T>
bool Judge<T>::isEdge(const Arguments<T>& arguments) const {
  return isZeroOrInfinite(arguments.x) || (takesY(function_.shape) && isZeroOrInfinite(arguments.y)) ||
         (takesInt(function_.shape) && arguments.n == 0) || (isPower_ && arguments.x == static_cast<T>(1));
}

template <class T>
double Judge<T>::exactErrorOf(Wide<T> truth, T result) const {
  const T right = static_cast<T>(truth);
  if (isNan(right) || isNan(result)) return isNan(right) && isNan(result) ? 0 : wrong;
  if (bitsOf(right) == bitsOf(result)) return 0;
  if (isZero(right) && isZero(result)) return rules_.anyZero ? 0 : wrong;
  return isFinite(right) && isFinite(result) ? ulpsBetween(result, static_cast<Wide<T>>(right)) : wrong;
}

template <class T>
double Judge<T>::errorOf(const Arguments<T>& arguments, Wide<T> truth, T result, double limit) const {
  using W = Wide<T>;
  const W smallest = std::ldexp(W(1), Format<T>::minExponent);
  const double slack = limit < unbounded ? limit : 0;
  // A result that is subnormal, or may be within its error, may be flushed.
  if (rules_.flushes && truth != 0 && isZero(result) &&
      std::fabs(truth) < smallest + static_cast<W>(slack) / inverseUlp<T>(smallest))
    return 0;
  const bool prescribed = !rules_.edgesAreFree && isEdge(arguments) && static_cast<W>(static_cast<T>(truth)) == truth;
  if (limit == exact) return exactErrorOf(truth, result);
  if (prescribed) return exactErrorOf(truth, result) == 0 ? 0 : wrong;
  if (std::isnan(truth) || isNan(result)) return std::isnan(truth) && isNan(result) ? 0 : wrong;
  if (std::isinf(truth)) return static_cast<W>(result) == truth ? 0 : wrong;
  // A number that is rounded to zero within the bound may be rounded to either zero: only zeros themselves have a
  // prescribed sign.
  if (truth != 0) return ulpsBetween(result, truth);
  if (!isZero(result)) return rules_.edgesAreFree ? ulpsBetween(result, truth) : wrong;
  return std::signbit(truth) == isNegative(result) || rules_.anyZero ? 0 : wrong;
}

// Cases with more than one valid result: either zero of fmax(0, -0) and the like, mad() with two roundings.
template <class T>
bool Judge<T>::hasOtherRight(const Arguments<T>& arguments, T result) const {
  if (isExtremum_) return isZero(result) && isZero(arguments.x) && isZero(arguments.y);
  if (isMultiplyAdd_) {
    const volatile T product = static_cast<T>(arguments.x * arguments.y);
    return exactErrorOf(static_cast<Wide<T>>(static_cast<T>(product + arguments.z)), result) == 0;
  }
  // A device that flushes may return the smallest normal number as the successor of zero.
  const BitsOf<T> smallestNormal = static_cast<BitsOf<T>>(BitsOf<T>{1} << Format<T>::mantissaBits);
  return isNext_ && rules_.flushes && magnitudeBits(arguments.x) < smallestNormal &&
         magnitudeBits(result) == smallestNormal;
}

// The smallest error of a result if subnormal arguments may be treated as zeros, and zeros as the other zero, as the
// rules allow.
template <class T>
template <class Error>
double Judge<T>::leastErrorOfVariants(const Arguments<T>& arguments, Which which, Error error) const {
  if (!rules_.flushes && !rules_.anyZero) return wrong;
  auto choices = [&](T value) {
    std::vector<T> all{value};
    if ((rules_.flushes && isSubnormal(value)) || (rules_.anyZero && isZero(value)))
      all.push_back(static_cast<T>(0.0f)), all.push_back(static_cast<T>(-0.0f));
    return all;
  };
  double least = wrong;
  for (const T x : choices(arguments.x))
    for (const T y : takesY(function_.shape) ? choices(arguments.y) : std::vector<T>{arguments.y})
      for (const T z : takesZ(function_.shape) ? choices(arguments.z) : std::vector<T>{arguments.z}) {
        const Arguments<T> variant{x, y, z, arguments.n};
        const Truth<T> truth = function_.referenceOfOne(variant);
        least = std::min(least, error(variant, which == Which::First ? truth.first : truth.second));
      }
  return least;
}

template <class T>
std::string Judge<T>::callText(const Arguments<T>& arguments) const {
  std::string text = argumentText(arguments.x);
  if (takesY(function_.shape)) text += ", " + argumentText(arguments.y);
  if (takesZ(function_.shape)) text += ", " + argumentText(arguments.z);
  if (takesInt(function_.shape)) text += ", " + std::to_string(arguments.n);
  return text;
}

template <class T>
void Judge<T>::record(const Arguments<T>& arguments, const Verdict& found, const std::string& result,
                      const std::string& truth, std::uint64_t index, Outcome& outcome) const {
  Outcome one{.error = found.error, .limit = found.limit, .index = index};
  if (one.share() > outcome.share() || outcome.index == UINT64_MAX) one.at = callText(arguments);
  if (found.error > found.limit || found.error == wrong) {
    one.failures = 1;
    if (outcome.shown.size() < Outcome::mostShown)
      one.shown.push_back({index, function_.fullName() + '(' + callText(arguments) + ") is " + result + ", not " +
                                      truth + ": " + (found.error == wrong ? "wrong" : ulpsText(found.error) + " ulp") +
                                      ", allowed: " + limitText(found.limit)});
  }
  outcome.merge(one);
}

template class Judge<Half>;
template class Judge<float>;
template class Judge<double>;

}  // namespace accuracy
