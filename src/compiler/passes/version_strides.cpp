// SPDX-License-Identifier: Apache-2.0
// This file finds products of ids and uniform numbers in addresses, and asks ahead of the loops whether these are 1.
#include "compiler/passes/version_strides.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/transforms/nest_forms.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <utility>

namespace clarity::compiler {
namespace {

/// Operands of operands that are followed. build time.
constexpr unsigned mostDepth = cost::mostIndexDepth + 4;

/// Whether memory that a load reads is the same during a launch, and may be read in any case: arguments by value.
bool readsArgument(const llvm::LoadInst& load) {
  const llvm::DataLayout& layout = load.getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const auto* argument = llvm::dyn_cast<llvm::Argument>(
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  if (!load.isSimple() || !argument || !argument->hasNoAliasAttr() || !argument->onlyReadsMemory()) return false;
  const std::uint64_t bytes = layout.getTypeStoreSize(load.getType()).getFixedValue();
  return !offset.isNegative() && offset.getZExtValue() + bytes <= argument->getDereferenceableBytes();
}

class StrideVersioner {
public:
  StrideVersioner(ItemNest& nest, const VarianceInfo& variance, llvm::LoopInfo& loops, unsigned along)
      : nest_(nest),
        variance_(variance),
        loops_(loops),
        along_(along),
        builder_(nest.before->getContext(), llvm::InstSimplifyFolder(nest.before->getDataLayout())),
        ahead_(blocks_, loops, builder_) {}

  bool run() {
    auto blocks = blocksToCopy(nest_, loops_);
    if (!blocks) return false;
    blocks_ = *std::move(blocks);
    for (llvm::BasicBlock* block : runInOrder(nest_, loops_))
      for (llvm::Instruction& instruction : *block)
        if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
          findStrides(instruction, *pointer);
    if (strides_.empty() || strides_.size() > cost::mostConditions) return false;
    builder_.SetInsertPoint(nest_.before->getTerminator());
    llvm::Value* units = builder_.getTrue();
    for (llvm::Value* stride : strides_)
      units = builder_.CreateAnd(units, builder_.CreateICmpEQ(frozen(*ahead_.of(*stride), builder_),
                                                              llvm::ConstantInt::get(stride->getType(), 1)));
    for (const llvm::Instruction* access : accesses_)
      remark(*access, RemarkKind::Version, "loop versioned for strides of 1 between work-items: consecutive there");
    makeForms(*units);
    return true;
  }

private:
  bool inside(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && blocks_.contains(instruction->getParent());
  }

  /// Whether a value is known only when the kernel is launched, but ahead of the loops.
  bool isKnownAhead(const llvm::Value& value, unsigned depth = 0) const {
    if (llvm::isa<llvm::Constant>(value)) return true;
    if (!inside(value)) return true;
    if (depth == cost::mostIndexDepth) return false;
    const auto& instruction = llvm::cast<llvm::Instruction>(value);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (!readsArgument(*load)) return false;
    } else if (!llvm::isa<llvm::CastInst, llvm::FreezeInst, llvm::GetElementPtrInst>(instruction)) {
      return false;
    }
    return llvm::all_of(instruction.operands(),
                        [&](const llvm::Use& operand) { return isKnownAhead(*operand, depth + 1); });
  }

  /// The strides of an access that are to be 1. Local memory is the program's own, whose strides it knows.
  void findStrides(const llvm::Instruction& access, const llvm::Value& pointer) {
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    if (space != globalAddressSpace && space != constantAddressSpace) return;
    if (variance_.of(pointer).stride[along_] || !variance_.of(pointer).dims.has(along_)) return;
    llvm::SmallSetVector<llvm::Value*, 4> found;
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    inWindow_ = false;
    if (!collect(pointer, found, seen, 0) || found.empty()) return;
    if (inWindow_ && !llvm::all_of(found, [&](const llvm::Value* factor) { return movesWindow(*factor); })) return;
    strides_.insert(found.begin(), found.end());
    accesses_.push_back(&access);
  }

  /// The counter of a work-item's own loop with a constant step.
  bool countsInWindow(const llvm::PHINode& phi) const {
    const llvm::Loop* loop = loops_.getLoopFor(phi.getParent());
    if (!inside(phi) || !loop || loop->getHeader() != phi.getParent() || llvm::is_contained(nest_.counter, &phi))
      return false;
    return llvm::any_of(phi.incoming_values(), [&](const llvm::Use& incoming) {
      const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(&incoming);
      return next && next->getOpcode() == llvm::Instruction::Add && next->getOperand(0) == &phi &&
             llvm::isa<llvm::Constant>(next->getOperand(1));
    });
  }

  /// Whether a sum of this value and others is compared with a bound.
  static bool isCompared(const llvm::Value& value, unsigned depth = 0) {
    if (depth == cost::mostIndexDepth) return false;
    return llvm::any_of(value.users(), [&](const llvm::User* user) {
      if (llvm::isa<llvm::ICmpInst, llvm::MinMaxIntrinsic>(user)) return true;
      const auto* next = llvm::dyn_cast<llvm::Instruction>(user);
      return next && !llvm::isa<llvm::GetElementPtrInst>(next) && isSum(*next) && isCompared(*next, depth + 1);
    });
  }

  /// Whether a factor says how far windows lie apart over which the work-items loop: the picture has borders at which
  /// they are clipped, or the windows move along two dimensions. Otherwise it may be the length of a row.
  bool movesWindow(const llvm::Value& factor) const {
    const llvm::Value* moved = nullptr;
    for (const llvm::User* user : factor.users()) {
      const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(user);
      if (!product || product->getOpcode() != llvm::Instruction::Mul || !inside(*product)) continue;
      const llvm::Value* other = product->getOperand(product->getOperand(0) == &factor ? 1 : 0);
      if (isCompared(*product) || (moved && moved != other)) return true;
      moved = other;
    }
    return false;
  }

  /// Whether a value is a sum of its operands, or as much of one, or one of them.
  static bool isSum(const llvm::Instruction& instruction) {
    const unsigned opcode = instruction.getOpcode();
    return llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::MinMaxIntrinsic>(instruction) ||
           opcode == llvm::Instruction::Select || opcode == llvm::Instruction::Add ||
           opcode == llvm::Instruction::Sub ||
           (opcode == llvm::Instruction::Shl && llvm::isa<llvm::Constant>(instruction.getOperand(1)));
  }

  /// Uniform factors of an address. False: it varies along the lanes in another way, too, or steps by a known distance
  /// along another dimension or in a loop. Then a factor is the length of a row.
  bool collect(const llvm::Value& value, llvm::SmallSetVector<llvm::Value*, 4>& found,
               llvm::SmallPtrSet<const llvm::Value*, 16>& seen, unsigned depth) {
    if (!inside(value) || !seen.insert(&value).second) return true;
    if (depth == mostDepth) return false;
    const auto& instruction = llvm::cast<llvm::Instruction>(value);
    const ValueVariance variance = variance_.of(value);
    if (variance.dims.has(along_) && variance.stride[along_]) return false;
    if (instruction.getOpcode() == llvm::Instruction::Mul)
      for (unsigned i = 0; i < 2; ++i) {
        llvm::Value &factor = *instruction.getOperand(i), &other = *instruction.getOperand(1 - i);
        if (llvm::isa<llvm::Constant>(factor) || !variance_.of(factor).uniform() || !isKnownAhead(factor)) continue;
        if (!variance.dims.has(along_)) return true;
        if (variance_.of(other).stride[along_] != 1) continue;
        found.insert(&factor);
        return true;
      }
    if (llvm::isa<llvm::LoadInst>(instruction)) return isKnownAhead(instruction);
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      if (!countsInWindow(*phi)) return false;
      inWindow_ = true;
    }
    if (instruction.mayReadOrWriteMemory()) return false;
    if (llvm::isa<llvm::CmpInst>(instruction)) return true;  // decides which
    if (variance.dims.has(along_) && !isSum(instruction) && !llvm::isa<llvm::PHINode>(instruction)) return false;
    return llvm::all_of(instruction.operands(),
                        [&](const llvm::Use& operand) { return collect(*operand, found, seen, depth + 1); });
  }

