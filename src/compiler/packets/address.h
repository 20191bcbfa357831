// SPDX-License-Identifier: Apache-2.0
// This file takes addresses apart, so that those which differ by a constant are seen to.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <tuple>

namespace llvm {
class DataLayout;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// An address as a sum: a base, values times bytes, and a constant.
struct Address {
  /// A value of the index arithmetic, how it is extended to 64 bits, and the bytes that it counts.
  using Term = std::tuple<const llvm::Value*, unsigned, std::int64_t>;
  const llvm::Value* base = nullptr;
  llvm::SmallVector<Term, 4> terms;  ///< in an order of their own
  std::int64_t offset = 0;           ///< bytes

  /// Whether two addresses differ by their constants alone.
  bool near(const Address& other) const { return base == other.base && terms == other.terms; }
};

/// An address as a sum, as far as its arithmetic cannot wrap.
Address addressOf(const llvm::Value& pointer, const llvm::DataLayout& layout);

}  // namespace clarity::compiler
