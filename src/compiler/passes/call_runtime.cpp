// SPDX-License-Identifier: Apache-2.0
// This file replaces primitives by loads and by calls of the runtime.
#include "compiler/passes/call_runtime.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/ir/primitives.h"
#include "support/work_item_hooks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <utility>

namespace clarity::compiler {
namespace {

class RuntimeCalls {
public:
  RuntimeCalls(llvm::Module& module, unsigned lanes) : module_(module), lanes_(lanes) {}

  void replaceIn(llvm::Function& function) {
    function_ = &function;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      const auto primitive = primitiveOf(instruction);
      if (!primitive || *primitive == Primitive::ExpectBelow) continue;
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      llvm::IRBuilder<> builder(&call);
      if (*primitive == Primitive::Collective) {
        meetGroup(builder, call);
        continue;
      }
      llvm::Value* const result = answer(builder, *primitive, call);
      if (result) call.replaceAllUsesWith(result);
      call.eraseFromParent();
    }
  }

private:
  llvm::Value* answer(llvm::IRBuilder<>& builder, Primitive primitive, llvm::CallInst& call) {
    switch (primitive) {
      case Primitive::Barrier:
        callHook(builder, "__clarity_wait_at_barrier", builder.getVoidTy(), {call.getArgOperand(0)});
        return nullptr;
      case Primitive::SubGroup: return subGroup(builder, call);
      case Primitive::LocalMemory:
        return builder.CreateAddrSpaceCast(load(builder, item(builder), offsetof(WorkItemPlace, local), ptr(builder)),
                                           call.getType());
      case Primitive::LocalBytes:
        return load(builder, item(builder), offsetof(WorkItemPlace, localBytes), builder.getInt64Ty());
      case Primitive::WorkDim:
        return builder.CreateTrunc(ofLaunch(builder, offsetof(LaunchInfo, workDim), builder.getInt64Ty()),
                                   builder.getInt32Ty());
      case Primitive::PrintfSink: return ofLaunch(builder, offsetof(LaunchInfo, printfSink), ptr(builder));
      case Primitive::Parent: return ofLaunch(builder, offsetof(LaunchInfo, parent), ptr(builder));
      default: return ofDimension(builder, primitive, call);
    }
  }

  /// Dimensions that are no constant are looked up in the arrays: the library asks for 0 to 2 only.
  llvm::Value* ofDimension(llvm::IRBuilder<>& builder, Primitive primitive, llvm::CallInst& call) {
    const auto [isOfLaunch, offset] = placeOf(primitive);
    llvm::Value* base = item(builder);
    if (isOfLaunch) base = load(builder, base, offsetof(WorkItemPlace, launch), ptr(builder));
    llvm::Value* const array = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    llvm::Value* dimension = builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty());
    dimension =
        builder.CreateSelect(builder.CreateICmpULT(dimension, builder.getInt64(3)), dimension, builder.getInt64(0));
    return builder.CreateLoad(builder.getInt64Ty(), builder.CreateInBoundsGEP(builder.getInt64Ty(), array, dimension));
  }

  /// Whether a query is about the launch, and where the answers for the dimensions are.
  static std::pair<bool, std::size_t> placeOf(Primitive primitive) {
    switch (primitive) {
      case Primitive::GlobalId: return {false, offsetof(WorkItemPlace, globalId)};
      case Primitive::LocalId: return {false, offsetof(WorkItemPlace, localId)};
      case Primitive::GroupId: return {false, offsetof(WorkItemPlace, groupId)};
      case Primitive::LocalSize: return {false, offsetof(WorkItemPlace, localSize)};
      case Primitive::GlobalSize: return {true, offsetof(LaunchInfo, globalSize)};
      case Primitive::EnqueuedLocalSize: return {true, offsetof(LaunchInfo, enqueuedLocalSize)};
      case Primitive::NumGroups: return {true, offsetof(LaunchInfo, numGroups)};
      default: return {true, offsetof(LaunchInfo, globalOffset)};
    }
  }

  // --- work-groups ------------------------------------------------------------------------------------------------

