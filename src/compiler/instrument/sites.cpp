// SPDX-License-Identifier: Apache-2.0
// This file finds accesses and what the source calls them.
#include "compiler/instrument/sites.h"

#include "compiler/instrument/object_bounds.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/program_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

std::string nameIn(llvm::ArrayRef<llvm::DbgVariableRecord*> records) {
  for (const llvm::DbgVariableRecord* record : records)
    if (const llvm::DILocalVariable* variable = record->getVariable()) return variable->getName().str();
  return {};
}

/// The variable that a value is the content of.
std::string nameOfValue(llvm::Value* value) {
  if (std::string name = nameIn(llvm::findDVRDeclares(value)); !name.empty()) return name;
  llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
  llvm::findDbgValues(value, records);
  return nameIn(records);
}

struct Object {
  llvm::Value* value = nullptr;
  bool isPointedAt = false;  ///< by what the value is the memory of
};

Object objectOf(llvm::Value* pointer) {
  llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
  if (llvm::Value* const other = behindInteger(object)) return objectOf(other);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(object))
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand(), 0)))
      return {.value = slot, .isPointedAt = true};
  return {.value = object};
}

/// The source's name for what a pointer was computed from: the variable that holds the pointer, or the array itself.
std::string nameOf(llvm::Value* object) {
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
    variable->getDebugInfo(expressions);
    return expressions.empty() ? std::string() : expressions.front()->getVariable()->getName().str();
  }
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object); argument && argument->hasName())
    return argument->getName().str();
  return nameOfValue(object);
}

SiteObject kindOf(const llvm::Value& object) {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&object))
    return argument->getParent()->hasLocalLinkage() ? SiteObject::Unknown : SiteObject::Argument;
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&object)) switch (variable->getAddressSpace()) {
      case 1: return SiteObject::Global;
      case 2: return SiteObject::Constant;
      case 3: return SiteObject::Local;
      default: return SiteObject::Unknown;
    }
  return llvm::isa<llvm::AllocaInst>(object) ? SiteObject::Private : SiteObject::Unknown;
}

/// The line of the text that the debug information carries.
llvm::StringRef sourceLine(const llvm::DILocation& place) {
  const llvm::DIFile* file = place.getFile();
  llvm::StringRef text = file ? file->getSource().value_or("") : "";
  for (unsigned line = 1; line < place.getLine() && !text.empty(); ++line) text = text.split('\n').second;
  return text.split('\n').first;
}

/// Kernels have a function of their own that calls the one with their code (clang).
std::string functionOf(const llvm::DILocation& place) {
  const llvm::DISubprogram* function = place.getScope()->getSubprogram();
  llvm::StringRef name = function ? function->getName() : "";
  name.consume_front(kernelBodyPrefix);
  return name.str();
}

/// The element that a pointer is computed to.
std::uint32_t elementBytesOf(const Access& access) {
  const llvm::DataLayout& layout = access.instruction->getDataLayout();
  const llvm::Value* pointer = access.pointer->stripPointerCasts();
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer))
    if (llvm::Type* type = step->getResultElementType(); type->isSized() && !type->isIntegerTy(8))
      return static_cast<std::uint32_t>(layout.getTypeAllocSize(type).getFixedValue());
  const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  return bytes ? static_cast<std::uint32_t>(bytes->getLimitedValue(1 << 16)) : 0;
}

}  // namespace

