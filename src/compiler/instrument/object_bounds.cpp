// SPDX-License-Identifier: Apache-2.0
// This file follows pointers to the objects that they were computed from.
#include "compiler/instrument/object_bounds.h"

#include "compiler/instrument/hooks.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace clarity::compiler {
namespace {

/// The array that a step goes into, by its second index; null if there is none. Arrays of no or one element at the end
/// of a structure stand for as many as there is memory for.
llvm::ArrayType* arrayIn(const llvm::GEPOperator& step) {
  auto* array = llvm::dyn_cast<llvm::ArrayType>(step.getSourceElementType());
  if (!array || step.getNumIndices() < 2 || array->getNumElements() < 2) return nullptr;
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(step.idx_begin()->get());
  return first && first->isZero() ? array : nullptr;
}

/// The pointers that an integer was computed from by sums, differences and masks.
void addPointers(llvm::Value* number, llvm::SmallPtrSetImpl<llvm::Value*>& pointers, unsigned depth) {
  constexpr unsigned mostSteps = 8;
  auto* step = llvm::dyn_cast<llvm::Operator>(number);
  if (!step || depth > mostSteps) return;
  switch (step->getOpcode()) {
    case llvm::Instruction::PtrToInt: pointers.insert(step->getOperand(0)); return;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
      for (llvm::Value* operand : step->operands()) addPointers(operand, pointers, depth + 1);
      return;
    default: return;
  }
}

/// Memory that may be the work-group's own: the runtime knows of what was stored there.
bool isOwnMemory(const llvm::Value* pointer) {
  const unsigned space = llvm::getUnderlyingObject(pointer, 0)->getType()->getPointerAddressSpace();
  return space != globalAddressSpace && space != constantAddressSpace;
}

bool isMember(const llvm::GEPOperator& step, const llvm::ArrayType& array) {
  const auto* member = llvm::dyn_cast<llvm::GEPOperator>(step.getPointerOperand());
  return member && member->getSourceElementType()->isStructTy() && member->getResultElementType() == &array;
}

}  // namespace

llvm::Value* behindInteger(llvm::Value* pointer) {
  auto* toPointer = llvm::dyn_cast<llvm::Operator>(pointer);
  if (!toPointer || toPointer->getOpcode() != llvm::Instruction::IntToPtr) return nullptr;
  llvm::SmallPtrSet<llvm::Value*, 2> pointers;
  addPointers(toPointer->getOperand(0), pointers, 0);
  return pointers.size() == 1 ? *pointers.begin() : nullptr;
}

bool exceedsArray(const llvm::Value* pointer) {
  for (; const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer); pointer = step->getPointerOperand()) {
    const llvm::ArrayType* const array = arrayIn(*step);
    const auto* index = array ? llvm::dyn_cast<llvm::ConstantInt>(std::next(step->idx_begin())->get()) : nullptr;
    if (index && index->getValue().uge(array->getNumElements())) return true;
  }
  return false;
}

InnerArray innerArrayOf(llvm::Value* pointer) {
  bool isElement = true;  // of the innermost array
  while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    if (llvm::ArrayType* const array = arrayIn(*step); array && (isElement || isMember(*step, *array)))
      return {step->getPointerOperand(), array};
    const auto* first = llvm::dyn_cast<llvm::ConstantInt>(step->idx_begin()->get());
    isElement &= first && first->isZero();
    pointer = step->getPointerOperand();
  }
  return {};
}

ObjectBoundsBuilder::ObjectBoundsBuilder(llvm::Function& function, Options options)
    : function_(function), options_(options), i64_(llvm::Type::getInt64Ty(function.getContext())) {}

ObjectBounds ObjectBoundsBuilder::of(llvm::Value* pointer, unsigned access) {
  if (const auto found = known_.find({pointer, access}); found != known_.end()) return found->second;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) {
    llvm::IRBuilder<> builder(phi);
    const unsigned count = phi->getNumIncomingValues();
    llvm::PHINode *begin = builder.CreatePHI(i64_, count), *bytes = builder.CreatePHI(i64_, count);
    known_[{pointer, access}] = {begin, bytes};
    for (unsigned i = 0; i < count; ++i) {
      const ObjectBounds each = of(phi->getIncomingValue(i), access);
      begin->addIncoming(each.begin, phi->getIncomingBlock(i));
      bytes->addIncoming(each.bytes, phi->getIncomingBlock(i));
    }
    return {begin, bytes};
  }
  const ObjectBounds made = make(pointer, access);
  known_[{pointer, access}] = made;
  return made;
}

