// SPDX-License-Identifier: Apache-2.0
// This file puts a condition ahead of each access that cannot be seen to be right.
#include "compiler/instrument/check_memory.h"

#include "compiler/instrument/guards.h"
#include "compiler/instrument/hooks.h"
#include "compiler/instrument/object_bounds.h"
#include "compiler/instrument/sites.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace clarity::compiler {
namespace {

class MemoryChecker {
public:
  MemoryChecker(llvm::Function& function, InstrumentedPlaces& places) : bounds_(function), places_(places) {
    bounds_.trackStores();
  }

  void check(const Access& access) {
    llvm::Value* const allowed = condition(access);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(allowed); constant && constant->isOne()) return;
    guard(access, allowed);
  }

private:
  llvm::Value* condition(const Access& access) {
    const unsigned kinds = (reads(access.kind) ? readAccess : 0u) | (writes(access.kind) ? writeAccess : 0u);
    const ObjectBounds object = bounds_.of(access.pointer, kinds), array = bounds_.arrayOf(access.pointer);
    llvm::IRBuilder<> builder(access.instruction);
    llvm::Value* const address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
    llvm::Value* allowed = isInside(builder, address, access.bytes, object);
    object_ = object;
    if (array.begin) {
      // The object is reported if it is that which the access leaves, else the array.
      object_ = {builder.CreateSelect(allowed, array.begin, object.begin),
                 builder.CreateSelect(allowed, array.bytes, object.bytes)};
      allowed = builder.CreateAnd(allowed, isInside(builder, address, access.bytes, array));
    }
    if (!llvm::isa<llvm::ConstantInt>(access.bytes))
      allowed = builder.CreateOr(allowed, builder.CreateICmpEQ(access.bytes, builder.getInt64(0)));
    if (access.alignment > 1) {
      llvm::Value* const rest = builder.CreateAnd(address, builder.getInt64(access.alignment - 1));
      allowed = builder.CreateAnd(allowed, builder.CreateICmpEQ(rest, builder.getInt64(0)));
    }
    return allowed;
  }

  static llvm::Value* isInside(llvm::IRBuilder<>& builder, llvm::Value* address, llvm::Value* bytes,
                               const ObjectBounds& object) {
    llvm::Value* const last = builder.CreateSub(bytes, builder.getInt64(1));
    llvm::Value* const room = builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, object.bytes, last);
    return builder.CreateICmpULT(builder.CreateSub(address, object.begin), room);
  }

  /// if (allowed) access; else report;
  void guard(const Access& access, llvm::Value* allowed) {
    llvm::Instruction& instruction = *access.instruction;
    llvm::MDNode* const weights = llvm::MDBuilder(instruction.getContext()).createLikelyBranchWeights();
    llvm::Instruction *yes = nullptr, *no = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(allowed, instruction.getIterator(), &yes, &no, weights);
    markGuard(*yes);
    report(access, no);
    llvm::BasicBlock* const behind = instruction.getParent();
    instruction.moveBefore(yes->getIterator());
    if (instruction.getType()->isVoidTy() || instruction.use_empty()) return;
    auto* result = llvm::PHINode::Create(instruction.getType(), 2, "", behind->begin());
    instruction.replaceAllUsesWith(result);
    result->addIncoming(&instruction, yes->getParent());
    result->addIncoming(llvm::Constant::getNullValue(instruction.getType()), no->getParent());
  }

  void report(const Access& access, llvm::Instruction* ahead) {
    llvm::IRBuilder<> builder(ahead);
    const std::uint32_t site = places_.add(siteOf(access));
    emitHook(builder, "__clarity_check_access",
             {builder.getInt32(site), builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()), access.bytes,
              object_.begin, object_.bytes});
  }

  ObjectBoundsBuilder bounds_;
  InstrumentedPlaces& places_;
  ObjectBounds object_;
};

}  // namespace

void checkMemory(llvm::Module& module, InstrumentedPlaces& places) {
  for (llvm::Function& function : module) {
    llvm::SmallVector<Access, 32> accesses;
    for (llvm::Instruction& instruction : llvm::instructions(function)) addAccesses(instruction, accesses);
    if (accesses.empty()) continue;
    MemoryChecker checker(function, places);
    // A pointer that an earlier access has loaded is another value once that one is guarded.
    llvm::SmallVector<llvm::WeakTrackingVH, 32> pointers;
    for (const Access& access : accesses) pointers.emplace_back(access.pointer);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      Access& access = accesses[i];
      access.pointer = pointers[i];
      if (access.instruction->getDebugLoc() && !isInsideVariable(access) && !isOfLibrary(access.pointer))
        checker.check(access);
    }
  }
}

}  // namespace clarity::compiler
