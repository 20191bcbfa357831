// SPDX-License-Identifier: Apache-2.0
// This file declares what a loop over the bits of a number computes, without the loop.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace clarity::compiler {

/// How each iteration changes a number: it clears the lowest one bit, or shifts by a constant.
struct BitStep {
  enum class Kind : std::uint8_t { ClearLowest, Right, SignedRight, Left };
  Kind kind;
  unsigned by;  ///< 1 for ClearLowest
};

/// Code at the end of a loop's header that computes in the first iteration what later ones would. It reads the phis of
/// the header as the numbers with which the loop begins, so it is right once the loop has no back edge any more.
/// Functions return nullptr where the loop is none of those that it knows; they may have inserted code by then.
class BitLoop {
public:
  explicit BitLoop(llvm::Loop& loop);

  /// The number of iterations, as i32, after which `condition` is first unlike `stays`; any number if that never is.
  llvm::Value* iterationsWhile(llvm::Value& condition, bool stays);

  /// A value of the loop in iteration `iterations`, which is what `iterationsWhile` has returned, or the least of
  /// several of them. The condition that it was asked about last tells what the numbers are then.
  llvm::Value* valueAfter(llvm::Value& value, llvm::Value& iterations);

  /// Whether the code counts bits, and is right: no counter that chooses a bit gets beyond the number's bits, and where
  /// a bit that would end the loop may not come at all, something else ends the loop by then. Code that counts none is
  /// a plain counter's.
  bool countsBits() const {
    return counts_ && (reach_ == anyNumber || most_ <= reach_) &&
           (endless_ == anyNumber || most_ <= endless_ || widest_ <= endless_);
  }

  llvm::IRBuilder<>& codeBuilder() { return builder_; }

private:
  struct Tested {
    llvm::PHINode* number;
    llvm::Value* first;  ///< the value in the first iteration
    BitStep step;
  };
  struct Counter {
    llvm::PHINode* number;
    llvm::APInt start, step;
    bool stepped;  ///< the number behind the step
  };

  static unsigned bitWidth(const llvm::Value& number) { return number.getType()->getIntegerBitWidth(); }
  bool isInvariant(const llvm::Value& value) const { return loop_.isLoopInvariant(&value); }
  llvm::Value* nextOf(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(loop_.getLoopLatch()); }
  llvm::Value* startOf(const llvm::PHINode& phi) const;
  std::optional<BitStep> stepOf(llvm::PHINode& phi) const;
  std::optional<Tested> asTested(llvm::Value& value);
  std::optional<Counter> asCounter(llvm::Value& value) const;
  std::optional<Counter> asPlace(llvm::Value& place, unsigned bits);
  llvm::Value* stepped(llvm::Value& number, BitStep step);

  llvm::Value* whileCompares(llvm::CmpPredicate predicate, llvm::Value& left, llvm::Value& right);
  llvm::Value* whileNotZero(const Tested& tested, unsigned lowBits, bool isPositive);
  llvm::Value* whileBitIs(bool set, const Tested& tested, unsigned bit);
  llvm::Value* whileChosenBitIs(bool set, llvm::Value& number, llvm::Value& mask);
  llvm::Value* whileCounts(llvm::CmpPredicate predicate, const Counter& counter, const llvm::APInt& bound);

  llvm::Value* phiAfter(llvm::PHINode& phi, llvm::Value& iterations);
  llvm::Value* steppedAfter(llvm::PHINode& phi, BitStep step, llvm::Value& iterations);
  llvm::Value* gatheredAfter(llvm::PHINode& phi, llvm::BinaryOperator& next, llvm::Value& term,
                             llvm::Value& iterations);
  llvm::Value* prefixAfter(llvm::PHINode& phi, llvm::Value& term);
  llvm::Value* passedBits(llvm::Value& bit, llvm::Value& iterations);
  llvm::Value* lowBits(llvm::Value& number, llvm::Value& iterations);

  llvm::Value* count(llvm::Intrinsic::ID counter, llvm::Value& number);
  void noteEnd(const llvm::Value& number, bool comes);
  llvm::Value* cast(llvm::Value& number, llvm::Type& type) { return builder_.CreateZExtOrTrunc(&number, &type); }

  llvm::Loop& loop_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> after_;  ///< results of `valueAfter`
  llvm::Value* endsAtZero_ = nullptr;  ///< the number that is 0 behind the loop, if its only exit says so
  unsigned conditions_ = 0;
  static constexpr unsigned anyNumber = ~0u;
  unsigned reach_ = anyNumber;    ///< the iterations in which counters choose bits that a number has
  unsigned most_ = anyNumber;     ///< the iterations that a counter permits
  unsigned widest_ = 0;           ///< the most that the number of iterations by any of the conditions may be
  unsigned endless_ = anyNumber;  ///< the number of iterations that stands for a loop without an end
  bool counts_ = false;
};

}  // namespace clarity::compiler
