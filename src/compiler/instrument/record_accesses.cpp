// SPDX-License-Identifier: Apache-2.0
// This file finds the accesses of a program and what the source calls them.
#include "compiler/instrument/record_accesses.h"

#include "compiler/primitives.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

constexpr const char* kHook = "__clarity_observe_access";
constexpr unsigned kPrivateAddressSpace = 0;

struct Access {
  llvm::Instruction* instruction;
  llvm::Value* pointer;
  llvm::Value* bytes;
  AccessKind kind;
};

void addAccesses(llvm::Instruction& instruction, llvm::SmallVectorImpl<Access>& accesses) {
  const llvm::DataLayout& layout = instruction.getDataLayout();
  llvm::Type* const number = llvm::Type::getInt64Ty(instruction.getContext());
  const auto add = [&](llvm::Value* pointer, llvm::Value* bytes, AccessKind kind) {
    if (pointer->getType()->getPointerAddressSpace() != kPrivateAddressSpace)
      accesses.push_back({&instruction, pointer, bytes, kind});
  };
  const auto bytesOf = [&](llvm::Type* type) {
    return llvm::ConstantInt::get(number, layout.getTypeStoreSize(type).getFixedValue());
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    add(load->getPointerOperand(), bytesOf(load->getType()),
        load->isAtomic() ? AccessKind::AtomicRead : AccessKind::Read);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    add(store->getPointerOperand(), bytesOf(store->getValueOperand()->getType()),
        store->isAtomic() ? AccessKind::AtomicWrite : AccessKind::Write);
  } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    add(update->getPointerOperand(), bytesOf(update->getType()), AccessKind::AtomicUpdate);
  } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    add(exchange->getPointerOperand(), bytesOf(exchange->getCompareOperand()->getType()), AccessKind::AtomicUpdate);
  } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
    add(copy->getRawSource(), copy->getLength(), AccessKind::Read);
    add(copy->getRawDest(), copy->getLength(), AccessKind::Write);
  } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
    add(set->getRawDest(), set->getLength(), AccessKind::Write);
  }
}

std::string nameIn(llvm::ArrayRef<llvm::DbgVariableRecord*> records) {
  for (const llvm::DbgVariableRecord* record : records)
    if (const llvm::DILocalVariable* variable = record->getVariable()) return variable->getName().str();
  return {};
}

/// The source's name for what a pointer was computed from: the variable that holds the pointer, or the array itself.
std::string nameOf(llvm::Value* pointer) {
  llvm::Value* object = llvm::getUnderlyingObject(pointer);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(object))
    object = llvm::getUnderlyingObject(load->getPointerOperand());
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
    variable->getDebugInfo(expressions);
    return expressions.empty() ? std::string() : expressions.front()->getVariable()->getName().str();
  }
  if (std::string name = nameIn(llvm::findDVRDeclares(object)); !name.empty()) return name;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object)) return argument->getName().str();
  return {};
}

/// Tables of the builtin library are no memory of the program.
bool isOfLibrary(llvm::Value* pointer) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer));
  return variable && variable->isConstant() && variable->hasLocalLinkage() &&
         !variable->hasMetadata(llvm::LLVMContext::MD_dbg);
}

/// A line of the text that the debug information carries, without blanks around it.
std::string sourceLine(const llvm::DILocation& place) {
  const llvm::DIFile* file = place.getFile();
  llvm::StringRef text = file ? file->getSource().value_or("") : "";
  for (unsigned line = 1; line < place.getLine() && !text.empty(); ++line) text = text.split('\n').second;
  return text.split('\n').first.trim().str();
}

AccessSite siteOf(const Access& access) {
  AccessSite site;
  site.kind = access.kind;
  site.addressSpace = access.pointer->getType()->getPointerAddressSpace();
  site.variable = nameOf(access.pointer);
  if (const llvm::DILocation* place = access.instruction->getDebugLoc()) {
    site.line = place->getLine();
    site.column = place->getColumn();
    site.text = sourceLine(*place);
  }
  return site;
}

/// The hook takes the addresses of places and does not touch the program's memory.
llvm::FunctionCallee declareHook(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* const number = llvm::Type::getInt64Ty(context);
  llvm::FunctionCallee hook = module.getOrInsertFunction(
      kHook, llvm::Type::getVoidTy(context), llvm::Type::getInt32Ty(context), number, number, number, number, number);
  auto* function = llvm::cast<llvm::Function>(hook.getCallee());
  function->setDoesNotThrow();
  function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  function->addFnAttr(llvm::Attribute::WillReturn);
  return hook;
}

}  // namespace

void recordAccesses(llvm::Module& module, InstrumentedPlaces& places) {
  llvm::SmallVector<Access, 32> accesses;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) addAccesses(instruction, accesses);
  if (accesses.empty()) return;
  const llvm::FunctionCallee hook = declareHook(module);
  for (const Access& access : accesses) {
    if (isOfLibrary(access.pointer)) continue;
    llvm::IRBuilder<> builder(access.instruction);
    llvm::Type* const number = builder.getInt64Ty();
    llvm::Value* arguments[] = {builder.getInt32(static_cast<std::uint32_t>(places.sites.size())),
                                builder.CreatePtrToInt(access.pointer, number),
                                builder.CreateZExtOrTrunc(access.bytes, number),
                                emitQuery(builder, Primitive::GlobalId, 0),
                                emitQuery(builder, Primitive::GlobalId, 1),
                                emitQuery(builder, Primitive::GlobalId, 2)};
    builder.CreateCall(hook, arguments);
    places.sites.push_back(siteOf(access));
  }
}

}  // namespace clarity::compiler
