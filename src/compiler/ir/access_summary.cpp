// SPDX-License-Identifier: Apache-2.0
// This file computes the ranges that a box of work-groups accesses.
#include "compiler/ir/access_summary.h"

#include "compiler/ir/access_forms.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace clarity::compiler {
namespace {

using Kind = AccessValue::Kind;

/// No work-item lives to see so many iterations.
constexpr std::int64_t mostIterations = std::int64_t{1} << 48;

/// The numbers of a type. Those of unsigned 64 bits end where numbers here do.
NumberRange rangeOfType(unsigned bits, bool isSigned) {
  if (bits >= 64) return isSigned ? NumberRange{} : NumberRange{0, AccessedRange::most};
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  return isSigned ? NumberRange{-half, half - 1} : NumberRange{0, 2 * half - 1};
}

bool isIn(const NumberRange& inner, const NumberRange& outer) {
  return inner.least >= outer.least && inner.most <= outer.most;
}

/// Whether a range may have been cut.
bool isOpen(const NumberRange& range) {
  return range.least == AccessedRange::least || range.most == AccessedRange::most;
}

class Evaluation {
public:
  Evaluation(const AccessSummary& summary, const AccessedBox& box, std::span<const std::byte> block)
      : summary_(summary), box_(box), block_(block), forms_(summary.values.size()), exact_(2 * summary.values.size()) {
    for (std::size_t d = 0; d < 3; ++d) {
      const auto number = [](std::size_t of) { return static_cast<std::int64_t>(of); };
      const std::int64_t offset = number(box.offset[d]), local = number(box.local[d]);
      const std::int64_t first = number(box.firstGroup[d]), last = first + number(box.groups[d]);
      ids_[d] = unknowns_.plain({offset + first * local, offset + std::min(last * local, number(box.global[d])) - 1});
      AccessForm inGrid = ids_[d];
      inGrid.constant -= offset;
      groups_[d] = unknowns_.quotient(inGrid, local, {first, last - 1});
    }
  }

  std::vector<AccessedRange> run() {
    // All unknowns are there before conditions make their ranges smaller.
    for (const MemoryAccess& access : summary_.accesses) (void)form(access.offset);
    for (const AccessCondition& each : summary_.conditions) {
      (void)exact(each.left, each.isSigned);
      (void)exact(each.right, each.isSigned);
    }
    std::vector<AccessedRange> ranges;
    for (const MemoryAccess& access : summary_.accesses) {
      const auto before = unknowns_.all();
      if (apply(access.conditions)) add(access, ranges);
      unknowns_.all() = before;
    }
    return ranges;
  }

private:
  void add(const MemoryAccess& access, std::vector<AccessedRange>& ranges) {
    const NumberRange offsets = unknowns_.rangeOf(form(access.offset));
    AccessedRange range{.argument = access.argument, .isWrite = access.isWrite};
    if (!isOpen(offsets) && access.bytes < std::uint64_t{1} << 48 &&
        offsets.most < AccessedRange::most - static_cast<std::int64_t>(access.bytes)) {
      range.begin = offsets.least;
      range.end = offsets.most + static_cast<std::int64_t>(access.bytes);
    }
    if (std::ranges::find(ranges, range) == ranges.end()) ranges.push_back(range);
  }

  // --- conditions ----------------------------------------------------------------------------------------------------

  /// Makes ranges smaller; false if the conditions cannot all hold.
  bool apply(const std::vector<std::uint32_t>& conditions) {
    for (unsigned round = 0; round < 2; ++round)
      for (const std::uint32_t index : conditions)
        if (!apply(summary_.conditions[index])) return false;
    return true;
  }

  bool apply(const AccessCondition& condition) {
    const Exact &left = exact(condition.left, condition.isSigned), &right = exact(condition.right, condition.isSigned);
    if (!right.isKnown) return true;
    if (!left.isKnown) return applyToWrapped(condition, right.form);
    const std::int64_t gap = condition.relation == AccessCondition::Relation::Less ? 1 : 0;
    if (!limit(left.form, right.form, gap)) return false;
    return condition.relation != AccessCondition::Relation::Equal || limit(right.form, left.form, 0);
  }

  /// `(unsigned)(x - 1) < n` says that x is at least 1, too, where x - 1 is above -2^bits + n.
  bool applyToWrapped(const AccessCondition& condition, const AccessForm& right) {
    const AccessValue& value = summary_.values[condition.left];
    if (condition.isSigned || value.bits >= 63 || condition.relation == AccessCondition::Relation::Equal) return true;
    const AccessForm left = form(condition.left);
    const NumberRange range = unknowns_.rangeOf(left), most = unknowns_.rangeOf(right);
    const std::int64_t wrap = std::int64_t{1} << value.bits;
    if (range.most >= wrap || range.least < -wrap || range.least + wrap <= most.most) return true;
    const std::int64_t gap = condition.relation == AccessCondition::Relation::Less ? 1 : 0;
    return limit(left, right, gap) && limit(AccessForm{}, left, 0);
  }

