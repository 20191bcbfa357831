// SPDX-License-Identifier: Apache-2.0
// This file finds parts of a kernel that any work-items may execute, and replaces the numbers in them.
#include "compiler/nvptx/spread_items.h"

#include "compiler/analysis/variance.h"
#include "compiler/guard/limits.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/nvptx/lane_values.h"
#include "compiler/nvptx/warp_groups.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

namespace clarity::compiler::nvptx {
namespace {

/// `step` * number + `first`.
struct Line {
  std::int64_t step = 0, first = 0;
};

/// A part that a condition guards: `way` of `branch` leads to it, the other one to where it ends.
struct Part {
  Part(llvm::BranchInst& branch, unsigned way) : branch(&branch), way(way) {}
  llvm::BranchInst* branch;
  unsigned way;
  llvm::SetVector<llvm::BasicBlock*> blocks;
  llvm::MapVector<llvm::Value*, Line> numbers;  ///< that the part uses and work-items' own numbers decide
  Line stored;                                  ///< the element of its first store
  std::int64_t active = 0;                      ///< the work-items 0 to here execute it
};

class Spreader {
public:
  Spreader(llvm::Function& kernel, unsigned items)
      : kernel_(kernel), values_(kernel.getDataLayout(), items), dominators_(kernel), variance_(kernel) {}

  unsigned run() {
    std::vector<Part> parts;
    for (llvm::BasicBlock& block : kernel_)
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator()); branch && branch->isConditional())
        for (unsigned way = 0; way < 2; ++way)
          if (Part part(*branch, way); find(part)) parts.push_back(std::move(part));
    for (Part& part : parts) spread(part);
    return static_cast<unsigned>(parts.size());
  }

private:
  bool find(Part& part) {
    if (!variance_.divergence(*part.branch->getParent()).empty()) return false;
    return findActive(part) && findBlocks(part) && findNumbers(part) && findStore(part) &&
           llvm::isPowerOf2_64(static_cast<std::uint64_t>(part.stored.step)) && part.stored.step > 1 &&
           part.stored.first >= 0 && part.stored.step * part.active + part.stored.first < values_.count();
  }

  bool findActive(Part& part) {
    const auto taken = values_.of(*part.branch->getCondition());
    if (!taken) return false;
    std::int64_t count = 0;
    for (const std::int64_t each : *taken) count += (each != 0) == (part.way == 0);
    for (std::int64_t item = 0; item < count; ++item)
      if (((*taken)[static_cast<std::size_t>(item)] != 0) != (part.way == 0)) return false;
    part.active = count - 1;
    return count > 0 && count < values_.count();
  }

