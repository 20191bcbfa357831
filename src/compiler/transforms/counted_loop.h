// SPDX-License-Identifier: Apache-2.0
// This file declares the form of loops that are run in another order than their work-items: what their header asks.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace llvm {
class Loop;
class PHINode;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// `counter predicate limit`: whether there is another iteration.
struct LoopTest {
  llvm::PHINode* counter = nullptr;
  llvm::Value* limit = nullptr;  ///< a value of the counter's type, or of a wider one, which then extends the counter
  llvm::CmpInst::Predicate predicate{};
};

/// Whether a loop is part of no other, contains none, and ends at its header only.
bool endsAtHeader(const llvm::Loop& loop);

/// Nothing where the header asks anything else. `loop` ends at its header.
std::optional<LoopTest> testOf(const llvm::Loop& loop);

}  // namespace clarity::compiler