  /// Left + gap <= right.
  bool limit(const AccessForm& left, const AccessForm& right, std::int64_t gap) {
    auto difference = sumOf(left, right, -1);
    if (!difference || __builtin_add_overflow(difference->constant, gap, &difference->constant)) return true;
    return unknowns_.limit(*difference);
  }

  // --- values --------------------------------------------------------------------------------------------------------

  /// A form that equals the value as a signed or unsigned number, not modulo 2^bits.
  struct Exact {
    AccessForm form;
    bool isKnown = false;  ///< false: the form is any number of the type
  };

  const Exact& exact(std::uint32_t index, bool isSigned) {
    std::optional<Exact>& known = exact_[2 * index + (isSigned ? 1 : 0)];
    if (known) return *known;
    const AccessValue& value = summary_.values[index];
    AccessForm own = form(index);
    NumberRange range = unknowns_.rangeOf(own);
    const NumberRange type = rangeOfType(value.bits, isSigned);
    if (value.bits < 62 && !isOpen(range)) {
      const std::int64_t all = std::int64_t{1} << value.bits;
      std::int64_t times = (range.least - type.least) / all;
      if (range.least < type.least && times * all != range.least - type.least) --times;
      if (times != 0 && !__builtin_sub_overflow(own.constant, times * all, &own.constant))
        range = unknowns_.rangeOf(own);
    }
    Exact made{.form = own, .isKnown = isIn(range, type) && !(value.bits >= 64 && isOpen(range))};
    if (!made.isKnown && (isSigned ? value.neverWrapsSigned : value.neverWraps)) made = withoutWrap(value, isSigned);
    if (!made.isKnown) made.form = unknowns_.plain(value.bits >= 64 ? NumberRange{} : type);
    return *(known = std::move(made));
  }

  /// The result of an operation that never wraps: that of its operands as numbers, as far as the type has it.
  Exact withoutWrap(const AccessValue& value, bool isSigned) {
    const Exact a = exact(value.a, isSigned), b = exact(value.b, isSigned);
    if (!a.isKnown || !b.isKnown) return {};
    std::optional<AccessForm> result;
    if (value.kind == Kind::Add) result = sumOf(a.form, b.form, 1);
    if (value.kind == Kind::Subtract) result = sumOf(a.form, b.form, -1);
    if (value.kind == Kind::Multiply) result = product(a.form, b.form);
    if (value.kind == Kind::Recurrence) result = recurrence(a.form, b.form, value);
    const NumberRange type = rangeOfType(value.bits, isSigned);
    if (!result || unknowns_.rangeOf(*result).within(type).isEmpty()) return {};
    const NumberRange range = unknowns_.rangeOf(*result);
    if (isIn(range, type) && !isOpen(range)) return {.form = *std::move(result), .isKnown = true};
    return {.form = unknowns_.plain(range.within(type)), .isKnown = true};
  }

  NumberRange exactRange(std::uint32_t index, bool isSigned) { return unknowns_.rangeOf(exact(index, isSigned).form); }

  AccessForm anyOf(const AccessValue& value) {
    return unknowns_.plain(value.bits >= 64 ? NumberRange{} : rangeOfType(value.bits, false));
  }

  const AccessForm& form(std::uint32_t index) {
    std::optional<AccessForm>& known = forms_[index];
    if (!known) {
      AccessForm made = compute(summary_.values[index]);
      known = std::move(made);
    }
    return *known;
  }

  AccessForm compute(const AccessValue& value) {
    const auto d = static_cast<std::size_t>(value.number) % 3;
    const auto number = [](std::size_t of) { return AccessForm{.constant = static_cast<std::int64_t>(of)}; };
    switch (value.kind) {
      case Kind::Constant: return {.constant = value.number};
      case Kind::Argument: return argument(value);
      case Kind::GlobalId: return ids_[d];
      case Kind::GroupId: return groups_[d];
      case Kind::LocalId: return localId(d);
      case Kind::GlobalSize: return number(box_.global[d]);
      case Kind::EnqueuedSize: return number(box_.local[d]);
      case Kind::LocalSize:
        if (box_.global[d] % box_.local[d] == 0) return number(box_.local[d]);
        return unknowns_.plain({1, static_cast<std::int64_t>(box_.local[d])});
      case Kind::NumGroups: return number((box_.global[d] + box_.local[d] - 1) / box_.local[d]);
      case Kind::GlobalOffset: return number(box_.offset[d]);
      case Kind::WorkDim: return number(box_.dims);
      case Kind::Unknown: return anyOf(value);
      case Kind::Iteration: return iteration(value);
      case Kind::ZeroExtend: return exact(value.a, false).form;
      case Kind::SignExtend: return exact(value.a, true).form;
      case Kind::Truncate: return form(value.a);
      default: return operation(value);
    }
  }

