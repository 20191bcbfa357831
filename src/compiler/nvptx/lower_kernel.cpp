// SPDX-License-Identifier: Apache-2.0
// This file writes the PTX form of a kernel.
#include "compiler/nvptx/lower_kernel.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"
#include "compiler/nvptx/address_spaces.h"
#include "compiler/nvptx/launch_abi.h"

#include <fmt/format.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstddef>

namespace clarity::compiler::nvptx {
namespace {

const llvm::Align localAlignment(localBefore);

/// Bytes of LaunchInfo's field of dimension `d`.
constexpr std::uint64_t field(std::uint64_t offset, unsigned d) { return offset + sizeof(std::uint64_t) * d; }

class KernelLowering {
public:
  KernelLowering(llvm::Function& kernel, const KernelInfo& info, const GlobalVariables& variables, const Shape& shape,
                 const Tile& tile)
      : module_(*kernel.getParent()),
        context_(module_.getContext()),
        old_(kernel),
        info_(info),
        variables_(variables),
        shape_(shape),
        tile_(tile) {
    for (unsigned d = 0; d < 3; ++d) threads_[d] = tile.threads[0] ? tile.threads[d] : shape.local[d];
  }

  llvm::Function* run() {
    makeFunction();
    placeLocalMemory();
    placeVariables();
    lowerPrimitives();
    return kernel_;
  }

private:
  /// Whether the code is for the shape's work-group size; otherwise the work-groups have the size of the block.
  bool exact() const { return shape_.local[0] != 0; }

