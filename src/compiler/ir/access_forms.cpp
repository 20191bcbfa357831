// SPDX-License-Identifier: Apache-2.0
// This file adds forms and finds their ranges.
#include "compiler/ir/access_forms.h"

#include "compiler/ir/cost_model.h"

#include <algorithm>

namespace clarity::compiler {
namespace {

/// More than any sum of products here; what exceeds 64 bits is cut to the ends of AccessedRange.
using Wide = __int128;

std::int64_t cut(Wide number) {
  return static_cast<std::int64_t>(std::clamp<Wide>(number, AccessedRange::least, AccessedRange::most));
}

Wide floorOf(Wide a, Wide b) { return a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0); }

}  // namespace

NumberRange NumberRange::within(const NumberRange& other) const {
  return {std::max(least, other.least), std::min(most, other.most)};
}

std::optional<AccessForm> sumOf(const AccessForm& a, const AccessForm& b, std::int64_t factor) {
  AccessForm sum;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(b.constant, factor, &product) ||
      __builtin_add_overflow(a.constant, product, &sum.constant))
    return std::nullopt;
  sum.terms.reserve(a.terms.size() + b.terms.size());
  auto left = a.terms.begin();
  auto right = b.terms.begin();
  while (left != a.terms.end() || right != b.terms.end()) {
    if (right == b.terms.end() || (left != a.terms.end() && left->unknown < right->unknown)) {
      sum.terms.push_back(*left++);
      continue;
    }
    AccessForm::Term term = *right++;
    if (__builtin_mul_overflow(term.factor, factor, &term.factor)) return std::nullopt;
    if (left != a.terms.end() && left->unknown == term.unknown &&
        __builtin_add_overflow(term.factor, left++->factor, &term.factor))
      return std::nullopt;
    if (term.factor != 0) sum.terms.push_back(term);
  }
  return sum;
}

AccessForm AccessUnknowns::plain(NumberRange range) {
  if (range.isOne()) return {.constant = range.least};
  unknowns_.push_back({.range = range});
  return {.terms = {{static_cast<std::uint32_t>(unknowns_.size() - 1), 1}}};
}

AccessForm AccessUnknowns::quotient(const AccessForm& of, std::int64_t divisor, NumberRange range) {
  // Multiples of the divisor are taken out; nothing else is left if the rest is less than the divisor.
  AccessForm whole, rest;
  whole.constant = cut(floorOf(of.constant, divisor));
  rest.constant = of.constant - whole.constant * divisor;
  for (const AccessForm::Term& term : of.terms)
    if (term.factor % divisor == 0)
      whole.terms.push_back({term.unknown, term.factor / divisor});
    else
      rest.terms.push_back(term);
  const NumberRange left = rangeOf(rest);
  if (left.least >= 0 && left.most < divisor) return whole;
  if (whole.terms.empty())
    range = {cut(Wide{range.least} - whole.constant), cut(Wide{range.most} - whole.constant)};
  else
    range = {};
  range = range.within({cut(floorOf(left.least, divisor)), cut(floorOf(left.most, divisor))});
  // One unknown for a quotient and for what remains, so that both together are the form again.
  const auto known = std::ranges::find_if(unknowns_, [&](const Unknown& each) {
    return each.kind == Unknown::Kind::Quotient && each.divisor == divisor && each.a == rest;
  });
  if (known != unknowns_.end()) {
    const AccessForm part{.terms = {{static_cast<std::uint32_t>(known - unknowns_.begin()), 1}}};
    return sumOf(whole, part, 1).value_or(part);
  }
  const AccessForm remainder = plain({0, divisor - 1});
  unknowns_.push_back({.range = range,
                       .kind = Unknown::Kind::Quotient,
                       .a = rest,
                       .divisor = divisor,
                       .remainder = remainder.isConstant() ? AccessValue::none : remainder.terms[0].unknown});
  const AccessForm part{.terms = {{static_cast<std::uint32_t>(unknowns_.size() - 1), 1}}};
  return sumOf(whole, part, 1).value_or(part);
}