  AccessForm argument(const AccessValue& value) const {
    const std::size_t bytes = value.bits / 8;
    std::uint64_t bits = 0;
    if (static_cast<std::size_t>(value.number) + bytes <= block_.size())
      std::memcpy(&bits, block_.data() + value.number, bytes);
    const unsigned unused = 64U - value.bits;
    return {.constant = static_cast<std::int64_t>(bits << unused) >> unused};
  }

  AccessForm localId(std::size_t d) const {
    AccessForm inGrid = ids_[d];
    inGrid.constant -= static_cast<std::int64_t>(box_.offset[d]);
    return sumOf(inGrid, groups_[d], -static_cast<std::int64_t>(box_.local[d])).value_or(AccessForm{});
  }

  AccessForm iteration(const AccessValue& value) {
    std::int64_t most = mostIterations;
    if (value.a != AccessValue::none && exact(value.a, false).isKnown)
      most = std::clamp<std::int64_t>(exactRange(value.a, false).most, 0, mostIterations);
    return unknowns_.plain({0, most});
  }

  AccessForm operation(const AccessValue& value) {
    switch (value.kind) {
      case Kind::Recurrence: return recurrence(form(value.a), form(value.b), value).value_or(anyOf(value));
      case Kind::Add: return sumOf(form(value.a), form(value.b), 1).value_or(anyOf(value));
      case Kind::Subtract: return sumOf(form(value.a), form(value.b), -1).value_or(anyOf(value));
      case Kind::Multiply: return product(form(value.a), form(value.b)).value_or(anyOf(value));
      case Kind::Divide: return quotient(value, false);
      case Kind::SignedDivide: return quotient(value, true);
      case Kind::Remainder: return remainder(value, false);
      case Kind::SignedRemainder: return remainder(value, true);
      case Kind::And: return conjunction(value);
      case Kind::Or: return disjunction(value);
      case Kind::Xor: return belowPowerOfTwo(value, false);
      case Kind::ShiftRight: return shifted(value, false);
      case Kind::SignedShiftRight: return shifted(value, true);
      case Kind::Least: return ofTwo(value, false, false);
      case Kind::Greatest: return ofTwo(value, false, true);
      case Kind::SignedLeast: return ofTwo(value, true, false);
      case Kind::SignedGreatest: return ofTwo(value, true, true);
      default: return either(value);
    }
  }

  /// Nothing where numbers become too large.
  std::optional<AccessForm> product(const AccessForm& a, const AccessForm& b) {
    if (b.isConstant()) return sumOf({}, a, b.constant);
    if (a.isConstant()) return sumOf({}, b, a.constant);
    const NumberRange left = unknowns_.rangeOf(a), right = unknowns_.rangeOf(b);
    std::array<std::int64_t, 4> ends{};
    std::size_t i = 0;
    for (const std::int64_t one : {left.least, left.most})
      for (const std::int64_t other : {right.least, right.most})
        if (__builtin_mul_overflow(one, other, &ends[i++])) return std::nullopt;
    return unknowns_.plain({std::ranges::min(ends), std::ranges::max(ends)});
  }

  std::optional<AccessForm> recurrence(const AccessForm& start, const AccessForm& step, const AccessValue& value) {
    const auto grown = product(step, form(static_cast<std::uint32_t>(value.number)));
    return grown ? sumOf(start, *grown, 1) : std::nullopt;
  }

  /// Rounded down, as signed quotients of numbers that are not negative are, too.
  AccessForm quotient(const AccessValue& value, bool isSigned) {
    const Exact &a = exact(value.a, isSigned), &b = exact(value.b, isSigned);
    const NumberRange left = unknowns_.rangeOf(a.form), right = unknowns_.rangeOf(b.form);
    if (!a.isKnown || !b.isKnown || left.least < 0 || right.least <= 0) return anyOf(value);
    if (right.isOne()) return unknowns_.quotient(a.form, right.least);
    return unknowns_.plain({left.least / right.most, left.most / right.least});
  }

  AccessForm remainder(const AccessValue& value, bool isSigned) {
    const Exact &a = exact(value.a, isSigned), &b = exact(value.b, isSigned);
    const NumberRange left = unknowns_.rangeOf(a.form), right = unknowns_.rangeOf(b.form);
    if (!b.isKnown || right.least <= 0) return anyOf(value);
    if (!a.isKnown || left.least < 0) {
      if (isSigned) return unknowns_.plain({-(right.most - 1), right.most - 1});
      return unknowns_.plain({0, right.most - 1});
    }
    if (left.most < right.least) return a.form;
    if (!right.isOne()) return unknowns_.plain({0, std::min(left.most, right.most - 1)});
    return withoutMultiples(a.form, right.least);
  }

