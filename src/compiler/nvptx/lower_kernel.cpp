// SPDX-License-Identifier: Apache-2.0
// This file writes the PTX form of a kernel.
#include "compiler/nvptx/lower_kernel.h"

#include "compiler/nvptx/address_spaces.h"
#include "compiler/nvptx/launch_abi.h"
#include "compiler/primitives.h"

#include <fmt/format.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <cstddef>

namespace clarity::compiler::nvptx {
namespace {

const llvm::Align localAlignment(128);

/// Bytes of LaunchInfo's field of dimension `d`.
constexpr std::uint64_t field(std::uint64_t offset, unsigned d) { return offset + sizeof(std::uint64_t) * d; }

class KernelLowering {
public:
  KernelLowering(llvm::Function& kernel, const KernelInfo& info, const GlobalVariables& variables, const Shape& shape)
      : module_(*kernel.getParent()),
        context_(module_.getContext()),
        old_(kernel),
        info_(info),
        variables_(variables),
        shape_(shape) {}

  llvm::Function* run() {
    makeFunction();
    placeLocalMemory();
    placeVariables();
    if (!exact()) returnBehindEnd();
    lowerPrimitives();
    return kernel_;
  }

private:
  /// Whether every work-group has the shape's size.
  bool exact() const { return shape_.local[0] != 0; }

