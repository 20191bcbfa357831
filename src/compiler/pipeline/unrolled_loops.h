// SPDX-License-Identifier: Apache-2.0
// This file declares who notices that LLVM has unrolled a loop: only then is there something for the passes that
// simplify what unrolling leaves.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
class PassInstrumentationCallbacks;
}  // namespace llvm

namespace clarity::compiler {

/// To live as long as passes with the callbacks run.
class UnrolledLoops {
public:
  void registerIn(llvm::PassInstrumentationCallbacks& callbacks);
  /// Whether the last pass of those that unroll has unrolled a loop of the function.
  bool isIn(const llvm::Function& function) const { return unrolled_ == &function; }

private:
  const llvm::Function* unrolled_ = nullptr;
  const llvm::Function* running_ = nullptr;  ///< whose loops a pass works on
  std::uint64_t instructions_ = 0;           ///< instructions of the function, ahead of a pass
};

}  // namespace clarity::compiler