  /// A form without multiples of a number.
  AccessForm withoutMultiples(const AccessForm& of, std::int64_t divisor) {
    const AccessForm whole = unknowns_.quotient(of, divisor);
    if (auto rest = sumOf(of, whole, -divisor)) return *std::move(rest);
    return unknowns_.plain({0, divisor - 1});
  }

  AccessForm conjunction(const AccessValue& value) {
    const AccessForm &a = form(value.a), &b = form(value.b);
    const AccessForm &mask = b.isConstant() ? b : a, &other = b.isConstant() ? a : b;
    if (mask.isConstant() && mask.constant >= 0 && mask.constant < AccessedRange::most &&
        std::has_single_bit(static_cast<std::uint64_t>(mask.constant) + 1))
      return withoutMultiples(other, mask.constant + 1);
    // Whole multiples of a power of two.
    if (mask.isConstant() && mask.constant < 0 && mask.constant > AccessedRange::least &&
        std::has_single_bit(static_cast<std::uint64_t>(-mask.constant)))
      if (auto sum = sumOf({}, unknowns_.quotient(other, -mask.constant), -mask.constant)) return *std::move(sum);
    std::int64_t most = AccessedRange::most;
    for (const std::uint32_t each : {value.a, value.b})
      if (exact(each, false).isKnown) most = std::min(most, exactRange(each, false).most);
    return most == AccessedRange::most ? anyOf(value) : unknowns_.plain({0, most});
  }

  AccessForm disjunction(const AccessValue& value) {
    const AccessForm &a = form(value.a), &b = form(value.b);
    const AccessForm &bits = b.isConstant() ? b : a, &other = b.isConstant() ? a : b;
    if (bits.isConstant() && bits.constant > 0) {
      const auto step = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bits.constant) + 1));
      const auto isWhole = [step](const AccessForm::Term& term) { return term.factor % step == 0; };
      if (step > 0 && other.constant % step == 0 && std::ranges::all_of(other.terms, isWhole))
        return sumOf(other, bits, 1).value_or(anyOf(value));
    }
    return belowPowerOfTwo(value, true);
  }

  /// The bits of both together.
  AccessForm belowPowerOfTwo(const AccessValue& value, bool keepsBits) {
    if (!exact(value.a, false).isKnown || !exact(value.b, false).isKnown) return anyOf(value);
    const NumberRange left = exactRange(value.a, false), right = exactRange(value.b, false);
    const auto most = static_cast<std::uint64_t>(std::max(left.most, right.most));
    if (most >= std::uint64_t{1} << 62) return anyOf(value);
    return unknowns_.plain(
        {keepsBits ? std::max(left.least, right.least) : 0, static_cast<std::int64_t>(std::bit_ceil(most + 1)) - 1});
  }

  AccessForm shifted(const AccessValue& value, bool isSigned) {
    const Exact& a = exact(value.a, isSigned);
    const NumberRange by = exactRange(value.b, false);
    if (!a.isKnown || by.least < 0 || by.most > 62) return anyOf(value);
    if (by.isOne()) return unknowns_.quotient(a.form, std::int64_t{1} << by.least);
    const NumberRange range = unknowns_.rangeOf(a.form);
    return unknowns_.plain({std::min(range.least >> by.least, range.least >> by.most),
                            std::max(range.most >> by.least, range.most >> by.most)});
  }

  AccessForm ofTwo(const AccessValue& value, bool isSigned, bool greatest) {
    const Exact a = exact(value.a, isSigned), b = exact(value.b, isSigned);
    if (!a.isKnown && !b.isKnown) return anyOf(value);
    return greatest ? unknowns_.greatest(a.form, b.form) : unknowns_.least(a.form, b.form);
  }

  AccessForm either(const AccessValue& value) {
    const NumberRange left = unknowns_.rangeOf(form(value.a)), right = unknowns_.rangeOf(form(value.b));
    return unknowns_.plain({std::min(left.least, right.least), std::max(left.most, right.most)});
  }

  const AccessSummary& summary_;
  const AccessedBox& box_;
  std::span<const std::byte> block_;
  AccessUnknowns unknowns_;
  std::array<AccessForm, 3> ids_, groups_;
  std::vector<std::optional<AccessForm>> forms_;
  std::vector<std::optional<Exact>> exact_;  ///< by value: unsigned, signed
};

}  // namespace

std::vector<AccessedRange> accessedBy(const AccessSummary& summary, const AccessedBox& box,
                                      std::span<const std::byte> block) {
  return Evaluation(summary, box, block).run();
}

}  // namespace clarity::compiler
