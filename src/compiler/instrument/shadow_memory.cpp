// SPDX-License-Identifier: Apache-2.0
// This file finds the shadow of an address: at a constant distance, for addresses of the device's range.
#include "compiler/instrument/shadow_memory.h"

#include "compiler/ir/primitives.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

/// Shadows have the alignment of bytes: pointers are cast at will.
const llvm::Align byteAlignment(1);

}  // namespace

llvm::FunctionCallee ShadowMemory::hook(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters,
                                        bool isConstant) {
  llvm::FunctionCallee callee =
      function_.getParent()->getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
  declared->setDoesNotThrow();
  declared->addFnAttr(llvm::Attribute::WillReturn);
  if (isConstant) {
    declared->setDoesNotAccessMemory();
    declared->addFnAttr(llvm::Attribute::Speculatable);
  }
  return callee;
}

void ShadowMemory::begin() {
  if (begin_) return;
  llvm::BasicBlock& entry = function_.getEntryBlock();
  auto place = entry.begin();
  while (llvm::isa<llvm::AllocaInst>(place)) ++place;
  llvm::IRBuilder<> builder(&entry, place);
  llvm::Type* const i64 = builder.getInt64Ty();
  begin_ = builder.CreateCall(hook("__clarity_shadowed_begin", i64, {}, true));
  bytes_ = builder.CreateCall(hook("__clarity_shadowed_bytes", i64, {}, true));
  distance_ = builder.CreateCall(hook("__clarity_shadow_distance", i64, {}, true));
  zeros_ = builder.CreateCall(hook("__clarity_shadow_zeros", i64, {}, true));
  ignored_ = builder.CreateCall(hook("__clarity_shadow_ignored", i64, {}, true));
}

llvm::Value* ShadowMemory::addressOf(ShadowBuilder& builder, llvm::Value* pointer, llvm::Value* elsewhere) {
  llvm::Value* const address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  llvm::Value* place = builder.CreateAdd(address, distance_);
  place = builder.CreateSelect(isShadowed(builder, pointer, address), place, elsewhere);
  return builder.CreateIntToPtr(place, builder.getPtrTy(globalAddressSpace));
}

llvm::Value* ShadowMemory::isShadowed(ShadowBuilder& builder, llvm::Value* pointer, llvm::Value* address) {
  const auto isInRange = [&](auto& at, llvm::Value* place) {
    return at.CreateICmpULT(at.CreateSub(place, begin_), bytes_);
  };
  llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
  const unsigned space = object->getType()->getPointerAddressSpace();
  const bool isKnownAtBegin =
      (llvm::isa<llvm::Argument>(object) && !function_.hasLocalLinkage()) || llvm::isa<llvm::GlobalVariable>(object);
  if ((space != globalAddressSpace && space != localAddressSpace) || !isKnownAtBegin)
    return isInRange(builder, address);
  // All of an object has a shadow, or nothing has.
  llvm::Value*& known = objects_[object];
  if (!known) {
    llvm::IRBuilder<> entry(ignored_->getNextNode());
    // An instruction, no constant expression: passes replace variables where instructions use them.
    known =
        isInRange(entry, entry.Insert(llvm::CastInst::Create(llvm::Instruction::PtrToInt, object, entry.getInt64Ty())));
  }
  return known;
}

llvm::Value* ShadowMemory::load(ShadowBuilder& builder, llvm::Value* pointer, llvm::Type* type) {
  begin();
  return builder.CreateAlignedLoad(type, addressOf(builder, pointer, zeros_), byteAlignment);
}

void ShadowMemory::store(ShadowBuilder& builder, llvm::Value* pointer, llvm::Value* shadow) {
  begin();
  builder.CreateAlignedStore(shadow, addressOf(builder, pointer, ignored_), byteAlignment);
}

llvm::Value* ShadowMemory::any(ShadowBuilder& builder, llvm::Value* pointer, std::uint64_t bytes) {
  llvm::Type *const i64 = builder.getInt64Ty(), *const i32 = builder.getInt32Ty();
  llvm::Value* const found = builder.CreateCall(hook("__clarity_shadow_any", i32, {i64, i64}, false),
                                                {builder.CreatePtrToInt(pointer, i64), builder.getInt64(bytes)});
  return builder.CreateICmpNE(found, builder.getInt32(0));
}

void ShadowMemory::set(ShadowBuilder& builder, llvm::Value* pointer, llvm::Value* bytes, bool isWritten) {
  llvm::Type *const i64 = builder.getInt64Ty(), *const i32 = builder.getInt32Ty();
  builder.CreateCall(
      hook("__clarity_shadow_set", builder.getVoidTy(), {i64, i64, i32}, false),
      {builder.CreatePtrToInt(pointer, i64), builder.CreateZExtOrTrunc(bytes, i64), builder.getInt32(isWritten)});
}

void ShadowMemory::copy(ShadowBuilder& builder, llvm::Value* to, llvm::Value* from, llvm::Value* bytes) {
  llvm::Type* const i64 = builder.getInt64Ty();
  builder.CreateCall(
      hook("__clarity_shadow_copy", builder.getVoidTy(), {i64, i64, i64}, false),
      {builder.CreatePtrToInt(to, i64), builder.CreatePtrToInt(from, i64), builder.CreateZExtOrTrunc(bytes, i64)});
}

}  // namespace clarity::compiler
