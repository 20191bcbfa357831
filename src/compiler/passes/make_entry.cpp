// SPDX-License-Identifier: Apache-2.0
// This file writes the entry around the work-group function and inlines one into the other.
#include "compiler/passes/make_entry.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/ir/loop_properties.h"
#include "compiler/ir/primitives.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <array>
#include <cstddef>
#include <map>

namespace clarity::compiler {
namespace {

/// The argument block is ordinary memory of the host: wider values in it have no greater alignment.
const llvm::Align mostArgumentAlign(16);

enum EntryParameter { Args, Launch, SliceBox, Memory };

class EntryBuilder {
public:
  EntryBuilder(llvm::Module& module, llvm::Function& kernel, const MakeEntryPass::Options& options)
      : module_(module),
        context_(module.getContext()),
        kernel_(kernel),
        options_(options),
        streams_(kernel.hasFnAttribute(nonTemporalAttribute)),
        bundled_(interleavedGroups(kernel) > 1) {}

  void run() {
    // Attributes of one work-item's function need not hold for the entry, which reads what pointers lead to.
    for (const auto attribute :
         {llvm::Attribute::Memory, llvm::Attribute::AlwaysInline, llvm::Attribute::NoFree, llvm::Attribute::NoSync,
          llvm::Attribute::WillReturn, llvm::Attribute::MustProgress, llvm::Attribute::Convergent})
      kernel_.removeFnAttr(attribute);
    const llvm::AttributeSet functionAttributes = kernel_.getAttributes().getFnAttrs();
    llvm::Function* body = withNoaliasMemory();
    makeEntry(functionAttributes);
    llvm::IRBuilder<> builder(entryBlock_);
    llvm::SmallVector<llvm::Value*, 16> arguments;
    llvm::Value* local =
        load(builder, Memory, offsetof(WorkerMemory, local), llvm::PointerType::get(context_, 3), "local");
    llvm::Value* spillArea = load(builder, Memory, offsetof(WorkerMemory, spill), builder.getPtrTy(), "spill.area");
    for (unsigned i = 0; i < options_.args.size(); ++i)
      arguments.push_back(argument(builder, *body->getArg(i), options_.args[i], local));
    for (std::size_t i = options_.args.size(); i + 2 < body->arg_size(); ++i)
      arguments.push_back(imageMember(builder, *body->getArg(static_cast<unsigned>(i))));
    arguments.push_back(local);
    arguments.push_back(spillArea);
    llvm::CallInst* call =
        options_.groupAgnostic ? callOnce(builder, *body, arguments) : callForEachGroup(builder, *body, arguments);
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
    body->eraseFromParent();
    lowerQueries();
  }

private:
  /// The work-group function with its two memories as parameters: what LLVM knows about noalias parameters it keeps
  /// when it inlines.
  llvm::Function* withNoaliasMemory() {
    llvm::SmallVector<llvm::Type*, 16> types;
    for (llvm::Argument& argument : kernel_.args()) types.push_back(argument.getType());
    types.push_back(llvm::PointerType::get(context_, 3));
    types.push_back(llvm::PointerType::get(context_, 0));
    auto* body = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context_), types, false),
                                        llvm::GlobalValue::InternalLinkage, kernel_.getName() + ".group", module_);
    body->copyAttributesFrom(&kernel_);
    body->setVisibility(llvm::GlobalValue::DefaultVisibility);
    body->setLinkage(llvm::GlobalValue::InternalLinkage);
    body->splice(body->begin(), &kernel_);
    for (llvm::Argument& argument : kernel_.args()) {
      body->getArg(argument.getArgNo())->takeName(&argument);
      argument.replaceAllUsesWith(body->getArg(argument.getArgNo()));
    }
    llvm::Argument* local = body->getArg(static_cast<unsigned>(types.size() - 2));
    llvm::Argument* spillArea = body->getArg(static_cast<unsigned>(types.size() - 1));
    spillArea->addAttr(llvm::Attribute::NoAlias);
    // Local memory is also reached through __local arguments, and by sub-groups that others wait for: noalias only
    // where there are none.
    if (!kernel_.hasFnAttribute(waitingAttribute) &&
        llvm::none_of(options_.args, [](const KernelArg& argument) { return argument.kind == ArgKind::Local; }))
      local->addAttr(llvm::Attribute::NoAlias);
    // Packets write local memory back in whole vectors: behind one __local argument that is the next, whatever
    // `restrict` says.
    for (llvm::Argument& argument : body->args())
      if (&argument != local && argument.getType()->isPointerTy() &&
          argument.getType()->getPointerAddressSpace() == localAddressSpace)
        argument.removeAttr(llvm::Attribute::NoAlias);
    for (llvm::Argument* memory : {local, spillArea})
      memory->addAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(64)));
    replaceCalls(*body, Primitive::LocalMemory, local);
    replaceCalls(*body, Primitive::BarrierSpillArea, spillArea);
    kernel_.eraseFromParent();
    return body;
  }

  static void replaceCalls(llvm::Function& function, Primitive primitive, llvm::Value* value) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (primitiveOf(instruction) == primitive) {
        instruction.replaceAllUsesWith(value);
        instruction.eraseFromParent();
      }
  }

  void makeEntry(llvm::AttributeSet functionAttributes) {
    llvm::Type* pointer = llvm::PointerType::get(context_, 0);
    entry_ = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context_), {pointer, pointer, pointer, pointer}, false),
        llvm::GlobalValue::ExternalLinkage, options_.entryName, module_);
    entry_->addFnAttrs(llvm::AttrBuilder(context_, functionAttributes));
    entry_->setDoesNotThrow();
    const std::array<std::uint64_t, 4> sizes{0, sizeof(LaunchInfo), sizeof(Slice), sizeof(WorkerMemory)};
    const std::array<const char*, 4> names{"args", "launch", "slice", "memory"};
    for (unsigned i = 0; i < 4; ++i) {
      llvm::Argument* argument = entry_->getArg(i);
      argument->setName(names[i]);
      argument->addAttr(llvm::Attribute::NoAlias);
      argument->addAttr(llvm::Attribute::ReadOnly);
      argument->addAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(8)));
      if (sizes[i]) argument->addAttr(llvm::Attribute::getWithDereferenceableBytes(context_, sizes[i]));
    }
    entryBlock_ = llvm::BasicBlock::Create(context_, "entry", entry_);
  }

  llvm::LoadInst* load(llvm::IRBuilder<>& builder, EntryParameter from, std::uint64_t offset, llvm::Type* type,
                       const llvm::Twine& name = "") {
    llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry_->getArg(from), offset);
    llvm::LoadInst* value = builder.CreateAlignedLoad(
        type, address, std::min(module_.getDataLayout().getABITypeAlign(type), mostArgumentAlign), name);
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    return value;
  }

  /// Sizes and ids of an ordinary launch are below 2^31, which lets LLVM see through 32-bit index arithmetic.
  llvm::Value* bounded(llvm::LoadInst* value, std::uint64_t least) {
    if (!options_.wideIds)
      value->setMetadata(
          llvm::LLVMContext::MD_range,
          llvm::MDBuilder(context_).createRange(llvm::APInt(64, least), llvm::APInt(64, std::uint64_t{1} << 31)));
    return value;
  }

  llvm::Value* argument(llvm::IRBuilder<>& builder, llvm::Argument& parameter, const KernelArg& description,
                        llvm::Value* local) {
    llvm::Type* type = parameter.getType();
    if (description.kind == ArgKind::Local)
      return builder.CreateInBoundsGEP(builder.getInt8Ty(), local,
                                       load(builder, Args, description.offset, builder.getInt64Ty()),
                                       parameter.getName());
    // A structure stays where it is; the kernel copies it.
    if (description.kind == ArgKind::Image)
      return builder.CreateAddrSpaceCast(
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry_->getArg(Args), description.offset), type,
          parameter.getName());
    if (description.kind == ArgKind::Value && type->isPointerTy())
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry_->getArg(Args), description.offset,
                                                parameter.getName());
    return load(builder, Args, description.offset, type, parameter.getName());
  }

  /// A member of an image's descriptor, which a pass has made a parameter (specialize-images).
  llvm::Value* imageMember(llvm::IRBuilder<>& builder, const llvm::Argument& parameter) {
    llvm::StringRef member = parameter.getParent()
                                 ->getAttributes()
                                 .getParamAttr(parameter.getArgNo(), imageMemberAttribute)
                                 .getValueAsString();
    unsigned argument = 0;
    std::uint64_t offset = 0;
    member.consumeInteger(10, argument);
    member.consume_front(":");
    member.consumeInteger(10, offset);
    return load(builder, Args, options_.args[argument].offset + offset, parameter.getType(), parameter.getName());
  }

  /// Orders the kernel's non-temporal stores before everything that follows the kernel.
  void finish(llvm::IRBuilder<>& builder) {
    if (streams_) builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::x86_sse_sfence, {});
    builder.CreateRetVoid();
  }

  llvm::CallInst* callOnce(llvm::IRBuilder<>& builder, llvm::Function& body, llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::CallInst* call = builder.CreateCall(&body, arguments);
    finish(builder);
    return call;
  }

  /// Loops over the work-groups of the slice.
  llvm::CallInst* callForEachGroup(llvm::IRBuilder<>& builder, llvm::Function& body,
                                   llvm::ArrayRef<llvm::Value*> arguments) {
    std::array<llvm::Value*, 3> begin, end;
    std::array<llvm::BasicBlock*, 3> header, latch;
    llvm::Type* type = options_.wideIds ? builder.getInt64Ty() : builder.getInt32Ty();
    for (unsigned d = 0; d < 3; ++d) {
      begin[d] =
          builder.CreateTrunc(load(builder, SliceBox, offsetof(Slice, begin) + 8 * d, builder.getInt64Ty()), type);
      end[d] = builder.CreateTrunc(load(builder, SliceBox, offsetof(Slice, end) + 8 * d, builder.getInt64Ty()), type);
    }
    std::array<llvm::PHINode*, 3> counter;
    for (const unsigned d : {2u, 1u, 0u})
      header[d] = llvm::BasicBlock::Create(context_, std::string("group.") + "xyz"[d], entry_);
    for (const unsigned d : {0u, 1u, 2u})
      latch[d] = llvm::BasicBlock::Create(context_, std::string("group.next.") + "xyz"[d], entry_);
    llvm::BasicBlock* done = llvm::BasicBlock::Create(context_, "done", entry_);
    builder.CreateBr(header[2]);
    for (const unsigned d : {2u, 1u, 0u}) {
      builder.SetInsertPoint(header[d]);
      counter[d] = builder.CreatePHI(type, 2, std::string("group.id.") + "xyz"[d]);
      counter[d]->addIncoming(begin[d], d == 2 ? entryBlock_ : header[d + 1]);
      groupId_[d] = builder.CreateZExt(counter[d], builder.getInt64Ty());
      if (d > 0) builder.CreateBr(header[d - 1]);
    }
    llvm::CallInst* call = builder.CreateCall(&body, arguments);
    builder.CreateBr(latch[0]);
    for (const unsigned d : {0u, 1u, 2u}) {
      builder.SetInsertPoint(latch[d]);
      llvm::Value* step =
          d == 0 && bundled_ ? builder.CreateTrunc(groupsOfBundle(), type) : llvm::ConstantInt::get(type, 1);
      llvm::Value* next = builder.CreateAdd(counter[d], step, "", true, true);
      counter[d]->addIncoming(next, latch[d]);
      llvm::BranchInst* back =
          builder.CreateCondBr(builder.CreateICmpULT(next, end[d]), header[d], d == 2 ? done : latch[d + 1]);
      // LLVM would weigh the whole kernel for each loop around it, to find that it is too large to be unrolled.
      back->setMetadata(llvm::LLVMContext::MD_loop, notUnrolled(context_));
    }
    builder.SetInsertPoint(done);
    finish(builder);
    return call;
  }

  // --- queries ----------------------------------------------------------------------------------------------------

  void lowerQueries() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*entry_))) {
      const auto primitive = primitiveOf(instruction);
      if (!primitive || *primitive == Primitive::ExpectBelow) continue;
      auto& query = llvm::cast<llvm::CallInst>(instruction);
      llvm::IRBuilder<> builder(&query);
      query.replaceAllUsesWith(answer(builder, *primitive, query));
      query.eraseFromParent();
    }
  }

  llvm::Value* answer(llvm::IRBuilder<>& builder, Primitive primitive, const llvm::CallInst& query) {
    if (primitive == Primitive::LocalBytes)
      return builder.CreateAnd(fromParameter(Memory, offsetof(WorkerMemory, localBytes), 0), ~std::uint64_t{63});
    if (primitive == Primitive::WorkDim)
      return builder.CreateTrunc(fromLaunch(offsetof(LaunchInfo, workDim), 1), builder.getInt32Ty());
    if (primitive == Primitive::PrintfSink) return pointerFromLaunch(offsetof(LaunchInfo, printfSink));
    if (primitive == Primitive::Parent) return pointerFromLaunch(offsetof(LaunchInfo, parent));
    if (const auto d = dimensionOf(query)) return answer(builder, primitive, *d);
    llvm::Value* result = answer(builder, primitive, 0u);
    for (unsigned d = 1; d < 3; ++d)
      result = builder.CreateSelect(builder.CreateICmpEQ(query.getArgOperand(0), builder.getInt32(d)),
                                    answer(builder, primitive, d), result);
    return result;
  }

  llvm::Value* answer(llvm::IRBuilder<>& builder, Primitive primitive, unsigned d) {
    switch (primitive) {
      case Primitive::GroupId: return options_.groupAgnostic ? builder.getInt64(0) : groupId_[d];
      case Primitive::GlobalSize: return fromLaunch(offsetof(LaunchInfo, globalSize) + 8 * d, 1);
      case Primitive::EnqueuedLocalSize: return fromLaunch(offsetof(LaunchInfo, enqueuedLocalSize) + 8 * d, 1);
      case Primitive::NumGroups: return fromLaunch(offsetof(LaunchInfo, numGroups) + 8 * d, 1);
      case Primitive::GlobalOffset: return fromLaunch(offsetof(LaunchInfo, globalOffset) + 8 * d, 0);
      case Primitive::SliceBegin: return fromSlice(offsetof(Slice, begin) + 8 * d, 0);
      case Primitive::SliceEnd: return fromSlice(offsetof(Slice, end) + 8 * d, 1);
      case Primitive::LocalSize: {
        if (bundled_ && d == 1)
          return builder.CreateBinaryIntrinsic(
              llvm::Intrinsic::umin, groupsOfBundle(),
              builder.CreateSub(fromSlice(offsetof(Slice, end), 1), groupId_[0], "", true, true));
        llvm::Value* enqueued = answer(builder, Primitive::EnqueuedLocalSize, d);
        llvm::Value* left = builder.CreateSub(answer(builder, Primitive::GlobalSize, d),
                                              builder.CreateMul(answer(builder, Primitive::GroupId, d), enqueued));
        return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, enqueued, left);
      }
      default: return llvm::PoisonValue::get(builder.getInt64Ty());  // ids and barriers are gone by now
    }
  }

  llvm::Value* groupsOfBundle() { return fromParameter(Memory, offsetof(WorkerMemory, groups), 1); }
  llvm::Value* fromLaunch(std::uint64_t offset, std::uint64_t least) { return fromParameter(Launch, offset, least); }
  llvm::Value* fromSlice(std::uint64_t offset, std::uint64_t least) { return fromParameter(SliceBox, offset, least); }

  llvm::Value* fromParameter(EntryParameter from, std::uint64_t offset, std::uint64_t least) {
    llvm::Value*& value = fields_[{from, offset}];
    if (!value) {
      llvm::IRBuilder<> builder(entryBlock_, entryBlock_->getFirstNonPHIOrDbgOrAlloca());
      value = bounded(load(builder, from, offset, builder.getInt64Ty()), least);
    }
    return value;
  }

  llvm::Value* pointerFromLaunch(std::uint64_t offset) {
    llvm::IRBuilder<> builder(entryBlock_, entryBlock_->getFirstNonPHIOrDbgOrAlloca());
    return load(builder, Launch, offset, builder.getPtrTy());
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::Function& kernel_;
  const MakeEntryPass::Options& options_;
  const bool streams_;
  const bool bundled_;
  llvm::Function* entry_ = nullptr;
  llvm::BasicBlock* entryBlock_ = nullptr;
  std::array<llvm::Value*, 3> groupId_{};  ///< unless flat
  std::map<std::pair<EntryParameter, std::uint64_t>, llvm::Value*> fields_;
};

}  // namespace

llvm::PreservedAnalyses MakeEntryPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::Function* kernel = module.getFunction(options.kernel);
  if (!kernel || kernel->isDeclaration()) return llvm::PreservedAnalyses::all();
  EntryBuilder(module, *kernel, options).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