  bool findBlocks(Part& part) const {
    llvm::BasicBlock *first = part.branch->getSuccessor(part.way), *end = part.branch->getSuccessor(1 - part.way);
    if (first == end || !first->getSinglePredecessor() || !end->phis().empty()) return false;
    llvm::SmallVector<llvm::BasicBlock*, 8> work{first};
    while (!work.empty()) {
      checkLimits();
      llvm::BasicBlock* block = work.pop_back_val();
      if (block == end || !part.blocks.insert(block)) continue;
      if (!dominators_.dominates(first, block) || block->getTerminator()->getNumSuccessors() == 0) return false;
      work.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return llvm::all_of(part.blocks, [&](const llvm::BasicBlock* block) {
      return llvm::all_of(*block, [&](const llvm::Instruction& instruction) { return isMovable(instruction, part); });
    });
  }

  bool isMovable(const llvm::Instruction& instruction, const Part& part) const {
    if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.isVolatile()) return false;
    const auto primitive = primitiveOf(instruction);
    if (primitive && (!isQuery(*primitive) || *primitive == Primitive::GlobalId)) return false;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && !primitive && (!llvm::isa<llvm::IntrinsicInst>(call) || call->isConvergent())) return false;
    // Nothing of it is used behind it.
    return llvm::all_of(instruction.users(), [&](const llvm::User* user) {
      return part.blocks.contains(const_cast<llvm::BasicBlock*>(llvm::cast<llvm::Instruction>(user)->getParent()));
    });
  }

  bool findNumbers(Part& part) {
    for (llvm::BasicBlock* block : part.blocks)
      for (llvm::Instruction& instruction : *block)
        for (llvm::Use& operand : instruction.operands())
          if (!isPlain(part, *operand)) return false;
    return true;
  }

  /// Whether an operand is the same for all, made in the part, or a number, which is noted.
  bool isPlain(Part& part, llvm::Value& operand) {
    auto* source = llvm::dyn_cast<llvm::Instruction>(&operand);
    if (!source) return true;
    if (variance_.privateAddress(operand)) return false;
    if (part.numbers.contains(source) || (!part.blocks.contains(source->getParent()) && variance_.uniform(*source)))
      return true;
    const auto line = source->getType()->isIntegerTy() ? lineOf(*source, part.active) : std::nullopt;
    if (line) part.numbers[source] = *line;
    return line || part.blocks.contains(source->getParent());
  }

  std::optional<Line> lineOf(const llvm::Value& value, std::int64_t last) {
    const auto first = values_.of(value, 0);
    if (!first) return std::nullopt;
    Line line{.first = *first};
    for (std::int64_t item = 1; item <= last; ++item) {
      const auto own = values_.of(value, static_cast<unsigned>(item));
      if (!own) return std::nullopt;
      if (item == 1) line.step = *own - *first;
      if (*own != line.first + line.step * item) return std::nullopt;
    }
    return line;
  }

  /// The element that the first store to local memory stores to.
  bool findStore(Part& part) {
    for (llvm::BasicBlock* block : part.blocks)
      for (llvm::Instruction& instruction : *block) {
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if (!store || store->getPointerAddressSpace() != localAddressSpace) continue;
        const auto address = values_.address(*store->getPointerOperand());
        const auto bytes = static_cast<std::int64_t>(
            kernel_.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue());
        if (!address) return false;
        part.stored.first = address->bytes[0] / bytes;
        part.stored.step = part.active > 0 ? (address->bytes[1] - address->bytes[0]) / bytes : 0;
        for (std::int64_t item = 0; item <= part.active; ++item)
          if (address->bytes[static_cast<std::size_t>(item)] != (part.stored.first + part.stored.step * item) * bytes)
            return false;
        if (part.active == 0 && part.stored.first > 0) part.stored.step = values_.count();
        return true;
      }
    return false;
  }

  void spread(Part& part) const {
    llvm::IRBuilder<> builder(part.branch);
    llvm::Value* item = emitQuery(builder, Primitive::LocalId, 0);
    llvm::Type* const type = item->getType();
    const auto number = [&](std::int64_t value) { return llvm::ConstantInt::getSigned(type, value); };
    const auto& [step, first] = part.stored;
    llvm::Value* from = builder.CreateSub(item, number(first));
    llvm::Value* isOne = builder.CreateICmpEQ(builder.CreateAnd(from, number(step - 1)), number(0));
    llvm::Value* isActive = builder.CreateAnd(isOne, builder.CreateICmpULE(from, number(step * part.active)), "spread");
    part.branch->setCondition(part.way == 0 ? isActive : builder.CreateNot(isActive));
    builder.SetInsertPoint(&*part.blocks[0]->getFirstInsertionPt());
    llvm::Value* old = nullptr;
    for (const auto& [value, line] : part.numbers) {
      llvm::Value* fresh = nullptr;
      if (line.step == step) {
        fresh = builder.CreateAdd(item, number(line.first - first));
      } else {
        if (!old) old = builder.CreateLShr(from, number(llvm::Log2_64(static_cast<std::uint64_t>(step))));
        fresh = builder.CreateAdd(builder.CreateMul(old, number(line.step)), number(line.first));
      }
      fresh = builder.CreateZExtOrTrunc(fresh, value->getType(), "spread");
      value->replaceUsesWithIf(fresh, [&](const llvm::Use& use) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        return part.blocks.contains(const_cast<llvm::BasicBlock*>(user->getParent())) && user != fresh;
      });
    }
  }

  llvm::Function& kernel_;
  LaneValues values_;
  llvm::DominatorTree dominators_;
  const VarianceInfo variance_;
};

}  // namespace

llvm::PreservedAnalyses SpreadItemsPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  Shape shape = shape_.value_or(Shape());
  for (unsigned d = 0; d < 3 && !shape_; ++d) shape.local[d] = knownLocalSize(kernel, d).value_or(0);
  if (!shape_) shape.itemsPerThread = cost::coarsen::mostOfThread;
  const unsigned items = itemsOfWarpsThread(kernel, shape) * warp;
  const bool changes = items > 0 && Spreader(kernel, items).run() > 0;
  return changes ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
