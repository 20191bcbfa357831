// SPDX-License-Identifier: Apache-2.0
// This file writes the loops over rows.
#include "compiler/passes/expand_collectives.h"

#include "compiler/ir/collectives.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <functional>

namespace clarity::compiler {
namespace {

/// Rows are rounded up to this many values.
constexpr unsigned rowRounding = 64;

llvm::Type* elementOf(llvm::StringRef name, llvm::LLVMContext& context) {
  llvm::StringRef type = name.substr(name.rfind('_') + 1);
  type.consume_front("u");
  if (type == "char") return llvm::Type::getInt8Ty(context);
  if (type == "short") return llvm::Type::getInt16Ty(context);
  if (type == "int") return llvm::Type::getInt32Ty(context);
  if (type == "long") return llvm::Type::getInt64Ty(context);
  if (type == "half") return llvm::Type::getHalfTy(context);
  return type == "float" ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
}

class Expander {
public:
  Expander(llvm::CallInst& call, Collective collective, const ExpandCollectivesPass::Options& options)
      : call_(call),
        collective_(collective),
        builder_(&call),
        row_(call.getArgOperand(0)),
        items_(call.getArgOperand(1)),
        element_(elementOf(call.getCalledFunction()->getName(), call.getContext())),
        identity_(identityOf(collective.combination, element_)) {
    const bool rounds = element_->isFloatingPointTy() &&
                        (collective.combination == Combination::Add || collective.combination == Combination::Mul);
    const unsigned bits = element_->getScalarSizeInBits();
    lanes_ = rounds && !options.reassociate ? 1 : std::clamp(options.vectorBits / bits, 2u, rowRounding);
    type_ = lanes_ == 1 ? element_ : llvm::FixedVectorType::get(element_, lanes_);
  }

  void run() {
    switch (collective_.kind) {
      case Collective::Kind::Broadcast:
        call_.replaceAllUsesWith(
            builder_.CreateLoad(element_, builder_.CreateGEP(element_, row_, call_.getArgOperand(2))));
        break;
      case Collective::Kind::Reduce: reduce(); break;
      default: scan(); break;
    }
    call_.eraseFromParent();
  }

private:
  using Body = std::function<llvm::Value*(llvm::Value* place, llvm::Value* values, llvm::Value* before)>;

  /// A loop over the row, `lanes_` values a turn; `body` gets what it returned in the turn before. Returns what it
  /// returned last; the builder stands behind the loop.
  llvm::Value* loop(llvm::Value* begin, const Body& body) {
    llvm::BasicBlock* before = call_.getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(call_.getIterator(), "collective.done");
    llvm::BasicBlock* turn = llvm::BasicBlock::Create(call_.getContext(), "collective", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, turn);
    builder_.SetInsertPoint(turn);
    llvm::PHINode* item = builder_.CreatePHI(builder_.getInt64Ty(), 2, "item");
    llvm::PHINode* carried = builder_.CreatePHI(begin->getType(), 2);
    item->addIncoming(builder_.getInt64(0), before);
    carried->addIncoming(begin, before);
    llvm::Value* place = builder_.CreateGEP(element_, row_, item);
    llvm::Value* values = builder_.CreateAlignedLoad(type_, place, alignment());
    llvm::Value* result = body(place, reduces() ? withoutOthers(values, item) : values, carried);
    llvm::Value* next = builder_.CreateAdd(item, builder_.getInt64(lanes_), "", true, true);
    item->addIncoming(next, turn);
    carried->addIncoming(result, turn);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, items_), turn, after);
    builder_.SetInsertPoint(&call_);
    return result;
  }

  llvm::Align alignment() const { return llvm::Align(element_->getScalarSizeInBits() / 8); }

  bool reduces() const { return collective_.kind == Collective::Kind::Reduce; }

  /// Bytes behind the last work-item's value are no value.
  llvm::Value* withoutOthers(llvm::Value* values, llvm::Value* item) {
    if (lanes_ == 1) return values;
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(items_); known && known->getZExtValue() % lanes_ == 0)
      return values;
    llvm::SmallVector<llvm::Constant*, 64> numbers;
    for (unsigned i = 0; i < lanes_; ++i) numbers.push_back(builder_.getInt32(i));
    llvm::Value* left = builder_.CreateTrunc(builder_.CreateSub(items_, item), builder_.getInt32Ty());
    llvm::Value* there =
        builder_.CreateICmpULT(llvm::ConstantVector::get(numbers), builder_.CreateVectorSplat(lanes_, left));
    return builder_.CreateSelect(there, values, splat(identity_));
  }

  llvm::Constant* splat(llvm::Constant* value) const {
    return lanes_ == 1 ? value : llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), value);
  }

  void reduce() {
    llvm::Value* all = loop(splat(identity_), [&](llvm::Value*, llvm::Value* values, llvm::Value* before) {
      return combine(builder_, collective_.combination, before, values);
    });
    call_.replaceAllUsesWith(lanes_ == 1 ? all : combineElements(builder_, collective_.combination, all));
  }

  void scan() {
    const bool inclusive = collective_.kind == Collective::Kind::InclusiveScan;
    llvm::Constant* begin = inclusive ? identity_ : firstOfExclusiveScan(collective_.combination, element_);
    loop(begin, [&](llvm::Value* place, llvm::Value* values, llvm::Value* before) {
      if (lanes_ == 1) {
        llvm::Value* next = combine(builder_, collective_.combination, before, values);
        builder_.CreateStore(inclusive ? next : before, place);
        return next;
      }
      llvm::Value* own = scanElements(builder_, collective_.combination, values);
      llvm::Value* all = combine(builder_, collective_.combination, builder_.CreateVectorSplat(lanes_, before), own);
      llvm::Value* result = all;
      if (!inclusive)
        result = combine(builder_, collective_.combination, builder_.CreateVectorSplat(lanes_, before),
                         moveUp(builder_, own, 1, identity_));
      builder_.CreateAlignedStore(result, place, alignment());
      return builder_.CreateExtractElement(all, std::uint64_t{lanes_ - 1});
    });
  }

  llvm::CallInst& call_;
  const Collective collective_;
  llvm::IRBuilder<> builder_;
  llvm::Value* row_;
  llvm::Value* items_;
  llvm::Type* element_;
  llvm::Constant* identity_;
  unsigned lanes_ = 1;
  llvm::Type* type_ = nullptr;
};

}  // namespace

llvm::PreservedAnalyses ExpandCollectivesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<std::pair<llvm::CallInst*, Collective>, 8> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto collective = collectiveOf(instruction, collectivePrefix))
      calls.emplace_back(llvm::cast<llvm::CallInst>(&instruction), *collective);
  for (const auto& [call, collective] : calls) Expander(*call, collective, options).run();
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