  void makeFunction() {
    llvm::SmallVector<llvm::Type*, 16> types;
    for (const llvm::Argument& argument : old_.args())
      types.push_back(isLocal(argument) ? llvm::Type::getInt64Ty(context_) : argument.getType());
    types.push_back(llvm::PointerType::get(context_, genericSpace));
    kernel_ = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context_), types, false),
                                     llvm::GlobalValue::ExternalLinkage, "", module_);
    kernel_->copyAttributesFrom(&old_);
    kernel_->takeName(&old_);
    kernel_->setLinkage(llvm::GlobalValue::ExternalLinkage);
    kernel_->setCallingConv(llvm::CallingConv::PTX_Kernel);
    kernel_->copyMetadata(&old_, 0);
    kernel_->removeFnAttr(llvm::Attribute::AlwaysInline);
    kernel_->setMemoryEffects(llvm::MemoryEffects::unknown());
    kernel_->splice(kernel_->begin(), &old_);
    launch_ = kernel_->getArg(kernel_->arg_size() - 1);
    launch_->setName("launch");
    auto* bytes = llvm::ArrayType::get(llvm::Type::getInt64Ty(context_), sizeof(LaunchInfo) / sizeof(std::uint64_t));
    launch_->addAttr(llvm::Attribute::getWithByValType(context_, bytes));
    launch_->addAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(8)));
    launch_->addAttr(llvm::Attribute::NoAlias);
    launch_->addAttr(llvm::Attribute::ReadOnly);
    for (llvm::Argument& argument : old_.args()) {
      llvm::Argument* fresh = kernel_->getArg(argument.getArgNo());
      fresh->takeName(&argument);
      if (isLocal(argument))
        kernel_->removeParamAttrs(argument.getArgNo(),
                                  llvm::AttributeFuncs::typeIncompatible(fresh->getType(), llvm::AttributeSet()));
      else
        argument.replaceAllUsesWith(fresh);
      if (isStructure(argument)) passByValue(*fresh, info_.args[argument.getArgNo()]);
    }
    if (exact()) {
      kernel_->addFnAttr("nvvm.reqntid", fmt::format("{},{},{}", shape_.local[0], shape_.local[1], shape_.local[2]));
    } else {
      kernel_->addFnAttr("nvvm.maxntid", "1024");
    }
  }

  static bool isLocal(const llvm::Argument& argument) {
    return argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == sharedSpace;
  }

  /// A structure that kernel IR passes by its address.
  bool isStructure(const llvm::Argument& argument) const {
    return argument.getArgNo() < info_.args.size() && info_.args[argument.getArgNo()].kind == ArgKind::Value &&
           argument.getType()->isPointerTy();
  }

  void passByValue(llvm::Argument& parameter, const KernelArg& argument) {
    kernel_->removeParamAttr(parameter.getArgNo(), llvm::Attribute::Alignment);
    parameter.addAttr(llvm::Attribute::getWithByValType(
        context_, llvm::ArrayType::get(llvm::Type::getInt8Ty(context_), argument.size)));
    parameter.addAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(std::max(argument.align, 1u))));
  }

  llvm::IRBuilder<> atEntry() {
    return llvm::IRBuilder<>(&kernel_->getEntryBlock(), kernel_->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  }

  /// Dynamic shared memory: the kernel's own __local variables (LowerLocalMemoryPass), then what __local arguments
  /// stand for.
  void placeLocalMemory() {
    bool needed = false;
    for (const llvm::Argument& argument : old_.args()) needed |= isLocal(argument);
    for (const llvm::Instruction& instruction : llvm::instructions(*kernel_))
      needed |= primitiveOf(instruction) == Primitive::LocalMemory;
    if (!needed) return;
    auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(context_), 0);
    memory_ = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                       "clarity_local", nullptr, llvm::GlobalValue::NotThreadLocal, sharedSpace);
    memory_->setAlignment(localAlignment);
    llvm::IRBuilder<> builder = atEntry();
    for (llvm::Argument& argument : old_.args())
      if (isLocal(argument))
        argument.replaceAllUsesWith(
            builder.CreateInBoundsGEP(builder.getInt8Ty(), memory_, kernel_->getArg(argument.getArgNo())));
  }

  /// Variables in global memory lie in the program's block; its address is a parameter.
  void placeVariables() {
    llvm::SmallVector<llvm::GlobalVariable*, 8> own;
    for (llvm::GlobalVariable& variable : module_.globals())
      if (variable.isDeclaration() && variable.getAddressSpace() == globalSpace &&
          variables_.find(std::string_view(variable.getName())))
        own.push_back(&variable);
    if (own.empty()) return;
    llvm::SmallVector<llvm::Constant*, 8> constants(own.begin(), own.end());
    llvm::convertUsersOfConstantsToInstructions(constants);
    llvm::IRBuilder<> builder = atEntry();
    llvm::Value* block = builder.CreateIntToPtr(launchField(builder, offsetof(LaunchInfo, variables)),
                                                llvm::PointerType::get(context_, globalSpace));
    for (llvm::GlobalVariable* variable : own) {
      const auto* place = variables_.find(std::string_view(variable->getName()));
      variable->replaceAllUsesWith(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, place->offset));
      variable->eraseFromParent();
    }
  }

  void returnBehindEnd() {
    llvm::BasicBlock* body = &kernel_->getEntryBlock();
    llvm::BasicBlock* entry = llvm::BasicBlock::Create(context_, "range", kernel_, body);
    // Allocas stay in the entry block.
    llvm::IRBuilder<> builder(entry);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*body))
      if (llvm::isa<llvm::AllocaInst>(instruction)) instruction.moveBefore(*entry, entry->end());
    llvm::Value* inside = builder.getTrue();
    for (unsigned d = 0; d < 3; ++d) {
      llvm::Value* place =
          builder.CreateAdd(builder.CreateMul(groupId(builder, d),
                                              launchField(builder, field(offsetof(LaunchInfo, enqueuedLocalSize), d))),
                            localId(builder, d));
      inside = builder.CreateAnd(
          inside, builder.CreateICmpULT(place, launchField(builder, field(offsetof(LaunchInfo, globalSize), d))));
    }
    llvm::BasicBlock* end = llvm::BasicBlock::Create(context_, "behind", kernel_);
    llvm::ReturnInst::Create(context_, end);
    builder.CreateCondBr(inside, body, end);
  }

  // --- ids and sizes -------------------------------------------------------------------------------------------------

  /// Sizes and ids of an ordinary launch are below 2^31.
  llvm::Value* launchField(llvm::IRBuilder<>& builder, std::uint64_t offset, bool isSize = false,
                           std::uint64_t least = 0) {
    llvm::Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), launch_, offset);
    llvm::LoadInst* value = builder.CreateAlignedLoad(builder.getInt64Ty(), place, llvm::Align(8));
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    if (isSize && !shape_.wideIds)
      value->setMetadata(
          llvm::LLVMContext::MD_range,
          llvm::MDBuilder(context_).createRange(llvm::APInt(64, least), llvm::APInt(64, std::uint64_t{1} << 31)));
    return value;
  }

  llvm::Value* specialRegister(llvm::IRBuilder<>& builder, llvm::Intrinsic::ID id, std::uint64_t below) {
    llvm::CallInst* call = builder.CreateIntrinsic(builder.getInt32Ty(), id, {});
    call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, below)));
    return builder.CreateZExt(call, builder.getInt64Ty());
  }

  llvm::Value* localId(llvm::IRBuilder<>& builder, unsigned d) {
    constexpr llvm::Intrinsic::ID ids[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                           llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                           llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z};
    if (exact() && shape_.local[d] == 1) return builder.getInt64(0);
    return specialRegister(builder, ids[d], exact() ? shape_.local[d] : d == 2 ? 64 : 1024);
  }

  llvm::Value* groupId(llvm::IRBuilder<>& builder, unsigned d) {
    constexpr llvm::Intrinsic::ID ids[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                           llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                           llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    llvm::Value* block = specialRegister(builder, ids[d], largestGrid[d]);
    if (!shape_.wideIds) return block;
    return builder.CreateAdd(block, launchField(builder, field(offsetof(LaunchInfo, firstGroup), d)));
  }

  llvm::Value* enqueuedLocalSize(llvm::IRBuilder<>& builder, unsigned d) {
    if (exact()) return builder.getInt64(shape_.local[d]);
    return launchField(builder, field(offsetof(LaunchInfo, enqueuedLocalSize), d), true, 1);
  }

  llvm::Value* globalId(llvm::IRBuilder<>& builder, unsigned d) {
    llvm::Value* offset = launchField(builder, field(offsetof(LaunchInfo, globalOffset), d), true);
    llvm::Value *group = groupId(builder, d), *size = enqueuedLocalSize(builder, d), *local = localId(builder, d);
    if (shape_.wideIds) return builder.CreateAdd(offset, builder.CreateAdd(builder.CreateMul(group, size), local));
    // In 32 bits, whose operations cost half: neither the products nor the sums reach 2^31.
    const auto narrow = [&](llvm::Value* value) { return builder.CreateTrunc(value, builder.getInt32Ty()); };
    llvm::Value* first = builder.CreateMul(narrow(group), narrow(size), "", true, true);
    llvm::Value* inGrid = builder.CreateAdd(first, narrow(local), "", true, true);
    return builder.CreateZExt(builder.CreateAdd(narrow(offset), inGrid, "", true, true), builder.getInt64Ty(), "",
                              true);
  }

  llvm::Value* answer(llvm::IRBuilder<>& builder, Primitive primitive, unsigned d) {
    switch (primitive) {
      case Primitive::GlobalId: return globalId(builder, d);
      case Primitive::LocalId: return localId(builder, d);
      case Primitive::GroupId: return groupId(builder, d);
      case Primitive::GlobalSize: return launchField(builder, field(offsetof(LaunchInfo, globalSize), d), true, 1);
      case Primitive::EnqueuedLocalSize: return enqueuedLocalSize(builder, d);
      case Primitive::NumGroups: return launchField(builder, field(offsetof(LaunchInfo, numGroups), d), true, 1);
      case Primitive::GlobalOffset: return launchField(builder, field(offsetof(LaunchInfo, globalOffset), d), true);
      case Primitive::LocalSize: {
        if (exact()) return builder.getInt64(shape_.local[d]);
        llvm::Value* enqueued = enqueuedLocalSize(builder, d);
        llvm::Value* left = builder.CreateSub(answer(builder, Primitive::GlobalSize, d),
                                              builder.CreateMul(groupId(builder, d), enqueued));
        return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, enqueued, left);
      }
      default: return nullptr;
    }
  }

  void lowerPrimitives() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*kernel_))) {
      const auto primitive = primitiveOf(instruction);
      if (!primitive) continue;
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      llvm::IRBuilder<> builder(&call);
      llvm::Value* value = nullptr;
      if (*primitive == Primitive::Barrier) {
        builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                                {builder.getInt32(0)});
      } else if (*primitive == Primitive::WorkDim) {
        value = builder.CreateTrunc(launchField(builder, offsetof(LaunchInfo, workDim), true, 1), builder.getInt32Ty());
      } else if (*primitive == Primitive::PrintfSink) {
        value = builder.CreateIntToPtr(launchField(builder, offsetof(LaunchInfo, printfBuffer)), call.getType());
      } else if (*primitive == Primitive::LocalMemory) {
        value = memory_;
      } else if (isFamily(*primitive)) {
        continue;  // collective functions: of the library for this target
      } else if (const auto d = dimensionOf(call)) {
        value = answer(builder, *primitive, *d);
      } else {
        value = answer(builder, *primitive, 0);
        for (unsigned other = 1; value && other < 3; ++other)
          value = builder.CreateSelect(builder.CreateICmpEQ(call.getArgOperand(0), builder.getInt32(other)),
                                       answer(builder, *primitive, other), value);
      }
      if (!value && !call.getType()->isVoidTy()) continue;
      if (value) call.replaceAllUsesWith(value);
      call.eraseFromParent();
    }
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::Function& old_;
  const KernelInfo& info_;
  const GlobalVariables& variables_;
  const Shape& shape_;
  llvm::Function* kernel_ = nullptr;
  llvm::Argument* launch_ = nullptr;
  llvm::GlobalVariable* memory_ = nullptr;
};

}  // namespace

llvm::Function* lowerKernel(llvm::Function& kernel, const KernelInfo& info, const GlobalVariables& variables,
                            const Shape& shape) {
  return KernelLowering(kernel, info, variables, shape).run();
}

}  // namespace clarity::compiler::nvptx
