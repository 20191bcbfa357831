// SPDX-License-Identifier: Apache-2.0
// This file finds floats that are accessed beside integers.
#include "compiler/passes/unify_access_types.h"

#include "compiler/analysis/address.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace clarity::compiler {
namespace {

struct Access {
  llvm::Instruction* instruction = nullptr;
  Address address;
  std::int64_t bytes = 0;
  bool isInteger = false;
};

bool isSimple(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->isSimple();
}

/// Accesses to numbers in memory that work-items share.
llvm::SmallVector<Access, 16> accessesOf(llvm::BasicBlock& block) {
  llvm::SmallVector<Access, 16> accesses;
  const llvm::DataLayout& layout = block.getDataLayout();
  for (llvm::Instruction& instruction : block) {
    if (!isSimple(instruction)) continue;
    const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&instruction);
    llvm::Type* type = llvm::getLoadStoreType(&instruction);
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    if ((space != globalAddressSpace && space != constantAddressSpace && space != localAddressSpace) ||
        (!type->isIntegerTy() && !type->isFloatingPointTy()))
      continue;
    const llvm::TypeSize size = layout.getTypeStoreSize(type);
    if (size != layout.getTypeAllocSize(type) || layout.getTypeSizeInBits(type) != 8 * size) continue;
    accesses.push_back({&instruction, addressOf(pointer, layout), static_cast<std::int64_t>(size.getFixedValue()),
                        type->isIntegerTy()});
  }
  return accesses;
}

/// Whether an access is to an integer that lies in one structure with the float that another one is to.
bool isIntegerBeside(const Access& one, const Access& other) {
  if (!one.isInteger || one.bytes != other.bytes || one.instruction->getOpcode() != other.instruction->getOpcode() ||
      !one.address.near(other.address))
    return false;
  const std::int64_t apart = distance(wrappingDifference(one.address.offset, other.address.offset));
  return apart != 0 && apart % one.bytes == 0 && apart < cost::mostGroupMembers * one.bytes;
}

void accessAsInteger(llvm::Instruction& access) {
  llvm::IRBuilder<> builder(&access);
  llvm::Type* type = llvm::getLoadStoreType(&access);
  llvm::Type* bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
    store->setOperand(0, builder.CreateBitCast(store->getValueOperand(), bits));
    return;
  }
  auto& load = llvm::cast<llvm::LoadInst>(access);
  llvm::LoadInst* loaded = builder.CreateAlignedLoad(bits, load.getPointerOperand(), load.getAlign(), load.getName());
  loaded->copyMetadata(load,
                       {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                        llvm::LLVMContext::MD_access_group, llvm::LLVMContext::MD_invariant_load});
  loaded->setDebugLoc(load.getDebugLoc());
  load.replaceAllUsesWith(builder.CreateBitCast(loaded, type));
  load.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses UnifyAccessTypesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    const llvm::SmallVector<Access, 16> accesses = accessesOf(block);
    if (accesses.size() > cost::search::blockAccesses ||
        llvm::none_of(accesses, [](const Access& one) { return one.isInteger; }))
      continue;
    for (const Access& access : accesses)
      if (!access.isInteger &&
          llvm::any_of(accesses, [&](const Access& other) { return isIntegerBeside(other, access); })) {
        accessAsInteger(*access.instruction);
        changed = true;
      }
  }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
