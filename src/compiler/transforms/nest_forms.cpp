// SPDX-License-Identifier: Apache-2.0
// This file copies nests, and single values to ahead of them.
#include "compiler/transforms/nest_forms.h"

#include "compiler/analysis/affine.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace clarity::compiler {
namespace {

/// The value of an instruction that has just been made, which goes away if it is known.
llvm::Value* simplified(llvm::Instruction& made) {
  llvm::Value* simple = llvm::simplifyInstruction(&made, llvm::SimplifyQuery(made.getDataLayout(), &made));
  if (!simple) return &made;
  made.eraseFromParent();
  return simple;
}

}  // namespace

std::optional<NestBlocks> blocksToCopy(const ItemNest& nest, const llvm::LoopInfo& loops) {
  constexpr std::size_t mostInstructions = cost::mostCopiedInstructions;
  const llvm::Loop* all = loops.getLoopFor(nest.header[2]);
  if (!nest.entry || endsByRow(nest) || !all || all->getHeader() != nest.header[2] ||
      llvm::isa<llvm::PHINode>(nest.after->front()))
    return std::nullopt;
  NestBlocks blocks;
  std::size_t instructions = 0;
  for (const llvm::BasicBlock* block : all->blocks()) {
    blocks.insert(block);
    instructions += block->size();
  }
  if (instructions > mostInstructions) return std::nullopt;
  const auto inside = [&](const llvm::Value* value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && blocks.contains(instruction->getParent());
  };
  if (inside(nest.begin[0]) || inside(nest.end[0]) || inside(nest.begin[1]) || inside(nest.end[1])) return std::nullopt;
  for (const llvm::BasicBlock* block : all->blocks())
    for (const llvm::Instruction& instruction : *block)
      if (!llvm::all_of(instruction.users(), inside)) return std::nullopt;
  return blocks;
}

llvm::SmallVector<llvm::BasicBlock*, 32> runInOrder(const ItemNest& nest, const llvm::LoopInfo& loops) {
  llvm::LoopBlocksRPO order(loops.getLoopFor(nest.header[0]));
  order.perform(&loops);
  llvm::SmallVector<llvm::BasicBlock*, 32> blocks(order.begin(), order.end());
  llvm::erase_if(blocks, [&](const llvm::BasicBlock* block) { return block == nest.header[0] || block == nest.latch; });
  return blocks;
}

llvm::BasicBlock* copyNest(const ItemNest& nest, const NestBlocks& blocks, llvm::ValueToValueMapTy& copies) {
  llvm::Function& function = *nest.before->getParent();
  llvm::SmallVector<llvm::BasicBlock*, 32> originals, made;
  for (llvm::BasicBlock& block : function)
    if (blocks.contains(&block)) originals.push_back(&block);
  for (llvm::BasicBlock* original : originals) {
    llvm::BasicBlock* copy = llvm::CloneBasicBlock(original, copies, ".inner", &function);
    copies[original] = copy;
    made.push_back(copy);
  }
  llvm::remapInstructionsInBlocks(made, copies);
  for (llvm::BasicBlock* copy : made) copy->moveBefore(nest.after);
  return llvm::cast<llvm::BasicBlock>(copies[nest.header[2]]);
}

llvm::Value& copyOf(llvm::Value& value, const llvm::ValueToValueMapTy& copies) {
  llvm::Value* copy = copies.lookup(&value);
  return copy ? *copy : value;
}

void enterOneOf(const ItemNest& nest, llvm::Value& condition, NestForm whenTrue, NestForm whenFalse) {
  llvm::Function& function = *nest.before->getParent();
  const auto before = [&](const NestForm& form) {
    llvm::BasicBlock* block = llvm::BasicBlock::Create(function.getContext(), form.name, &function, nest.header[2]);
    enterNest(form.header, nest, *block);
    return block;
  };
  llvm::BasicBlock *first = before(whenTrue), *second = before(whenFalse);
  llvm::Instruction* jump = nest.before->getTerminator();
  llvm::BranchInst::Create(first, second, &condition, jump->getIterator());
  jump->eraseFromParent();
}

void enterNest(llvm::BasicBlock& header, const ItemNest& nest, llvm::BasicBlock& from) {
  llvm::BranchInst::Create(&header, &from);
  for (llvm::PHINode& phi : header.phis()) phi.replaceIncomingBlockWith(nest.before, &from);
}

bool decidesAccesses(const llvm::Instruction& value, bool branches) {
  constexpr unsigned mostUsers = cost::mostUsersFollowed;
  llvm::SmallPtrSet<const llvm::Instruction*, 16> seen;
  llvm::SmallVector<const llvm::Instruction*, 16> work{&value};
  while (!work.empty() && seen.size() < mostUsers) {
    const llvm::Instruction* at = work.pop_back_val();
    if (!seen.insert(at).second) continue;
    for (const llvm::User* one : at->users()) {
      const auto* user = llvm::cast<llvm::Instruction>(one);
      if (user->isTerminator()) {
        if (branches) return true;
      } else if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(user)) {
        if (pointer == at) return true;
      } else if (!user->mayReadOrWriteMemory()) {
        work.push_back(user);
      }
    }
  }
  return false;
}

llvm::Value* frozen(llvm::Value& value, AheadBuilder& builder) {
  return llvm::isGuaranteedNotToBeUndefOrPoison(&value) ? &value : builder.CreateFreeze(&value);
}

void ValuesAhead::choose(const llvm::PHINode& counter, llvm::Value& value) { known_[&counter] = &value; }

llvm::Value* ValuesAhead::of(llvm::Value& value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !blocks_.contains(instruction->getParent())) return &value;
  if (const auto known = known_.find(&value); known != known_.end()) return known->second;
  llvm::Value* result = nullptr;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    const llvm::Loop& loop = *loops_.getLoopFor(phi->getParent());
    result = of(*phi->getIncomingValueForBlock(loop.getLoopPredecessor()));
  } else if (const auto bits = affineBitOperationOf(value, instruction->getDataLayout())) {
    for (const auto& [operand, factor] : bits->terms)
      result = result ? builder_.CreateAdd(result, of(*operand), instruction->getName()) : of(*operand);
  } else {
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (llvm::Use& operand : instruction->operands()) operands.push_back(of(*operand));
    llvm::Instruction* copy = instruction->clone();
    copy->dropPoisonGeneratingFlags();
    copy->dropUBImplyingAttrsAndMetadata();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    if (copy->isIntDivRem()) {
      // Whatever the kernel asks first.
      const bool isSigned =
          copy->getOpcode() == llvm::Instruction::SRem || copy->getOpcode() == llvm::Instruction::SDiv;
      copy->setOperand(1, builder_.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smax : llvm::Intrinsic::umax,
                                                         frozen(*copy->getOperand(1), builder_),
                                                         llvm::ConstantInt::get(copy->getType(), 1)));
    }
    result = simplified(*builder_.Insert(copy, instruction->getName()));
  }
  known_[&value] = result;
  return result;
}

}  // namespace clarity::compiler
