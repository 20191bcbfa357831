// SPDX-License-Identifier: Apache-2.0
// This file splits addresses into terms, so that those which differ by a constant are recognised, and so is by how much
// an address grows from one iteration of a loop to the next.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>
#include <tuple>

namespace llvm {
class DataLayout;
class Loop;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// An address as a sum: a base, values times bytes, and a constant. Other than an affine form of a nest (affine.h) it
/// may have terms of any kind: it describes one address in relation to others.
struct Address {
  /// A value of the index arithmetic, how it is extended to 64 bits, and the bytes that it counts.
  using Term = std::tuple<const llvm::Value*, unsigned, std::int64_t>;
  const llvm::Value* base = nullptr;
  llvm::SmallVector<Term, 4> terms;  ///< sorted, so that equal sums are equal lists
  std::int64_t offset = 0;           ///< bytes

  /// Whether two addresses differ by their constants alone.
  bool near(const Address& other) const { return base == other.base && terms == other.terms; }
};

/// An address as a sum, as far as its arithmetic cannot wrap.
Address addressOf(const llvm::Value& pointer, const llvm::DataLayout& layout);

/// By how many bytes an address grows from one iteration of a loop to the next, modulo 2^64: 0 if it is the same in all
/// of them. Nothing unless it is computed from counters that grow by constants and from loop-invariant values. Narrow
/// counters are taken not to wrap on their way to 64 bits: good for a decision, not for a proof.
std::optional<std::int64_t> bytesPerIteration(const llvm::Value& pointer, const llvm::Loop& loop,
                                              const llvm::DataLayout& layout);

/// Whether an address is of an element of a private array that is known at run time only.
bool isInIndexedArray(const llvm::Value& pointer, const llvm::DataLayout& layout);

}  // namespace clarity::compiler
