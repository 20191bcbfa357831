// SPDX-License-Identifier: Apache-2.0
// This file adds counters of work to native IR.
#include "compiler/host/count_blocks.h"

#include "compiler/ir/float_operations.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace clarity::compiler {
namespace {

constexpr const char *hookName = "__clarity_counts", *lanesHookName = "__clarity_lanes";

/// The parameters of the hooks, in their order: the last two are those of the one about lanes.
enum Counter : unsigned { Floats, Doubles, Halves, Integers, Read, Written, Local, Active, Lanes };
constexpr unsigned counters = 9, lanesCounters = 2;

/// The work of a block that is the same whenever it is executed.
using Work = std::array<std::uint64_t, counters>;

std::uint64_t lanesOf(const llvm::Type* type) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// Whether an instruction computes with integers in lanes. Masks and addresses are not counted.
bool isOfIntegers(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isVectorTy() || instruction.getType()->getScalarSizeInBits() == 1) return false;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr: return true;
    default: return false;
  }
}

/// The type whose lanes an instruction computes in.
const llvm::Type* computedType(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const bool isReduction = call && (call->getIntrinsicID() == llvm::Intrinsic::vector_reduce_fadd ||
                                    call->getIntrinsicID() == llvm::Intrinsic::vector_reduce_fmul);
  return isReduction ? call->getArgOperand(1)->getType() : instruction.getType();
}

/// An access of memory.
struct Access {
  const llvm::Type* type = nullptr;  ///< null: the instruction is none
  unsigned addressSpace = 0;
  bool writes = false;
  llvm::Value* mask = nullptr;
};

unsigned spaceOf(const llvm::Value& pointer) { return pointer.getType()->getScalarType()->getPointerAddressSpace(); }

/// The mask of a masked access: the one argument that is a vector of bits.
llvm::Value* maskOf(const llvm::IntrinsicInst& call) {
  for (llvm::Value* const argument : call.args())
    if (argument->getType()->isVectorTy() && argument->getType()->isIntOrIntVectorTy(1)) return argument;
  return nullptr;
}

Access accessOf(llvm::Instruction& instruction) {
  if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {load->getType(), load->getPointerAddressSpace()};
  if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {store->getValueOperand()->getType(), store->getPointerAddressSpace(), true};
  if (auto* const atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {atomic->getType(), atomic->getPointerAddressSpace(), true};
  auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return {};
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
      return {call->getType(), spaceOf(*call->getArgOperand(0)), false, maskOf(*call)};
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      return {call->getArgOperand(0)->getType(), spaceOf(*call->getArgOperand(1)), true, maskOf(*call)};
    default: return {};
  }
}

/// A branch that asks whether any lane is active, or all are (packets/mask_values.h).
struct MaskTest {
  llvm::SmallVector<llvm::Value*, 4> masks;  ///< masks of the tile's cells; empty: it is another branch
  bool ofAll = false;
};

MaskTest maskTestOf(const llvm::BasicBlock& block) {
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  const auto* const compare =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  const auto* const bits = compare ? llvm::dyn_cast<llvm::BitCastInst>(compare->getOperand(0)) : nullptr;
  const auto* const with = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
  if (!bits || !with || !compare->isEquality() || !(with->isZero() || with->isMinusOne())) return {};
  const llvm::Type* const type = bits->getOperand(0)->getType();
  if (!type->isVectorTy() || !type->isIntOrIntVectorTy(1)) return {};
  MaskTest test{.masks = {}, .ofAll = with->isMinusOne()};
  const unsigned joins = test.ofAll ? llvm::Instruction::And : llvm::Instruction::Or;
  llvm::SmallVector<llvm::Value*, 8> work{bits->getOperand(0)};
  constexpr std::size_t mostCells = 64;
  while (!work.empty() && test.masks.size() < mostCells) {
    llvm::Value* const mask = work.pop_back_val();
    const auto* const join = llvm::dyn_cast<llvm::BinaryOperator>(mask);
    if (join && join->getOpcode() == joins && join->hasOneUse())
      work.append({join->getOperand(0), join->getOperand(1)});
    else
      test.masks.push_back(mask);
  }
  return test;
}

class FunctionCounter {
public:
  FunctionCounter(llvm::Function& function, llvm::FunctionCallee hook, llvm::FunctionCallee lanesHook)
      : function_(function), hook_(hook), lanesHook_(lanesHook), layout_(function.getParent()->getDataLayout()) {}

  void run() {
    llvm::IRBuilder<> atBegin(&function_.getEntryBlock(), function_.getEntryBlock().getFirstInsertionPt());
    for (llvm::AllocaInst*& cell : cells_) cell = atBegin.CreateAlloca(atBegin.getInt64Ty());
    for (llvm::AllocaInst* const cell : cells_) atBegin.CreateStore(atBegin.getInt64(0), cell);
    first_ = &*atBegin.GetInsertPoint();
    for (llvm::BasicBlock& block : function_) count(block);
    llvm::SmallVector<llvm::AllocaInst*, counters> promoted(cells_.begin(), cells_.end());
    llvm::DominatorTree tree(function_);
    llvm::PromoteMemToReg(promoted, tree);
  }

private:
  void count(llvm::BasicBlock& block) {
    Work work{};
    llvm::SmallVector<llvm::Instruction*, 16> masked;
    for (auto at = &block == first_->getParent() ? first_->getIterator() : block.begin(); at != block.end(); ++at)
      if (note(*at, work)) masked.push_back(&*at);
    llvm::Instruction* const end = block.getTerminator();
    for (llvm::Instruction* const access : masked) addMasked(*access);
    llvm::IRBuilder<> builder(end);
    if (const MaskTest test = maskTestOf(block); !test.masks.empty()) addLanes(builder, test);
    for (unsigned counter = 0; counter < counters; ++counter)
      if (work[counter] != 0) add(builder, counter, builder.getInt64(work[counter]));
    if (llvm::isa<llvm::ReturnInst>(end)) report(builder);
  }