  void makeForms(llvm::Value& units) {
    llvm::ValueToValueMapTy copies;
    llvm::BasicBlock* copied = copyNest(nest_, blocks_, copies);
    llvm::SmallPtrSet<const llvm::BasicBlock*, 32> made;
    for (const llvm::BasicBlock* block : blocks_) made.insert(llvm::cast<llvm::BasicBlock>(copies[block]));
    llvm::SmallVector<llvm::WeakTrackingVH, 32> work;
    for (llvm::Value* stride : strides_) {
      llvm::Value& copy = copyOf(*stride, copies);
      llvm::Constant* one = llvm::ConstantInt::get(stride->getType(), 1);
      copy.replaceUsesWithIf(one, [&](const llvm::Use& use) {
        auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (!user || !made.contains(user->getParent())) return false;
        work.emplace_back(user);
        return true;
      });
    }
    while (!work.empty()) {
      auto* user = llvm::dyn_cast_or_null<llvm::Instruction>(static_cast<llvm::Value*>(work.pop_back_val()));
      if (!user || user->use_empty()) continue;
      llvm::Value* simple = llvm::simplifyInstruction(user, llvm::SimplifyQuery(nest_.before->getDataLayout(), user));
      if (!simple || simple == user) continue;
      for (llvm::User* next : user->users()) work.emplace_back(next);
      user->replaceAllUsesWith(simple);
      if (llvm::isInstructionTriviallyDead(user)) user->eraseFromParent();
    }
    enterOneOf(nest_, units, {*copied, "unit.strides"}, {*nest_.header[2], "any.strides"});
  }

  ItemNest& nest_;
  const VarianceInfo& variance_;
  llvm::LoopInfo& loops_;
  const unsigned along_;
  NestBlocks blocks_;
  AheadBuilder builder_;
  ValuesAhead ahead_;
  llvm::SmallSetVector<llvm::Value*, 8> strides_;
  bool inWindow_ = false;  ///< the address depends on the counter of a work-item's loop, too
  llvm::SmallVector<const llvm::Instruction*, 8> accesses_;
};

}  // namespace

llvm::PreservedAnalyses VersionStridesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const unsigned along = lanesAlong(function);
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  // A second form of one nest changes nothing that the analyses know of the others.
  for (ItemNest& nest : findItemNests(function))
    if (!asksSubGroup(nest)) changed |= StrideVersioner(nest, variance, loops, along).run();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler
