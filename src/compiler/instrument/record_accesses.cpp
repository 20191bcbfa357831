// SPDX-License-Identifier: Apache-2.0
// This file finds the accesses of a program and what the source calls them.
#include "compiler/instrument/record_accesses.h"

#include "compiler/instrument/hooks.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/attributes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

constexpr const char* accessHook = "__clarity_observe_access";
constexpr const char* writeHook = "__clarity_observe_write";
constexpr unsigned privateSpace = 0;

}  // namespace

llvm::Value* leavesValue(llvm::IRBuilder<>& builder, const Access& access) {
  auto* store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
  llvm::Value* const value = store && !store->isAtomic() ? store->getValueOperand() : nullptr;
  if (!value || value->getType()->isAggregateType() || value->getType()->isPtrOrPtrVectorTy()) return nullptr;
  const llvm::DataLayout& layout = store->getDataLayout();
  if (!layout.typeSizeEqualsStoreSize(value->getType())) return nullptr;
  const std::uint64_t bits = layout.getTypeSizeInBits(value->getType()).getFixedValue();
  llvm::Type* const number = builder.getIntNTy(static_cast<unsigned>(bits));
  llvm::Value* const before = builder.CreateAlignedLoad(number, access.pointer, store->getAlign());
  return builder.CreateZExt(builder.CreateICmpEQ(before, builder.CreateBitCast(value, number)), builder.getInt32Ty());
}

void recordAccesses(llvm::Module& module, InstrumentedPlaces& places) {
  llvm::SmallVector<Access, 32> accesses;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) addAccesses(instruction, accesses);
  const bool isChecked =
      llvm::any_of(module, [](const llvm::Function& function) { return function.hasFnAttribute(checkedAttribute); });
  for (const Access& access : accesses) {
    if (access.pointer->getType()->getPointerAddressSpace() == privateSpace || isOfLibrary(access.pointer)) continue;
    llvm::IRBuilder<> builder(access.instruction);
    llvm::Value* const site = builder.getInt32(places.add(siteOf(access)));
    llvm::Value* const address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
    if (llvm::Value* const isSame = isChecked ? leavesValue(builder, access) : nullptr)
      emitHook(builder, writeHook, {site, address, access.bytes, isSame});
    else
      emitHook(builder, accessHook, {site, address, access.bytes});
  }
}

}  // namespace clarity::compiler