  /// Whether the work depends on a mask.
  bool note(llvm::Instruction& instruction, Work& work) const {
    if (const unsigned operations = floatOperationsOf(instruction)) {
      const llvm::Type* const type = computedType(instruction);
      const llvm::Type* const scalar = type->getScalarType();
      work[scalar->isDoubleTy() ? Doubles : scalar->isHalfTy() ? Halves : Floats] += operations * lanesOf(type);
      return false;
    }
    if (isOfIntegers(instruction)) {
      work[Integers] += lanesOf(instruction.getType());
      return false;
    }
    const Access access = accessOf(instruction);
    const int counter = access.type ? counterOf(access) : -1;
    if (counter < 0) return false;
    if (access.mask) return true;
    work[static_cast<unsigned>(counter)] += layout_.getTypeStoreSize(const_cast<llvm::Type*>(access.type));
    return false;
  }

  /// -1: private memory, or the entry's own.
  static int counterOf(const Access& access) {
    if (access.addressSpace == localAddressSpace) return Local;
    const bool isGlobal = access.addressSpace == globalAddressSpace || access.addressSpace == constantAddressSpace;
    return !isGlobal ? -1 : access.writes ? Written : Read;
  }

  void addMasked(llvm::Instruction& instruction) {
    const Access access = accessOf(instruction);
    llvm::IRBuilder<> builder(&instruction);
    const std::uint64_t bytes = layout_.getTypeStoreSize(const_cast<llvm::Type*>(access.type)->getScalarType());
    add(builder, static_cast<unsigned>(counterOf(access)),
        builder.CreateMul(activeIn(builder, *access.mask), builder.getInt64(bytes)));
  }

  /// The number of lanes of a mask that are on.
  static llvm::Value* activeIn(llvm::IRBuilder<>& builder, llvm::Value& mask) {
    const std::uint64_t lanes = lanesOf(mask.getType());
    llvm::Value* bits = builder.CreateBitCast(&mask, builder.getIntNTy(static_cast<unsigned>(lanes)));
    bits = builder.CreateZExt(bits, builder.getIntNTy(static_cast<unsigned>(std::max<std::uint64_t>(lanes, 32))));
    return builder.CreateZExtOrTrunc(builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), builder.getInt64Ty());
  }

  /// Code that no lane needs is skipped, and code for all lanes follows a test of all: neither counts otherwise.
  void addLanes(llvm::IRBuilder<>& builder, const MaskTest& test) {
    llvm::Value* active = builder.getInt64(0);
    for (llvm::Value* const mask : test.masks) active = builder.CreateAdd(active, activeIn(builder, *mask));
    llvm::Value* const all = builder.getInt64(test.masks.size() * lanesOf(test.masks[0]->getType()));
    llvm::Value* const none = builder.getInt64(0);
    llvm::Value* const runs = test.ofAll ? builder.CreateICmpEQ(active, all) : builder.CreateICmpNE(active, none);
    add(builder, Active, builder.CreateSelect(runs, active, none));
    add(builder, Lanes, builder.CreateSelect(runs, all, none));
  }

  void add(llvm::IRBuilder<>& builder, unsigned counter, llvm::Value* amount) {
    llvm::Value* const before = builder.CreateLoad(builder.getInt64Ty(), cells_[counter]);
    builder.CreateStore(builder.CreateAdd(before, amount), cells_[counter]);
  }

  void report(llvm::IRBuilder<>& builder) {
    llvm::SmallVector<llvm::Value*, counters> sums;
    for (llvm::AllocaInst* const cell : cells_) sums.push_back(builder.CreateLoad(builder.getInt64Ty(), cell));
    const llvm::ArrayRef all(sums);
    builder.CreateCall(lanesHook_, all.take_back(lanesCounters))->setDoesNotThrow();
    builder.CreateCall(hook_, all.drop_back(lanesCounters))->setDoesNotThrow();
  }

  llvm::Function& function_;
  llvm::FunctionCallee hook_, lanesHook_;
  const llvm::DataLayout& layout_;
  std::array<llvm::AllocaInst*, counters> cells_{};
  llvm::Instruction* first_ = nullptr;  ///< the first instruction of the code that is counted
};

}  // namespace

void countBlocks(llvm::Module& module) {
  llvm::Type* const number = llvm::Type::getInt64Ty(module.getContext());
  const auto hookOf = [&](const char* name, unsigned parameters) {
    const llvm::SmallVector<llvm::Type*, counters> types(parameters, number);
    return module.getOrInsertFunction(
        name, llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), types, false));
  };
  const llvm::FunctionCallee hook = hookOf(hookName, counters - lanesCounters),
                             lanes = hookOf(lanesHookName, lanesCounters);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) FunctionCounter(function, hook, lanes).run();
}

}  // namespace clarity::compiler