void addAccesses(llvm::Instruction& instruction, llvm::SmallVectorImpl<Access>& accesses) {
  const llvm::DataLayout& layout = instruction.getDataLayout();
  llvm::Type* const number = llvm::Type::getInt64Ty(instruction.getContext());
  const auto add = [&](llvm::Value* pointer, llvm::Value* bytes, SiteKind kind, llvm::MaybeAlign alignment = {}) {
    if (bytes->getType() != number) bytes = llvm::IRBuilder<>(&instruction).CreateZExtOrTrunc(bytes, number);
    accesses.push_back({&instruction, pointer, bytes, kind, alignment.valueOrOne().value()});
  };
  const auto bytesOf = [&](llvm::Type* type) {
    return llvm::ConstantInt::get(number, layout.getTypeStoreSize(type).getFixedValue());
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    add(load->getPointerOperand(), bytesOf(load->getType()), load->isAtomic() ? SiteKind::AtomicRead : SiteKind::Read,
        load->getAlign());
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    add(store->getPointerOperand(), bytesOf(store->getValueOperand()->getType()),
        store->isAtomic() ? SiteKind::AtomicWrite : SiteKind::Write, store->getAlign());
  } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    add(update->getPointerOperand(), bytesOf(update->getType()), SiteKind::AtomicUpdate, update->getAlign());
  } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    add(exchange->getPointerOperand(), bytesOf(exchange->getCompareOperand()->getType()), SiteKind::AtomicUpdate,
        exchange->getAlign());
  } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
    add(copy->getRawSource(), copy->getLength(), SiteKind::Read);
    add(copy->getRawDest(), copy->getLength(), SiteKind::Write);
  } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
    add(set->getRawDest(), set->getLength(), SiteKind::Write);
  }
}

bool isInsideVariable(const Access& access) {
  const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  if (!bytes || exceedsArray(access.pointer)) return false;
  const llvm::DataLayout& layout = access.instruction->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(access.pointer->getType()), 0);
  const llvm::Value* object = access.pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  std::uint64_t size = 0;
  if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(object))
    size = slot->getAllocationSize(layout).value_or(llvm::TypeSize::getFixed(0)).getFixedValue();
  else if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
    size = layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
  const std::uint64_t most = bytes->getZExtValue();
  return !offset.isNegative() && most <= size && offset.getZExtValue() <= size - most;
}

void addRaceAccesses(llvm::Instruction& instruction, llvm::SmallVectorImpl<Access>& accesses) {
  constexpr unsigned privateAddressSpace = 0;
  addAccesses(instruction, accesses);
  llvm::erase_if(accesses, [](const Access& access) {
    const unsigned space = access.pointer->getType()->getPointerAddressSpace();
    return space == privateAddressSpace || space == constantAddressSpace || isOfLibrary(access.pointer);
  });
}

bool isOfLibrary(llvm::Value* pointer) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer, 0));
  return variable && variable->isConstant() && variable->hasLocalLinkage() &&
         !variable->hasMetadata(llvm::LLVMContext::MD_dbg);
}

Site siteOfLocation(const llvm::DILocation& place, SiteKind kind) {
  Site site;
  site.kind = kind;
  site.line = place.getLine();
  site.column = place.getColumn();
  site.file = place.getFilename().str();
  const llvm::StringRef line = sourceLine(place), trimmed = line.ltrim();
  site.text = trimmed.rtrim().str();
  site.indent = static_cast<std::uint32_t>(line.size() - trimmed.size());
  // A kernel and the function with its code, which clang has it call, are one.
  std::string callee = functionOf(place);
  for (const llvm::DILocation* call = place.getInlinedAt(); call; call = call->getInlinedAt()) {
    std::string function = functionOf(*call);
    if (call->getLine() != 0 && function != callee)
      site.calls.push_back({function, call->getFilename().str(), call->getLine(), call->getColumn()});
    callee = std::move(function);
  }
  return site;
}

Site siteAt(const llvm::Instruction& instruction, SiteKind kind) {
  if (const llvm::DILocation* place = instruction.getDebugLoc()) return siteOfLocation(*place, kind);
  Site site;
  site.kind = kind;
  return site;
}

Site siteOf(const Access& access) {
  Site site = siteAt(*access.instruction, access.kind);
  const auto [object, isPointedAt] = objectOf(access.pointer);
  site.addressSpace = access.pointer->getType()->getPointerAddressSpace();
  site.variable = nameOf(object);
  site.object = isPointedAt ? SiteObject::Unknown : kindOf(*object);
  if (site.object == SiteObject::Argument) site.argument = llvm::cast<llvm::Argument>(object)->getArgNo();
  site.elementBytes = elementBytesOf(access);
  site.isCopy = access.instruction->hasMetadata(copyMetadata);
  site.alignment = static_cast<std::uint32_t>(access.alignment);
  return site;
}

}  // namespace clarity::compiler
