// SPDX-License-Identifier: Apache-2.0
// This file has the sub-group count its work-items.
#include "compiler/instrument/check_sub_groups.h"

#include "compiler/instrument/guards.h"
#include "compiler/instrument/hooks.h"
#include "compiler/instrument/library_calls.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string>

namespace clarity::compiler {
namespace {

/// Whether a function of the builtin library is for all work-items of the sub-group (OpenCL C 3.0, 6.15.19): those of
/// cl_khr_subgroup_non_uniform_arithmetic and the like have other names.
bool isForAll(const llvm::Function& function) {
  llvm::StringRef name = libraryName(function);
  if (!name.consume_front("sub_group_")) return false;
  return name == "barrier" || name == "all" || name == "any" || name == "broadcast" || name.starts_with("reduce_") ||
         name.starts_with("scan_");
}

/// Asks the sub-group, as the functions of the builtin library do.
llvm::CallInst* ask(llvm::IRBuilder<>& builder, const llvm::CallInst& like, const char* question, llvm::Type* answer,
                    llvm::ArrayRef<llvm::Value*> values = {}) {
  llvm::SmallVector<llvm::Type*, 1> types;
  for (llvm::Value* value : values) types.push_back(value->getType());
  llvm::FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      std::string(subGroupPrefix) + question, llvm::FunctionType::get(answer, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  if (function->getAttributes().isEmpty() && !values.empty()) {
    function->setConvergent();
    function->setDoesNotThrow();
  }
  llvm::CallInst* const call = builder.CreateCall(callee, values);
  if (values.empty()) return call;
  call->setConvergent();
  call->setDebugLoc(like.getDebugLoc());
  return call;
}

void check(llvm::CallInst& call, InstrumentedPlaces& places) {
  llvm::IRBuilder<> builder(&call);
  llvm::Type* const number = builder.getInt32Ty();
  llvm::Value* items = builder.getInt64(1);
  for (unsigned d = 0; d < 3; ++d)
    items = builder.CreateMul(
        items, builder.CreateZExtOrTrunc(emitQuery(builder, Primitive::LocalSize, d), builder.getInt64Ty()));
  llvm::Value* const most = builder.CreateZExt(ask(builder, call, "max_size", number), builder.getInt64Ty());
  llvm::Value* const id = builder.CreateZExt(ask(builder, call, "id", number), builder.getInt64Ty());
  llvm::Value* const left = builder.CreateSub(items, builder.CreateMul(id, most));
  llvm::Value* const size = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, most);
  llvm::Value* const here = builder.CreateUnaryIntrinsic(
      llvm::Intrinsic::ctpop, ask(builder, call, "ballot", builder.getInt64Ty(), {builder.getInt32(1)}));
  llvm::Instruction* const parted =
      llvm::SplitBlockAndInsertIfThen(builder.CreateICmpNE(here, size), call.getIterator(), /*Unreachable=*/false);
  markGuard(*parted);
  llvm::IRBuilder<> inside(parted);
  emitHook(inside, "__clarity_check_sub_group",
           {inside.getInt32(places.add(siteAt(call, SiteKind::Barrier))), inside.CreateTrunc(here, number),
            inside.CreateTrunc(size, number)});
}

}  // namespace

void checkSubGroups(llvm::Module& module, InstrumentedPlaces& places) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    llvm::SmallVector<llvm::CallInst*, 8> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() && isForAll(*call->getCalledFunction()))
        calls.push_back(call);
    for (llvm::CallInst* call : calls) check(*call, places);
  }
}

}  // namespace clarity::compiler