AccessForm AccessUnknowns::ofTwo(Unknown::Kind kind, const AccessForm& a, const AccessForm& b) {
  const bool greatest = kind == Unknown::Kind::Greatest;
  if (const auto difference = sumOf(a, b, -1)) {
    const NumberRange range = rangeOf(*difference);
    if (range.least >= 0) return greatest ? a : b;
    if (range.most <= 0) return greatest ? b : a;
  }
  const NumberRange left = rangeOf(a), right = rangeOf(b);
  const NumberRange range = greatest ? NumberRange{std::max(left.least, right.least), std::max(left.most, right.most)}
                                     : NumberRange{std::min(left.least, right.least), std::min(left.most, right.most)};
  unknowns_.push_back({.range = range, .kind = kind, .a = a, .b = b});
  return {.terms = {{static_cast<std::uint32_t>(unknowns_.size() - 1), 1}}};
}

NumberRange AccessUnknowns::plainRangeOf(const AccessForm& form) const {
  Wide least = form.constant, most = form.constant;
  for (const AccessForm::Term& term : form.terms) {
    const NumberRange& range = unknowns_[term.unknown].range;
    const Wide one = Wide{term.factor} * range.least, other = Wide{term.factor} * range.most;
    least += std::min(one, other);
    most += std::max(one, other);
  }
  return {cut(least), cut(most)};
}

NumberRange AccessUnknowns::substituted(const AccessForm& form, AccessForm::Term term, unsigned depth) const {
  const Unknown& unknown = unknowns_[term.unknown];
  AccessForm rest = form;
  std::erase(rest.terms, term);
  if (unknown.kind == Unknown::Kind::Quotient) {
    if (term.factor % unknown.divisor != 0) return {};
    const std::int64_t times = term.factor / unknown.divisor;
    auto sum = sumOf(rest, unknown.a, times);
    if (sum && unknown.remainder != AccessValue::none) sum = sumOf(*sum, {.terms = {{unknown.remainder, 1}}}, -times);
    return sum ? rangeOf(*sum, depth + 1) : NumberRange{};
  }
  const auto first = sumOf(rest, unknown.a, term.factor), second = sumOf(rest, unknown.b, term.factor);
  if (!first || !second) return {};
  const NumberRange left = rangeOf(*first, depth + 1), right = rangeOf(*second, depth + 1);
  if ((unknown.kind == Unknown::Kind::Greatest) == (term.factor > 0))
    return {std::max(left.least, right.least), std::max(left.most, right.most)};
  return {std::min(left.least, right.least), std::min(left.most, right.most)};
}

NumberRange AccessUnknowns::rangeOf(const AccessForm& form, unsigned depth) const {
  NumberRange range = plainRangeOf(form);
  if (depth >= cost::search::substitutions) return range;
  for (const AccessForm::Term& term : form.terms) {
    if (unknowns_[term.unknown].kind != Unknown::Kind::Plain) range = range.within(substituted(form, term, depth));
  }
  return range;
}

bool AccessUnknowns::limit(const AccessForm& form) {
  const NumberRange all = rangeOf(form);
  if (all.least > 0) return false;
  for (const AccessForm::Term& term : form.terms) {
    AccessForm rest = form;
    std::erase(rest.terms, term);
    // factor * unknown <= -rest, whatever the rest is.
    const NumberRange others = rangeOf(rest);
    if (others.least == AccessedRange::least) continue;
    NumberRange& range = unknowns_[term.unknown].range;
    if (term.factor > 0)
      range.most = std::min(range.most, cut(floorOf(-Wide{others.least}, term.factor)));
    else
      range.least = std::max(range.least, cut(-floorOf(-Wide{others.least}, -Wide{term.factor})));
    if (range.isEmpty()) return false;
  }
  return true;
}

}  // namespace clarity::compiler
