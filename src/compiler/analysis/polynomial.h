// SPDX-License-Identifier: Apache-2.0
// This file declares integers as sums of products, so that what is common to two of them cancels whatever its value is.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// The integers that operations stand for.
enum class Numbers : std::uint8_t {
  Signed,    ///< signed numbers, where no operation wraps
  Unsigned,  ///< unsigned numbers, where no operation wraps
  Modular,   ///< numbers modulo 2^bits of one type
};

/// A sum of products of values that are not looked into, each once: `2 * id * n + n + 3`.
struct Polynomial {
  struct Term {
    llvm::SmallVector<llvm::Value*, 2> factors;
    std::int64_t coefficient = 0;
  };
  llvm::SmallVector<Term, 4> terms;  ///< in the order in which the operations name them
  std::int64_t constant = 0;
};

/// Nothing where it has too many terms or too large coefficients. `Signed` and `Unsigned` look through extensions, and
/// through operations only whose flags, or the ranges of ids, say that they do not wrap.
std::optional<Polynomial> polynomialOf(llvm::Value& value, Numbers numbers);

/// `a - b`.
std::optional<Polynomial> differenceOf(const Polynomial& a, const Polynomial& b);

/// Whether the sum is one of 64 bits if its values have 32.
bool hasRoomIn64(const Polynomial& sum);

/// Whether an operation gives the number that its operands have as numbers of that kind.
bool isExact(const llvm::Instruction& operation, Numbers numbers);

}  // namespace clarity::compiler
