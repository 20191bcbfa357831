// SPDX-License-Identifier: Apache-2.0
// This file removes debug information that is more than locations.
#include "compiler/ir/locations.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

/// Variables of a function are where they should be; only pointers lead elsewhere.
bool accessesVariable(const llvm::Instruction& instruction) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer && llvm::isa<llvm::AllocaInst>(pointer);
}

bool mayFault(const llvm::Instruction& instruction) {
  if (instruction.isIntDivRem()) return true;
  if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)) return true;
  return instruction.mayReadOrWriteMemory() && !instruction.isLifetimeStartOrEnd() && !accessesVariable(instruction);
}

}  // namespace

void keepLocationsOfFaults(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.getDebugLoc() && !mayFault(instruction)) instruction.setDebugLoc({});
}

void keepOnlyLocations(llvm::Module& module) {
  llvm::stripNonLineTableDebugInfo(module);
  dropLocationsOfLoops(module);
}

void dropLocationsOfLoops(llvm::Module& module) {
  const auto isKept = [](llvm::Metadata* property) {
    return llvm::isa<llvm::DILocation>(property) ? nullptr : property;
  };
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function) {
      llvm::Instruction* const end = block.getTerminator();
      if (!end || !end->getMetadata(llvm::LLVMContext::MD_loop)) continue;
      llvm::updateLoopMetadataDebugLocations(*end, isKept);
      // The first operand is the node itself.
      if (end->getMetadata(llvm::LLVMContext::MD_loop)->getNumOperands() == 1)
        end->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
    }
}

void placeWrapper(llvm::Function& wrapper, const llvm::Function& code, llvm::StringRef name) {
  const llvm::DISubprogram* const place = code.getSubprogram();
  if (!place) return;
  llvm::LLVMContext& context = wrapper.getContext();
  llvm::DISubprogram* const own =
      llvm::DISubprogram::getDistinct(context, place->getScope(), name.empty() ? place->getName() : name, "",
                                      place->getFile(), place->getLine(), place->getType(), place->getScopeLine(),
                                      nullptr, 0, 0, llvm::DINode::FlagPrototyped | llvm::DINode::FlagArtificial,
                                      llvm::DISubprogram::SPFlagDefinition, place->getUnit());
  wrapper.setSubprogram(own);
  const llvm::DebugLoc location = llvm::DILocation::get(context, place->getLine(), 0, own);
  for (llvm::Instruction& instruction : llvm::instructions(wrapper)) instruction.setDebugLoc(location);
}

}  // namespace clarity::compiler
