// SPDX-License-Identifier: Apache-2.0
// This file looks for every extraction's field where it comes from, through phis, selections and insertions.
#include "compiler/passes/split_structures.h"

#include "compiler/transforms/preserved.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace clarity::compiler {
namespace {

class Splitter {
public:
  /// One field of a structure as a value of its own.
  llvm::Value* field(llvm::Value& structure, unsigned index) {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&structure)) return constant->getAggregateElement(index);
    if (const auto known = fields_.find({&structure, index}); known != fields_.end()) return known->second;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&structure)) return fieldOfPhi(*phi, index);
    if (auto* insertion = llvm::dyn_cast<llvm::InsertValueInst>(&structure);
        insertion && insertion->getNumIndices() == 1)
      return insertion->getIndices()[0] == index ? insertion->getInsertedValueOperand()
                                                 : field(*insertion->getAggregateOperand(), index);
    llvm::Instruction* made = makeField(structure, index);
    const auto [place, isNew] = fields_.try_emplace({&structure, index}, made);
    if (!isNew) made->eraseFromParent();  // the way around a loop has led here meanwhile
    return place->second;
  }

private:
  llvm::Instruction* makeField(llvm::Value& structure, unsigned index) {
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&structure)) {
      llvm::Value *yes = field(*choice->getTrueValue(), index), *no = field(*choice->getFalseValue(), index);
      return llvm::SelectInst::Create(choice->getCondition(), yes, no, choice->getName(), choice->getIterator());
    }
    if (auto* frozen = llvm::dyn_cast<llvm::FreezeInst>(&structure))
      return new llvm::FreezeInst(field(*frozen->getOperand(0), index), frozen->getName(), frozen->getIterator());
    return llvm::ExtractValueInst::Create(&structure, index, structure.getName(), placeBehind(structure));
  }

  static llvm::BasicBlock::iterator placeBehind(llvm::Value& structure) {
    if (auto* argument = llvm::dyn_cast<llvm::Argument>(&structure))
      return argument->getParent()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    return *llvm::cast<llvm::Instruction>(structure).getInsertionPointAfterDef();
  }

  llvm::Value* fieldOfPhi(llvm::PHINode& phi, unsigned index) {
    llvm::IRBuilder<> builder(&phi);
    llvm::PHINode* made =
        builder.CreatePHI(phi.getType()->getStructElementType(index), phi.getNumIncomingValues(), phi.getName());
    fields_[{&phi, index}] = made;  // before the way around a loop leads here again
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      made->addIncoming(field(*phi.getIncomingValue(i), index), phi.getIncomingBlock(i));
    return made;
  }

  llvm::DenseMap<std::pair<llvm::Value*, unsigned>, llvm::Value*> fields_;
};

}  // namespace

llvm::PreservedAnalyses SplitStructuresPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::WeakVH, 16> extractions;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* extraction = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
        extraction && extraction->getNumIndices() == 1 &&
        llvm::isa<llvm::Instruction>(extraction->getAggregateOperand()) &&
        extraction->getAggregateOperand()->getType()->isStructTy())
      extractions.emplace_back(extraction);
  if (extractions.empty()) return llvm::PreservedAnalyses::all();
  Splitter splitter;
  for (const llvm::WeakVH& handle : extractions) {
    auto* extraction = llvm::cast<llvm::ExtractValueInst>(handle);
    extraction->replaceAllUsesWith(splitter.field(*extraction->getAggregateOperand(), extraction->getIndices()[0]));
  }
  for (const llvm::WeakVH& handle : extractions)
    if (handle) llvm::RecursivelyDeleteTriviallyDeadInstructions(llvm::cast<llvm::Instruction>(handle));
  for (llvm::BasicBlock& block : function)
    for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis()))
      if (phi.getType()->isStructTy() && llvm::RecursivelyDeleteDeadPHINode(&phi)) break;
  return sameControlFlow(true);
}

}  // namespace clarity::compiler
