// SPDX-License-Identifier: Apache-2.0
// This file stores values that stand for "never written".
#include "compiler/instrument/mark_uninitialised.h"

#include "compiler/instrument/sites.h"
#include "compiler/ir/attributes.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

constexpr llvm::StringLiteral marker = "__clarity_uninitialised.";

/// One function for each type.
llvm::FunctionCallee markerOf(llvm::Module& module, llvm::Type* type) {
  const auto* wanted = llvm::FunctionType::get(type, false);
  for (unsigned number = 0;; ++number) {
    const std::string name = fmt::format("{}{}", marker.str(), number);
    llvm::Function* known = module.getFunction(name);
    if (known && known->getFunctionType() != wanted) continue;
    return module.getOrInsertFunction(name, const_cast<llvm::FunctionType*>(wanted));
  }
}

}  // namespace

llvm::SmallVector<llvm::IntrinsicInst*, 4> scopesOf(llvm::AllocaInst& variable, llvm::Intrinsic::ID beginOrEnd) {
  llvm::SmallVector<llvm::IntrinsicInst*, 4> places;
  for (llvm::User* user : variable.users())
    if (auto* life = llvm::dyn_cast<llvm::IntrinsicInst>(user); life && life->getIntrinsicID() == beginOrEnd)
      places.push_back(life);
  return places;
}

bool isAfterScope(llvm::AllocaInst& variable, llvm::Instruction& instruction) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 4> beginnings;
  for (const llvm::IntrinsicInst* begin : scopesOf(variable, llvm::Intrinsic::lifetime_start))
    beginnings.insert(const_cast<llvm::BasicBlock*>(begin->getParent()));
  for (llvm::IntrinsicInst* end : scopesOf(variable, llvm::Intrinsic::lifetime_end)) {
    if (end->getParent() != instruction.getParent() || instruction.comesBefore(end)) {
      if (llvm::isPotentiallyReachable(end, &instruction, &beginnings)) return true;
      continue;
    }
    llvm::Instruction* each = end->getNextNode();
    const auto begins = [&](const llvm::Instruction* it) {
      const auto* life = llvm::dyn_cast<llvm::LifetimeIntrinsic>(it);
      return life && life->getIntrinsicID() == llvm::Intrinsic::lifetime_start && life->getArgOperand(0) == &variable;
    };
    while (each != &instruction && !begins(each)) each = each->getNextNode();
    if (each == &instruction) return true;
  }
  return false;
}

std::optional<Site> declarationOf(llvm::AllocaInst& variable) {
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&variable)) {
    const llvm::DILocalVariable* declared = record->getVariable();
    if (!declared || declared->isArtificial()) continue;
    Site site;
    if (const llvm::DILocation* place = record->getDebugLoc()) site = siteOfLocation(*place, SiteKind::Declaration);
    site.kind = SiteKind::Declaration;
    site.variable = declared->getName().str();
    site.object = SiteObject::Private;
    return site;
  }
  return std::nullopt;
}

void markUninitialised(llvm::ArrayRef<llvm::AllocaInst*> variables, InstrumentedPlaces& places) {
  for (llvm::AllocaInst* variable : variables) {
    std::optional<Site> site = declarationOf(*variable);
    llvm::Type* const type = variable->getAllocatedType();
    if (!site || !type->isFirstClassType()) continue;
    llvm::LLVMContext& context = variable->getContext();
    const auto indexOf = [&](Site its) {
      return llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), places.add(std::move(its))));
    };
    const auto mark = [&](llvm::Instruction* place, llvm::Metadata* index) {
      llvm::IRBuilder<> builder(place);
      llvm::CallInst* const value = builder.CreateCall(markerOf(*variable->getModule(), type));
      value->setMetadata(siteMetadata, llvm::MDNode::get(context, {index}));
      builder.CreateStore(value, variable);
    };
    const auto begins = scopesOf(*variable, llvm::Intrinsic::lifetime_start);
    llvm::Metadata* const declared = indexOf(*site);
    if (begins.empty()) mark(variable->getNextNode(), declared);
    for (llvm::IntrinsicInst* begin : begins) mark(begin->getNextNode(), declared);
    const auto ends = scopesOf(*variable, llvm::Intrinsic::lifetime_end);
    if (ends.empty()) continue;
    site->kind = SiteKind::EndedScope;
    llvm::Metadata* const ended = indexOf(std::move(*site));
    for (llvm::IntrinsicInst* end : ends) mark(end, ended);
  }
}

std::optional<std::uint32_t> uninitialisedSite(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().starts_with(marker)) return std::nullopt;
  const llvm::MDNode* const node = call->getMetadata(siteMetadata);
  return static_cast<std::uint32_t>(llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue());
}

}  // namespace clarity::compiler
