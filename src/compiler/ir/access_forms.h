// SPDX-License-Identifier: Apache-2.0
// This file computes with index arithmetic of a launch whose arguments and sizes are known: affine expressions of
// unknowns, each of which has a range (access_summary.h).
#pragma once

#include "compiler/ir/access_summary.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace clarity::compiler {

/// Integers from `least` to `most`; none if there is none between.
struct NumberRange {
  std::int64_t least = AccessedRange::least, most = AccessedRange::most;
  bool isEmpty() const { return least > most; }
  bool isOne() const { return least == most; }
  NumberRange within(const NumberRange& other) const;
};

/// An affine expression: a constant and the sum of factor * unknown. A value of so many bits equals it modulo 2^bits.
struct AccessForm {
  struct Term {
    std::uint32_t unknown = 0;
    std::int64_t factor = 0;
    bool operator==(const Term&) const = default;
  };
  std::int64_t constant = 0;
  std::vector<Term> terms{};  ///< by unknown
  bool isConstant() const { return terms.empty(); }
  bool operator==(const AccessForm&) const = default;
};

/// The unknowns of a launch. Some are known to be what becomes of a form; sums with that form then say more.
class AccessUnknowns {
public:
  struct Unknown {
    enum class Kind : std::uint8_t {
      Plain,
      Quotient,  ///< the quotient of `a` by `divisor`, rounded down; what remains is the unknown `remainder`
      Greatest,  ///< the maximum of `a` and `b`
      Least,
    };
    NumberRange range{};
    Kind kind = Kind::Plain;
    AccessForm a{}, b{};
    std::int64_t divisor = 1;
    std::uint32_t remainder = 0;
  };

  AccessForm plain(NumberRange range);
  /// The quotient of a form by a positive number, rounded down. `range`: what is known of it beside.
  AccessForm quotient(const AccessForm& of, std::int64_t divisor, NumberRange range = {});
  AccessForm greatest(const AccessForm& a, const AccessForm& b) { return ofTwo(Unknown::Kind::Greatest, a, b); }
  AccessForm least(const AccessForm& a, const AccessForm& b) { return ofTwo(Unknown::Kind::Least, a, b); }

  NumberRange rangeOf(const AccessForm& form) const { return rangeOf(form, 0); }
  /// Makes the ranges of the unknowns of a form smaller, so that it may be no more than 0. False if it cannot be.
  bool limit(const AccessForm& form);

  std::vector<Unknown>& all() { return unknowns_; }

private:
  AccessForm ofTwo(Unknown::Kind kind, const AccessForm& a, const AccessForm& b);
  NumberRange plainRangeOf(const AccessForm& form) const;
  NumberRange rangeOf(const AccessForm& form, unsigned depth) const;
  NumberRange substituted(const AccessForm& form, AccessForm::Term term, unsigned depth) const;

  std::vector<Unknown> unknowns_;
};

/// a + factor * b; nothing where numbers become too large.
std::optional<AccessForm> sumOf(const AccessForm& a, const AccessForm& b, std::int64_t factor);

}  // namespace clarity::compiler
