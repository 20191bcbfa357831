// SPDX-License-Identifier: Apache-2.0
// This file counts the instructions that functions have once calls are inlined.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <functional>
#include <utility>

namespace llvm {
class CallInst;
class Function;
}  // namespace llvm

namespace clarity::compiler {

/// Sizes of functions with the calls inlined that a predicate names; each function is counted once.
class InlinedSizes {
public:
  /// Whether a call of a function that has a body is inlined. It may ask for the size of the function.
  using IsInlined = std::function<bool(const llvm::CallInst& call, llvm::Function& callee)>;
  explicit InlinedSizes(IsInlined isInlined) : isInlined_(std::move(isInlined)) {}

  /// Instructions; with recursion more than any limit.
  std::uint64_t of(const llvm::Function& function);

private:
  IsInlined isInlined_;
  llvm::DenseMap<const llvm::Function*, std::uint64_t> sizes_;
};

}  // namespace clarity::compiler