  void makeFunction() {
    llvm::SmallVector<llvm::Type*, 16> types;
    for (const llvm::Argument& argument : old_.args())
      if (!argument.hasAttribute(imageMemberAttribute))
        types.push_back(isLocal(argument)             ? llvm::Type::getInt64Ty(context_)
                        : isImageDescriptor(argument) ? llvm::PointerType::get(context_, genericSpace)
                                                      : argument.getType());
    types.push_back(llvm::PointerType::get(context_, genericSpace));
    kernel_ = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context_), types, false),
                                     llvm::GlobalValue::ExternalLinkage, "", module_);
    kernel_->copyAttributesFrom(&old_);
    llvm::AttributeList attributes = old_.getAttributes();
    for (unsigned i = static_cast<unsigned>(types.size()) - 1; i < old_.arg_size(); ++i)
      attributes = attributes.removeParamAttributes(context_, i);  // of members of images
    kernel_->setAttributes(attributes);
    kernel_->takeName(&old_);
    kernel_->setLinkage(llvm::GlobalValue::ExternalLinkage);
    kernel_->setCallingConv(llvm::CallingConv::PTX_Kernel);
    kernel_->copyMetadata(&old_, 0);
    old_.setSubprogram(nullptr);  // a declaration has none
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
      if (argument.hasAttribute(imageMemberAttribute)) {
        argument.replaceAllUsesWith(imageMember(argument));
        continue;
      }
      llvm::Argument* fresh = kernel_->getArg(argument.getArgNo());
      fresh->takeName(&argument);
      if (isLocal(argument)) {
        kernel_->removeParamAttrs(argument.getArgNo(),
                                  llvm::AttributeFuncs::typeIncompatible(fresh->getType(), llvm::AttributeSet()));
        fresh->addAttr(llvm::Attribute::get(context_, localArgumentAttribute));
      } else if (!isImageDescriptor(argument)) {
        argument.replaceAllUsesWith(fresh);
      }
      if (isStructure(argument) || isImageDescriptor(argument)) passByValue(*fresh, info_.args[argument.getArgNo()]);
    }
    if (threads_[0] != 0) {
      kernel_->addFnAttr("nvvm.reqntid", fmt::format("{},{},{}", threads_[axis(0)], threads_[axis(1)], threads_[2]));
    } else if (!shape_.quick) {
      // Work-groups of any size have to fit; a stand-in serves those that do (cuda/stand_ins.h).
      kernel_->addFnAttr("nvvm.maxntid", "1024");
    }
  }

  /// Along which of the block's dimensions threads differ in an id; and the other way round.
  unsigned axis(unsigned d) const { return tile_.swapped && d < 2 ? 1 - d : d; }

  static bool isLocal(const llvm::Argument& argument) {
    return argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == sharedSpace;
  }

  /// Whether knowImages() has left the argument without uses.
  bool isImageDescriptor(const llvm::Argument& argument) const {
    return argument.getArgNo() < info_.args.size() && info_.args[argument.getArgNo()].kind == ArgKind::Image;
  }

  /// A member of a descriptor, of which kernel IR has made a parameter.
  llvm::Value* imageMember(const llvm::Argument& parameter) {
    llvm::StringRef member =
        old_.getAttributes().getParamAttr(parameter.getArgNo(), imageMemberAttribute).getValueAsString();
    unsigned argument = 0;
    std::uint64_t offset = 0;
    member.consumeInteger(10, argument);
    member.consume_front(":");
    member.consumeInteger(10, offset);
    llvm::IRBuilder<> builder = atEntry(*kernel_);
    llvm::Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), kernel_->getArg(argument), offset);
    llvm::LoadInst* load = builder.CreateLoad(parameter.getType(), place, parameter.getName());
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    return load;
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

  static llvm::IRBuilder<> atEntry(llvm::Function& function) {
    return llvm::IRBuilder<>(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
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
    auto* memory = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                            localSymbol, nullptr, llvm::GlobalValue::NotThreadLocal, sharedSpace);
    memory->setAlignment(localAlignment);
    memory_ = llvm::ConstantExpr::getInBoundsGetElementPtr(
        llvm::Type::getInt8Ty(context_), memory, llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), localBefore));
    llvm::IRBuilder<> builder = atEntry(*kernel_);
    for (llvm::Argument& argument : old_.args())
      if (isLocal(argument))
        argument.replaceAllUsesWith(
            builder.CreateInBoundsGEP(builder.getInt8Ty(), memory_, kernel_->getArg(argument.getArgNo())));
  }

  /// Variables in global memory lie in the program's block, whose address the device writes to a constant.
  void placeVariables() {
    llvm::SmallVector<llvm::GlobalVariable*, 8> own;
    for (llvm::GlobalVariable& variable : module_.globals())
      if (variable.isDeclarationForLinker() && variable.getAddressSpace() == globalSpace &&
          variables_.find(std::string_view(variable.getName())))
        own.push_back(&variable);
    if (own.empty()) return;
    llvm::SmallVector<llvm::Constant*, 8> constants(own.begin(), own.end());
    llvm::convertUsersOfConstantsToInstructions(constants);
    auto* type = llvm::Type::getInt64Ty(context_);
    auto* address = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::ExternalLinkage,
                                             llvm::ConstantInt::get(type, 0), variablesSymbol, nullptr,
                                             llvm::GlobalValue::NotThreadLocal, constantSpace, true);
    llvm::DenseMap<llvm::Function*, llvm::Value*> blocks;
    const auto blockIn = [&](llvm::Function& function) {
      llvm::Value*& block = blocks[&function];
      if (!block) {
        llvm::IRBuilder<> builder = atEntry(function);
        block =
            builder.CreateIntToPtr(builder.CreateLoad(type, address), llvm::PointerType::get(context_, globalSpace));
      }
      return block;
    };
    for (llvm::GlobalVariable* variable : own) {
      const auto* place = variables_.find(std::string_view(variable->getName()));
      for (llvm::Use& use : llvm::make_early_inc_range(variable->uses())) {
        auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
        llvm::Value* block = blockIn(*user.getFunction());
        llvm::IRBuilder<> builder(&user);
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&user))
          builder.SetInsertPoint(phi->getIncomingBlock(use)->getTerminator());
        use.set(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, place->offset));
      }
      variable->eraseFromParent();
    }
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
    if (threads_[d] == 1) return builder.getInt64(0);
    if (tile_.warps && d == 0) return builder.CreateAnd(thread(builder), builder.getInt64(warp - 1));
    return specialRegister(builder, ids[axis(d)], threads_[d] ? threads_[d] : d == 2 ? 64 : 1024);
  }

  /// The thread of a block whose warps execute work-groups.
  llvm::Value* thread(llvm::IRBuilder<>& builder) {
    return specialRegister(builder, llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, threads_[0]);
  }

  llvm::Value* groupId(llvm::IRBuilder<>& builder, unsigned d) {
    constexpr llvm::Intrinsic::ID ids[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                           llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                           llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    llvm::Value* block = specialRegister(builder, ids[d], largestGrid[d]);
    if (d == 0 && tile_.groups > 1) {
      llvm::Value* first = builder.CreateMul(block, builder.getInt64(tile_.groups), "", true, true);
      if (!tile_.warps) return first;
      return builder.CreateAdd(first, builder.CreateLShr(thread(builder), llvm::Log2_32(warp)), "", true, true);
    }
    if ((exact() || tile_.merged) && !shape_.wideIds) return block;
    return builder.CreateAdd(block, launchField(builder, field(offsetof(LaunchInfo, firstGroup), d)));
  }

  llvm::Value* seenGroupId(llvm::IRBuilder<>& builder, unsigned d) {
    llvm::Value* const group = groupId(builder, d);
    if (!shape_.part) return group;
    llvm::Value* const before = launchField(builder, field(offsetof(LaunchInfo, groupsBefore), d), true);
    return builder.CreateAdd(group, before, "", !shape_.wideIds, !shape_.wideIds);
  }

  llvm::Value* enqueuedLocalSize(llvm::IRBuilder<>& builder, unsigned d) {
    if (exact()) return builder.getInt64(shape_.local[d]);
    return launchField(builder, field(offsetof(LaunchInfo, enqueuedLocalSize), d), true, 1);
  }

  /// By how much ids of neighbouring blocks differ; of work-groups in step, those of neighbouring groups.
  llvm::Value* itemsOfBlock(llvm::IRBuilder<>& builder, unsigned d) {
    if (tile_.merged) return builder.getInt64(std::uint64_t{tile_.cells[d]} * tile_.threads[d]);
    return enqueuedLocalSize(builder, d);
  }

  llvm::Value* globalId(llvm::IRBuilder<>& builder, unsigned d) {
    llvm::Value* offset = launchField(builder, field(offsetof(LaunchInfo, globalOffset), d), true);
    llvm::Value *group = groupId(builder, d), *size = itemsOfBlock(builder, d), *local = localId(builder, d);
    if (tile_.step(d) > 1) local = builder.CreateMul(local, builder.getInt64(tile_.step(d)), "", true, true);
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
      case Primitive::GroupId: return seenGroupId(builder, d);
      case Primitive::GlobalSize: return launchField(builder, field(offsetof(LaunchInfo, globalSize), d), true, 1);
      case Primitive::EnqueuedLocalSize: return enqueuedLocalSize(builder, d);
      case Primitive::NumGroups: return launchField(builder, field(offsetof(LaunchInfo, numGroups), d), true, 1);
      case Primitive::GlobalOffset: return launchField(builder, field(offsetof(LaunchInfo, seenOffset), d), true);
      case Primitive::LocalSize: {
        if (exact()) return builder.getInt64(shape_.local[d]);
        constexpr llvm::Intrinsic::ID sizes[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                                                 llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                                 llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z};
        return specialRegister(builder, sizes[d], d == 2 ? 65 : 1025);
      }
      default: return nullptr;
    }
  }

  void emitBarrier(llvm::IRBuilder<>& builder) const {
    const std::uint64_t threads = std::uint64_t{threads_[0]} * threads_[1] * threads_[2];
    if (threads == 0 || (threads > warp && !tile_.warps) || tile_.asWritten()) {
      builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                              {builder.getInt32(0)});
      return;
    }
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << std::min<std::uint64_t>(threads, warp)) - 1);
    builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_bar_warp_sync, {builder.getInt32(mask)});
  }

  void lowerPrimitives() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*kernel_))) {
      const auto primitive = primitiveOf(instruction);
      if (!primitive) continue;
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      llvm::IRBuilder<> builder(&call);
      llvm::Value* value = nullptr;
      if (*primitive == Primitive::Barrier) {
        emitBarrier(builder);
      } else if (*primitive == Primitive::WorkDim) {
        value = builder.CreateTrunc(launchField(builder, offsetof(LaunchInfo, workDim), true, 1), builder.getInt32Ty());
      } else if (*primitive == Primitive::PrintfSink) {
        value = builder.CreateIntToPtr(launchField(builder, offsetof(LaunchInfo, printfBuffer)), call.getType());
      } else if (*primitive == Primitive::LocalMemory) {
        value = memory_;
      } else if (*primitive == Primitive::LocalBytes) {
        value = launchField(builder, offsetof(LaunchInfo, localBytes), true);
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
  const Tile& tile_;
  std::array<std::uint32_t, 3> threads_{};  ///< threads of a block along the dimensions of ids; 0 0 0: not known
  llvm::Function* kernel_ = nullptr;
  llvm::Argument* launch_ = nullptr;
  llvm::Constant* memory_ = nullptr;  ///< where local memory begins
};

}  // namespace

llvm::Function* lowerKernel(llvm::Function& kernel, const KernelInfo& info, const GlobalVariables& variables,
                            const Shape& shape, const Tile& tile) {
  return KernelLowering(kernel, info, variables, shape, tile).run();
}

}  // namespace clarity::compiler::nvptx
