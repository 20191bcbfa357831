// SPDX-License-Identifier: Apache-2.0
// This file stores values that stand for "never written".
#include "compiler/instrument/mark_uninitialised.h"

#include "compiler/instrument/sites.h"
#include "compiler/ir/attributes.h"

#include <fmt/format.h>
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

/// The places where the variable has not been written yet.
llvm::SmallVector<llvm::Instruction*, 4> beginningsOf(llvm::AllocaInst& variable) {
  llvm::SmallVector<llvm::Instruction*, 4> places;
  for (llvm::User* user : variable.users())
    if (auto* life = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        life && life->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      places.push_back(life->getNextNode());
  if (places.empty()) places.push_back(variable.getNextNode());
  return places;
}

}  // namespace

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
    auto* const index = llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), places.add(std::move(*site))));
    for (llvm::Instruction* place : beginningsOf(*variable)) {
      llvm::IRBuilder<> builder(place);
      llvm::CallInst* const value = builder.CreateCall(markerOf(*variable->getModule(), type));
      value->setMetadata(siteMetadata, llvm::MDNode::get(context, {index}));
      builder.CreateStore(value, variable);
    }
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