  /// The query of LowerCollectivesPass gets a row with the values of all, of which scans give this work-item's back.
  void meetGroup(llvm::IRBuilder<>& builder, llvm::CallInst& call) {
    llvm::Value* const own = call.getArgOperand(0);
    auto* const variable = llvm::cast<llvm::AllocaInst>(own);
    llvm::Type* const type = variable->getAllocatedType();
    llvm::Value* const row =
        callHook(builder, "__clarity_meet_work_group", ptr(builder), {own, builder.getInt64(bytesOf(type))});
    call.setArgOperand(0, row);
    llvm::Value* const place = item(builder);
    call.setArgOperand(1, load(builder, place, offsetof(WorkItemPlace, items), builder.getInt64Ty()));
    if (!call.getType()->isVoidTy()) return;
    builder.SetInsertPoint(call.getNextNode());
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Value* const at = load(builder, place, offsetof(WorkItemPlace, linearId), builder.getInt64Ty());
    builder.CreateStore(builder.CreateLoad(type, builder.CreateInBoundsGEP(type, row, at)), own);
  }

  // --- sub-groups -------------------------------------------------------------------------------------------------

  using Kind = Collective::Kind;

  llvm::Value* subGroup(llvm::IRBuilder<>& builder, llvm::CallInst& call) {
    const Collective asked = *collectiveOf(call, subGroupPrefix);
    llvm::Value* const linear = builder.CreateTrunc(
        load(builder, item(builder), offsetof(WorkItemPlace, linearId), builder.getInt64Ty()), builder.getInt32Ty());
    llvm::Value* const lane = builder.CreateURem(linear, builder.getInt32(lanes_));
    switch (asked.kind) {
      case Kind::LocalId: return lane;
      case Kind::Id: return builder.CreateUDiv(linear, builder.getInt32(lanes_));
      case Kind::MaxSize: return builder.getInt32(lanes_);
      case Kind::Yield: return nullptr;
      case Kind::Barrier: meet(builder, nullptr, nullptr); return nullptr;
      default: return together(builder, asked, call, lane);
    }
  }