ObjectBounds ObjectBoundsBuilder::make(llvm::Value* pointer, unsigned access) {
  const llvm::DataLayout& layout = function_.getDataLayout();
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(pointer)) {
    llvm::Value* const none = llvm::ConstantInt::get(i64_, 0);
    return {none, none};
  }
  if (auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) return of(step->getPointerOperand(), access);
  if (llvm::Value* const other = behindInteger(pointer)) return of(other, access);
  if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) return of(cast->getPointerOperand(), access);
  if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(pointer)) {
    const ObjectBounds yes = of(choice->getTrueValue(), access), no = of(choice->getFalseValue(), access);
    llvm::IRBuilder<> builder(choice);
    return {builder.CreateSelect(choice->getCondition(), yes.begin, no.begin),
            builder.CreateSelect(choice->getCondition(), yes.bytes, no.bytes)};
  }
  if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(pointer))
    if (const auto size = slot->getAllocationSize(layout)) return ofVariable(pointer, size->getFixedValue());
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) {
    const bool isForbidden = variable->isConstant() && (access & writeAccess);
    return ofVariable(pointer, isForbidden ? 0 : layout.getTypeAllocSize(variable->getValueType()).getFixedValue());
  }
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(pointer)) {
    if (argument->hasByValAttr())
      return ofVariable(pointer, layout.getTypeAllocSize(argument->getParamByValType()).getFixedValue());
    if (!function_.hasLocalLinkage()) return ofArgument(pointer, argument->getArgNo(), access);
  }
  auto* const load = llvm::dyn_cast<llvm::LoadInst>(pointer);
  if (load && options_.asksRuntime && isOwnMemory(load->getPointerOperand())) return ofStored(*load, access);
  // The object is looked for where the pointer comes from, not where it has been moved to.
  return found(pointer, access);
}

ObjectBounds ObjectBoundsBuilder::ofVariable(llvm::Value* pointer, std::uint64_t bytes) {
  llvm::IRBuilder<> builder = behind(pointer);
  // An instruction, no constant expression: passes replace variables where instructions use them.
  return {builder.Insert(llvm::CastInst::Create(llvm::Instruction::PtrToInt, pointer, i64_)), builder.getInt64(bytes)};
}

ObjectBounds ObjectBoundsBuilder::ofArgument(llvm::Value* pointer, unsigned index, unsigned access) {
  llvm::IRBuilder<> builder = behind(pointer);
  llvm::Value* const number = builder.getInt32(index);
  llvm::Value* const begin = options_.argumentsBegin
                                 ? builder.CreatePtrToInt(pointer, i64_)
                                 : emitQuestion(builder, "__clarity_argument_begin", i64_, {number});
  return {begin, emitQuestion(builder, "__clarity_argument_bytes", i64_, {number, builder.getInt32(access)})};
}

ObjectBounds ObjectBoundsBuilder::ofStored(llvm::LoadInst& load, unsigned access) {
  llvm::IRBuilder<> builder = behind(&load);
  llvm::Value* const place = builder.CreatePtrToInt(load.getPointerOperand(), i64_);
  llvm::Value* const address = builder.CreatePtrToInt(&load, i64_);
  return {emitTracking(builder, "__clarity_stored_begin", i64_, {place, address}),
          emitTracking(builder, "__clarity_stored_bytes", i64_, {place, address, builder.getInt32(access)})};
}

void ObjectBoundsBuilder::trackStores() {
  llvm::SmallVector<llvm::Instruction*, 16> stores;
  bool loads = false;
  for (llvm::Instruction& instruction : llvm::instructions(function_)) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      loads |= load->getType()->isPointerTy() && isOwnMemory(load->getPointerOperand());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && store->getValueOperand()->getType()->isPointerTy() && isOwnMemory(store->getPointerOperand()))
      stores.push_back(&instruction);
    if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction); copy && isOwnMemory(copy->getRawDest()))
      stores.push_back(&instruction);
  }
  if (!loads) return;
  for (llvm::Instruction* instruction : stores) {
    llvm::IRBuilder<> builder(instruction);
    llvm::Type* const none = builder.getVoidTy();
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
      const ObjectBounds bounds = of(store->getValueOperand(), 0);
      builder.SetInsertPoint(instruction);
      emitTracking(builder, "__clarity_pointer_stored", none,
                   {builder.CreatePtrToInt(store->getPointerOperand(), i64_),
                    builder.CreatePtrToInt(store->getValueOperand(), i64_), bounds.begin, bounds.bytes});
    } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(instruction)) {
      emitTracking(
          builder, "__clarity_pointers_copied", none,
          {builder.CreatePtrToInt(copy->getRawDest(), i64_), builder.CreatePtrToInt(copy->getRawSource(), i64_),
           builder.CreateZExtOrTrunc(copy->getLength(), i64_)});
    }
  }
}

ObjectBounds ObjectBoundsBuilder::arrayOf(llvm::Value* pointer) {
  const InnerArray array = innerArrayOf(pointer);
  if (!array.begin) return {};
  llvm::IRBuilder<> builder = behind(array.begin);
  const std::uint64_t bytes = function_.getDataLayout().getTypeAllocSize(array.type).getFixedValue();
  return {builder.Insert(llvm::CastInst::Create(llvm::Instruction::PtrToInt, array.begin, i64_)),
          builder.getInt64(bytes)};
}

ObjectBounds ObjectBoundsBuilder::found(llvm::Value* pointer, unsigned access) {
  if (!options_.asksRuntime) return {llvm::ConstantInt::get(i64_, 0), llvm::ConstantInt::getAllOnesValue(i64_)};
  llvm::IRBuilder<> builder = behind(pointer);
  llvm::Value* const address = builder.CreatePtrToInt(pointer, i64_);
  return {emitQuestion(builder, "__clarity_object_begin", i64_, {address}),
          emitQuestion(builder, "__clarity_object_bytes", i64_, {address, builder.getInt32(access)})};
}

llvm::IRBuilder<> ObjectBoundsBuilder::behind(llvm::Value* value) const {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    auto place = entry.begin();
    while (llvm::isa<llvm::AllocaInst>(place)) ++place;
    return {&entry, place};
  }
  const auto place = *instruction->getInsertionPointAfterDef();
  return {place->getParent(), place};
}

}  // namespace clarity::compiler
