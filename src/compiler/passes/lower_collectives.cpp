// SPDX-License-Identifier: Apache-2.0
// This file replaces every call of a work-group collective function.
#include "compiler/passes/lower_collectives.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {
namespace {

class CollectiveLowerer {
public:
  explicit CollectiveLowerer(llvm::Function& function) : function_(function), module_(*function.getParent()) {}

  void lower(llvm::CallInst& call) {
    llvm::StringRef name = call.getCalledFunction()->getName();
    name.consume_front(workGroupPrefix);
    site_ = call.getMetadata(siteMetadata);
    if (name == "all" || name == "any") return lowerVote(call, name == "all" ? "reduce_and_uchar" : "reduce_or_uchar");
    llvm::IRBuilder<> builder(&call);
    call.replaceAllUsesWith(
        together(builder, name, call.getArgOperand(0), call.arg_size() > 1 ? call.getArgOperand(1) : nullptr));
    call.eraseFromParent();
  }

private:
  void lowerVote(llvm::CallInst& call, llvm::StringRef name) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value* predicate = builder.CreateICmpNE(call.getArgOperand(0), builder.getInt32(0));
    llvm::Value* result = together(builder, name, builder.CreateSExt(predicate, builder.getInt8Ty()), nullptr);
    call.replaceAllUsesWith(builder.CreateZExt(builder.CreateICmpNE(result, builder.getInt8(0)), builder.getInt32Ty()));
    call.eraseFromParent();
  }

  llvm::Value* together(llvm::IRBuilder<>& builder, llvm::StringRef name, llvm::Value* value, llvm::Value* item) {
    const Collective::Kind kind = parseCollective(name).kind;
    const bool scan = kind == Collective::Kind::InclusiveScan || kind == Collective::Kind::ExclusiveScan;
    llvm::Type* type = value->getType();
    llvm::AllocaInst* row = rowOf(type);
    builder.CreateStore(value, row);
    if (item) builder.CreateStore(item, itemSlot());
    llvm::CallInst* const barrier =
        builder.CreateCall(&declarePrimitive(module_, Primitive::Barrier), {builder.getInt32(0)});
    if (site_) barrier->setMetadata(siteMetadata, site_);
    llvm::SmallVector<llvm::Value*, 3> arguments{row, builder.getInt64(0)};
    if (item) arguments.push_back(builder.CreateLoad(builder.getInt64Ty(), itemSlot()));
    llvm::SmallVector<llvm::Type*, 3> types;
    for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
    llvm::FunctionCallee callee = module_.getOrInsertFunction(
        (collectivePrefix + name).str(), llvm::FunctionType::get(scan ? builder.getVoidTy() : type, types, false));
    llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
    llvm::Value* result = builder.CreateCall(callee, arguments);
    return scan ? builder.CreateLoad(type, row) : result;
  }

  /// One variable for all collectives of a type: a work-item stores to it only when it has read what was there.
  llvm::AllocaInst* rowOf(llvm::Type* type) {
    llvm::AllocaInst*& row = rows_[type];
    if (!row) row = entry().CreateAlloca(type, nullptr, "collective");
    return row;
  }

  llvm::AllocaInst* itemSlot() {
    if (item_) return item_;
    item_ = entry().CreateAlloca(llvm::Type::getInt64Ty(function_.getContext()), nullptr, "item");
    item_->setMetadata(uniformSlotMetadata, llvm::MDNode::get(function_.getContext(), {}));
    return item_;
  }

  llvm::IRBuilder<> entry() { return llvm::IRBuilder<>(&*function_.getEntryBlock().getFirstInsertionPt()); }

  llvm::Function& function_;
  llvm::Module& module_;
  llvm::MDNode* site_ = nullptr;  ///< the site of the call that is being lowered
  llvm::DenseMap<llvm::Type*, llvm::AllocaInst*> rows_;
  llvm::AllocaInst* item_ = nullptr;
};

}  // namespace

llvm::PreservedAnalyses LowerCollectivesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::CallInst*, 8> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (collectiveOf(instruction, workGroupPrefix)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  CollectiveLowerer lowerer(function);
  for (llvm::CallInst* call : calls) lowerer.lower(*call);
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