  llvm::Value* together(llvm::IRBuilder<>& builder, const Collective& asked, llvm::CallInst& call, llvm::Value* lane) {
    llvm::Value* value = call.getArgOperand(0);
    if (asked.kind == Kind::Ballot)
      value = builder.CreateZExt(builder.CreateICmpNE(value, builder.getInt32(0)), builder.getInt8Ty());
    llvm::Type* const type = value->getType();
    llvm::Type* const row = llvm::FixedVectorType::get(type, lanes_);
    llvm::AllocaInst* const values = allocate(row);
    llvm::Value* const bits = builder.CreateTrunc(meet(builder, value, values), builder.getIntNTy(lanes_));
    llvm::Value* const here =
        builder.CreateBitCast(bits, llvm::FixedVectorType::get(builder.getInt1Ty(), lanes_), "here");
    llvm::Value* const all = builder.CreateLoad(row, values);
    const auto laneOf = [&](llvm::Value* index) {
      return builder.CreateAnd(builder.CreateZExtOrTrunc(index, builder.getInt32Ty()), builder.getInt32(lanes_ - 1));
    };
    switch (asked.kind) {
      case Kind::Broadcast:
      case Kind::Shuffle: return builder.CreateExtractElement(all, laneOf(call.getArgOperand(1)));
      case Kind::Ballot: {
        llvm::Value* const set = builder.CreateAnd(here, builder.CreateICmpNE(all, llvm::Constant::getNullValue(row)));
        return builder.CreateZExtOrTrunc(builder.CreateBitCast(set, builder.getIntNTy(lanes_)), builder.getInt64Ty());
      }
      default: break;
    }
    llvm::Constant* const identity = identityOf(asked.combination, type);
    llvm::Value* const active =
        builder.CreateSelect(here, all, llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), identity));
    switch (asked.kind) {
      case Kind::Reduce: return combineElements(builder, asked.combination, active);
      case Kind::InclusiveScan:
        return builder.CreateExtractElement(scanElements(builder, asked.combination, active), lane);
      case Kind::ExclusiveScan: {
        llvm::Value* before = moveUp(builder, scanElements(builder, asked.combination, active), 1, identity);
        if (type->isFloatingPointTy() && asked.combination == Combination::Add)
          before = builder.CreateFAdd(before, llvm::Constant::getNullValue(row));  // as PacketSubGroups
        return builder.CreateExtractElement(before, lane);
      }
      default: return clusteredReduce(builder, asked, active, call.getArgOperand(1), lane);
    }
  }

  /// Partners at growing distances, as long as they belong to the cluster.
  llvm::Value* clusteredReduce(llvm::IRBuilder<>& builder, const Collective& asked, llvm::Value* values,
                               llvm::Value* size, llvm::Value* lane) {
    for (unsigned distance = 1; distance < lanes_; distance *= 2) {
      llvm::SmallVector<int, 64> partners;
      for (unsigned i = 0; i < lanes_; ++i) partners.push_back(static_cast<int>(i ^ distance));
      llvm::Value* const both =
          combine(builder, asked.combination, values, builder.CreateShuffleVector(values, partners));
      values = builder.CreateSelect(builder.CreateICmpUGT(size, llvm::ConstantInt::get(size->getType(), distance)),
                                    both, values);
    }
    return builder.CreateExtractElement(values, lane);
  }

  /// Meets the sub-group; `row` gets the values of those that came. Returns who they are, a bit for each.
  llvm::Value* meet(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::AllocaInst* row) {
    llvm::Value* place = llvm::ConstantPointerNull::get(builder.getPtrTy());
    std::uint64_t bytes = 0;
    if (value) {
      place = allocate(value->getType());
      bytes = bytesOf(value->getType());
      builder.CreateStore(value, place);
    }
    return callHook(builder, "__clarity_meet_sub_group", builder.getInt64Ty(),
                    {place, builder.getInt64(bytes),
                     row ? row : llvm::cast<llvm::Value>(llvm::ConstantPointerNull::get(builder.getPtrTy())),
                     builder.getInt32(lanes_), builder.getInt32(calls_++)});
  }

  // ----------------------------------------------------------------------------------------------------------------

  std::uint64_t bytesOf(llvm::Type* type) const {
    return module_.getDataLayout().getTypeAllocSize(type).getFixedValue();
  }
  static llvm::Type* ptr(llvm::IRBuilder<>& builder) { return builder.getPtrTy(); }

  llvm::AllocaInst* allocate(llvm::Type* type) {
    llvm::BasicBlock& entry = function_->getEntryBlock();
    return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  }

  llvm::CallInst* callHook(llvm::IRBuilder<>& builder, const char* name, llvm::Type* result,
                           llvm::ArrayRef<llvm::Value*> values) {
    llvm::SmallVector<llvm::Type*, 5> types;
    for (const llvm::Value* value : values) types.push_back(value->getType());
    llvm::FunctionCallee hook = module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    llvm::cast<llvm::Function>(hook.getCallee())->setDoesNotThrow();
    return builder.CreateCall(hook, values);
  }

  llvm::Value* item(llvm::IRBuilder<>& builder) { return callHook(builder, "__clarity_work_item", ptr(builder), {}); }

  static llvm::Value* load(llvm::IRBuilder<>& builder, llvm::Value* from, std::uint64_t offset, llvm::Type* type) {
    return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, offset));
  }
  llvm::Value* ofLaunch(llvm::IRBuilder<>& builder, std::uint64_t offset, llvm::Type* type) {
    return load(builder, load(builder, item(builder), offsetof(WorkItemPlace, launch), ptr(builder)), offset, type);
  }

  llvm::Module& module_;
  const unsigned lanes_;
  llvm::Function* function_ = nullptr;
  std::uint32_t calls_ = 0;  ///< calls of sub-group functions, which tell each other by their numbers
};

unsigned subGroupSizeIn(const llvm::Module& module, llvm::StringRef kernel) {
  if (const llvm::Function* const function = module.getFunction(kernel)) return subGroupSizeOf(*function);
  for (const llvm::Function& function : module)
    if (const unsigned size = subGroupSizeOf(function)) return size;
  return 0;
}

}  // namespace

llvm::PreservedAnalyses CallRuntimePass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  RuntimeCalls calls(module, std::max(subGroupSizeIn(module, kernel), 1u));
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) calls.replaceIn(function);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
