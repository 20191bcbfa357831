// SPDX-License-Identifier: Apache-2.0
// This file gives accesses of global memory their alias scopes, one for each pointer argument.
#include "compiler/passes/distinct_buffers.h"

#include "compiler/ir/primitives.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Metadata.h>

#include <optional>

namespace clarity::compiler {
namespace {

constexpr unsigned privateAddressSpace = 0;

bool leadsToBuffer(const llvm::Argument& argument) {
  if (!argument.getType()->isPointerTy()) return false;
  const unsigned space = argument.getType()->getPointerAddressSpace();
  return space == globalAddressSpace || space == constantAddressSpace;
}

/// Whether the argument is constant, or a pointer to const, as clang notes in the kernel's metadata.
bool isDeclaredConst(const llvm::Argument& argument) {
  if (argument.getType()->getPointerAddressSpace() == constantAddressSpace) return true;
  const llvm::MDNode* const qualifiers = argument.getParent()->getMetadata("kernel_arg_type_qual");
  if (!qualifiers || argument.getArgNo() >= qualifiers->getNumOperands()) return false;
  const auto* const text = llvm::dyn_cast<llvm::MDString>(qualifiers->getOperand(argument.getArgNo()));
  return text && text->getString().contains("const");
}

/// Calls behind which other work-items may have written to global memory.
bool synchronises(const llvm::Instruction& instruction) {
  const auto primitive = primitiveOf(instruction);
  return primitive == Primitive::Barrier || primitive == Primitive::WorkGroupCollective ||
         primitive == Primitive::SubGroup;
}

class BufferScopes {
public:
  BufferScopes(llvm::Function& kernel, bool all) : kernel_(kernel), all_(all), metadata_(kernel.getContext()) {
    for (llvm::Argument& argument : kernel.args())
      if (leadsToBuffer(argument) && (all || argument.hasNoAliasAttr())) arguments_.insert(&argument);
  }

  void run() {
    for (llvm::Instruction& instruction : llvm::instructions(kernel_)) {
      hasBarriers_ |= synchronises(instruction);
      noteWrite(instruction);
    }
    if (hasBarriers_) forgetScopesOfCalls();
    if (arguments_.size() > 1) {
      makeScopes();
      for (llvm::Instruction& instruction : llvm::instructions(kernel_)) describe(instruction);
    }
    for (llvm::Argument* const argument : arguments_) setAttributes(*argument);
  }

private:
  using Objects = llvm::SmallVector<const llvm::Value*, 4>;

  /// The arguments that an address comes from; empty if it may come from anything else.
  std::optional<llvm::SmallVector<llvm::Argument*, 4>> argumentsOf(const llvm::Value& pointer) const {
    Objects objects;
    llvm::getUnderlyingObjects(&pointer, objects, nullptr, 0);
    llvm::SmallVector<llvm::Argument*, 4> found;
    for (const llvm::Value* const object : objects) {
      auto* const argument = const_cast<llvm::Argument*>(llvm::dyn_cast<llvm::Argument>(object));
      if (!argument || !leadsToBuffer(*argument)) return {};
      found.push_back(argument);
    }
    return found;
  }

  static bool isApart(const llvm::Value& pointer) {
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    if (space == localAddressSpace) return true;
    Objects objects;
    llvm::getUnderlyingObjects(&pointer, objects, nullptr, 0);
    return space == privateAddressSpace && llvm::all_of(objects, llvm::IsaPred<llvm::AllocaInst>);
  }

  void noteWrite(const llvm::Instruction& instruction) {
    if (!instruction.mayWriteToMemory() || llvm::isa<llvm::FenceInst>(instruction)) return;
    const llvm::Value* pointer = nullptr;
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      pointer = store->getPointerOperand();
    else if (const auto* const modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      pointer = modify->getPointerOperand();
    else if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      pointer = exchange->getPointerOperand();
    else if (const auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
      pointer = memory->getRawDest();
    else if (const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
             intrinsic && intrinsic->isAssumeLikeIntrinsic())
      return;
    else if (const auto primitive = primitiveOf(instruction); primitive && primitive != Primitive::PrintfSink)
      return;
    if (pointer && isApart(*pointer)) return;
    const auto written = pointer ? argumentsOf(*pointer) : std::nullopt;
    writesAnywhere_ |= !written;
    if (written) written_.insert_range(*written);
  }

  void forgetScopesOfCalls() {
    for (llvm::Instruction& instruction : llvm::instructions(kernel_))
      if (llvm::isa<llvm::CallInst>(instruction)) {
        instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
        instruction.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
      }
  }

  void makeScopes() {
    llvm::MDNode* const domain = metadata_.createAnonymousAliasScopeDomain(kernel_.getName());
    for (llvm::Argument* const argument : arguments_)
      scopes_[argument] = metadata_.createAnonymousAliasScope(domain, argument->getName());
  }

  void describe(llvm::Instruction& instruction) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (const auto* const modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      pointer = modify->getPointerOperand();
    if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      pointer = exchange->getPointerOperand();
    if (!pointer) return;
    const auto own = argumentsOf(*pointer);
    if (!own) return;
    llvm::SmallVector<llvm::Metadata*, 8> in, apart;
    for (llvm::Argument* const argument : arguments_)
      if (llvm::is_contained(*own, argument))
        in.push_back(scopes_[argument]);
      else if (llvm::none_of(*own, [&](llvm::Argument* other) { return mayOverlap(*argument, *other); }))
        apart.push_back(scopes_[argument]);
    const bool isWhole = llvm::all_of(*own, [&](llvm::Argument* each) { return arguments_.contains(each); });
    if (isWhole) add(instruction, llvm::LLVMContext::MD_alias_scope, in);
    add(instruction, llvm::LLVMContext::MD_noalias, apart);
  }

  bool mayOverlap(const llvm::Argument& a, const llvm::Argument& b) const {
    return all_ && isDeclaredConst(a) && isDeclaredConst(b);
  }

  void add(llvm::Instruction& instruction, unsigned kind, llvm::ArrayRef<llvm::Metadata*> scopes) {
    if (scopes.empty()) return;
    llvm::MDNode* const list = llvm::MDNode::get(kernel_.getContext(), scopes);
    instruction.setMetadata(kind, llvm::MDNode::concatenate(instruction.getMetadata(kind), list));
  }

  void setAttributes(llvm::Argument& argument) const {
    const bool isShared = all_ && isDeclaredConst(argument) &&
                          llvm::any_of(written_, [](const llvm::Argument* other) { return isDeclaredConst(*other); });
    if (!writesAnywhere_ && !written_.contains(&argument) && !isShared) {
      argument.addAttr(llvm::Attribute::NoAlias);
      argument.removeAttr(llvm::Attribute::ReadNone);
      argument.addAttr(llvm::Attribute::ReadOnly);
    } else if (hasBarriers_) {
      argument.removeAttr(llvm::Attribute::NoAlias);
    }
  }

  llvm::Function& kernel_;
  const bool all_;
  llvm::MDBuilder metadata_;
  llvm::SmallSetVector<llvm::Argument*, 8> arguments_;  ///< arguments of which something is known
  llvm::SmallPtrSet<llvm::Argument*, 8> written_;
  bool writesAnywhere_ = false;  ///< through pointers that come from elsewhere
  bool hasBarriers_ = false;
  llvm::DenseMap<llvm::Argument*, llvm::MDNode*> scopes_;
};

}  // namespace

llvm::PreservedAnalyses DistinctBuffersPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  BufferScopes(function, all).run();
  llvm::PreservedAnalyses preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace clarity::compiler
