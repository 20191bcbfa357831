// SPDX-License-Identifier: Apache-2.0
// This file reads ranges and zero bits off the comparisons that dominate a block.
#include "compiler/analysis/guard_facts.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

namespace clarity::compiler {
namespace {

using namespace llvm::PatternMatch;

llvm::CmpInst::Predicate predicateOf(const llvm::ICmpInst& comparison, bool holds) {
  return holds ? comparison.getPredicate() : comparison.getInversePredicate();
}

/// The range of a value without regard to guards, where that is a number from 0 to 2^31 - 1: the same signed and
/// unsigned, in 32 and in 64 bits.
std::optional<IndexRange> ownRange(const llvm::Value& value) {
  constexpr std::uint64_t most = (std::uint64_t{1} << idBits) - 1;
  if (value.getType()->isIntegerTy(64)) {
    const llvm::ConstantRange values = valuesOf(value);
    if (values.isEmptySet() || values.getUnsignedMax().ugt(most)) return std::nullopt;
    return IndexRange{static_cast<std::int64_t>(values.getUnsignedMin().getZExtValue()),
                      static_cast<std::int64_t>(values.getUnsignedMax().getZExtValue())};
  }
  if (!value.getType()->isIntegerTy(32)) return std::nullopt;
  if (const auto range = rangeOf(value)) return range->least >= 0 && range->fits(32, true) ? range : std::nullopt;
  return isNarrowId(value) ? std::optional(IndexRange{0, most}) : std::nullopt;
}

/// Bits of a value, not beyond the lowest 32, that a comparison says are zero.
std::uint32_t zeroBitsBy(const llvm::ICmpInst& comparison, bool holds, const llvm::Value& value) {
  const llvm::Value* compared;
  const llvm::APInt* mask;
  if (!match(comparison.getOperand(0), m_And(m_Value(compared), m_APInt(mask))) ||
      !match(comparison.getOperand(1), m_Zero()) || predicateOf(comparison, holds) != llvm::CmpInst::ICMP_EQ)
    return 0;
  if (&underCasts(*compared) != &value) return 0;
  return static_cast<std::uint32_t>(mask->zextOrTrunc(32).getZExtValue());
}

}  // namespace

const llvm::Value& underCasts(const llvm::Value& value) {
  const llvm::Value* inner = &value;
  while (llvm::isa<llvm::TruncInst, llvm::ZExtInst>(inner) && inner->getType()->isIntegerTy() &&
         inner->getType()->getIntegerBitWidth() >= 32)
    inner = llvm::cast<llvm::CastInst>(inner)->getOperand(0);
  return *inner;
}

void GuardFacts::forGuards(const llvm::BasicBlock& block,
                           llvm::function_ref<void(const llvm::ICmpInst& comparison, bool holds)> take) const {
  for (const auto* node = dominators_.getNode(&block); node && node->getIDom(); node = node->getIDom()) {
    const llvm::BasicBlock* above = node->getIDom()->getBlock();
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(above->getTerminator());
    const auto* comparison =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!comparison) continue;
    for (const bool holds : {true, false})
      if (dominators_.dominates(llvm::BasicBlockEdge(above, branch->getSuccessor(holds ? 0 : 1)), &block))
        take(*comparison, holds);
  }
}

std::optional<IndexRange> GuardFacts::rangeIn(const llvm::Value& value, const llvm::BasicBlock& block) const {
  const llvm::Value& inner = underCasts(value);
  std::optional<IndexRange> range = ownRange(inner);
  if (!range) return std::nullopt;
  forGuards(block, [&](const llvm::ICmpInst& comparison, bool holds) {
    const auto* bound = llvm::dyn_cast<llvm::ConstantInt>(comparison.getOperand(1));
    if (!range || !bound || bound->getBitWidth() < 32 || &underCasts(*comparison.getOperand(0)) != &inner) return;
    const auto number = [&](std::int64_t of) {
      return llvm::APInt(bound->getBitWidth(), static_cast<std::uint64_t>(of));
    };
    const llvm::ConstantRange passes =
        llvm::ConstantRange::makeExactICmpRegion(predicateOf(comparison, holds), bound->getValue());
    const llvm::ConstantRange left =
        passes.intersectWith(llvm::ConstantRange(number(range->least), number(range->most + 1)));
    if (left.isEmptySet())
      range.reset();
    else
      range = IndexRange{static_cast<std::int64_t>(left.getUnsignedMin().getZExtValue()),
                         static_cast<std::int64_t>(left.getUnsignedMax().getZExtValue())};
  });
  return range;
}

std::uint32_t GuardFacts::zeroBits(const llvm::Value& value, const llvm::BasicBlock& block) const {
  const llvm::Value& inner = underCasts(value);
  std::uint32_t bits = 0;
  forGuards(block, [&](const llvm::ICmpInst& comparison, bool holds) { bits |= zeroBitsBy(comparison, holds, inner); });
  return bits;
}

llvm::PreservedAnalyses GuardFactsPrinterPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const GuardFacts facts(analyses.getResult<llvm::DominatorTreeAnalysis>(function));
  out << "guard facts of '" << function.getName() << "'\n";
  for (const llvm::BasicBlock& block : function) {
    llvm::SmallSetVector<const llvm::Value*, 8> compared;
    facts.forGuards(block, [&](const llvm::ICmpInst& comparison, bool) {
      const llvm::Value *value = comparison.getOperand(0), *masked;
      const llvm::APInt* mask;
      if (match(value, m_And(m_Value(masked), m_APInt(mask)))) value = masked;
      if (value->getType()->isIntegerTy()) compared.insert(&underCasts(*value));
    });
    for (const llvm::Value* value : compared) {
      const auto own = ownRange(*value), range = facts.rangeIn(*value, block);
      const std::uint32_t zero = facts.zeroBits(*value, block);
      const bool never = own && !range;
      if (!never && own == range && zero == 0) continue;
      out << "  ";
      block.printAsOperand(out, /*PrintType=*/false);
      out << ": ";
      value->printAsOperand(out, /*PrintType=*/false);
      if (never) out << " none";
      if (range && own != range) out << " from " << range->least << " to " << range->most;
      if (zero != 0) out << " without bits " << llvm::format_hex(zero, 0);
      out << '\n';
    }
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
