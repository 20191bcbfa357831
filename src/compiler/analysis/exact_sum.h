// SPDX-License-Identifier: Apache-2.0
// This file declares index arithmetic of 32 bits as a sum that is computed with more bits.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

namespace llvm {
class Value;
}

namespace clarity::compiler {

class VarianceInfo;

/// A sum of multiples. With as many bits as an extension has it does not wrap where the narrower arithmetic would.
struct ExactSum {
  struct Term {
    const llvm::Value* value = nullptr;
    std::int64_t factor = 1;
  };
  llvm::SmallVector<Term, 4> terms;  ///< their values, signed, are those that the program means, for every work-item
  std::int64_t constant = 0;
};

/// The sum that a signed number is, for all work-items whose arithmetic does not wrap. Only for numbers that stay in
/// step where it does not (staysInStep). Nothing for those that it does not find in the operations: those of loops.
std::optional<ExactSum> exactSumOf(const llvm::Value& number, const VarianceInfo& variance);

}  // namespace clarity::compiler
