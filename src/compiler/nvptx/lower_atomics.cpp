// SPDX-License-Identifier: Apache-2.0
// This file writes PTX's atomic instructions as inline assembly, and fences.
#include "compiler/nvptx/lower_atomics.h"

#include "compiler/ir/sync_scopes.h"
#include "compiler/nvptx/address_spaces.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <string>
#include <string_view>

namespace clarity::compiler::nvptx {
namespace {

using Ordering = llvm::AtomicOrdering;

/// The first compute capabilities, ten times, whose `atom` has scopes, and adds doubles; whose memory operations have
/// orders, and whose `atom` adds halves.
constexpr unsigned firstWithScopes = 60, firstThatAddsDoubles = 60, firstWithOrders = 70, firstThatAddsHalves = 70;

unsigned bitsOf(const llvm::AtomicRMWInst& atomic) {
  return static_cast<unsigned>(atomic.getModule()->getDataLayout().getTypeSizeInBits(atomic.getType()));
}

/// The instruction's operation and type, such as "add.u32"; empty where there is none.
std::string instructionFor(const llvm::AtomicRMWInst& atomic, unsigned capability) {
  using Atomic = llvm::AtomicRMWInst;
  const llvm::Type& type = *atomic.getType();
  const unsigned bits = bitsOf(atomic);
  if (atomic.getOperation() == Atomic::FAdd) {
    if (type.isFloatTy()) return "add.f32";
    if (type.isDoubleTy() && capability >= firstThatAddsDoubles) return "add.f64";
    return type.isHalfTy() && capability >= firstThatAddsHalves ? "add.noftz.f16" : "";
  }
  if (bits != 32 && bits != 64) return {};
  switch (atomic.getOperation()) {
    case Atomic::Xchg: return fmt::format("exch.b{}", bits);
    case Atomic::Add:
    case Atomic::Sub: return fmt::format("add.u{}", bits);
    case Atomic::And: return fmt::format("and.b{}", bits);
    case Atomic::Or: return fmt::format("or.b{}", bits);
    case Atomic::Xor: return fmt::format("xor.b{}", bits);
    case Atomic::Min: return fmt::format("min.s{}", bits);
    case Atomic::Max: return fmt::format("max.s{}", bits);
    case Atomic::UMin: return fmt::format("min.u{}", bits);
    case Atomic::UMax: return fmt::format("max.u{}", bits);
    case Atomic::UIncWrap: return bits == 32 ? "inc.u32" : "";
    case Atomic::UDecWrap: return bits == 32 ? "dec.u32" : "";
    default: return {};
  }
}

/// The constraint of inline assembly for a register of the type.
char constraintOf(const llvm::Type& type) {
  if (type.isFloatTy()) return 'f';
  if (type.isDoubleTy()) return 'd';
  const unsigned bits = type.getIntegerBitWidth();
  return bits == 16 ? 'h' : bits == 32 ? 'r' : 'l';
}

std::string_view nameOf(Ordering order) {
  switch (order) {
    case Ordering::Acquire: return "acquire";
    case Ordering::Release: return "release";
    case Ordering::AcquireRelease: return "acq_rel";
    default: return "relaxed";
  }
}

/// The address space that a pointer surely points to; the generic one if it may be any.
unsigned spaceOf(const llvm::Value& pointer) {
  const unsigned own = pointer.getType()->getPointerAddressSpace();
  return own != genericSpace ? own : llvm::getUnderlyingObject(&pointer)->getType()->getPointerAddressSpace();
}

bool isPrivate(const llvm::Value& pointer) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer)); }

class AtomicLowering {
public:
  AtomicLowering(llvm::LLVMContext& context, unsigned capability)
      : capability_(capability),
        group_(context.getOrInsertSyncScopeID(groupScopeName)),
        device_(context.getOrInsertSyncScopeID(deviceScopeName)) {}

  void lower(llvm::Instruction& instruction) {
    if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
      fence->setSyncScopeID(known(fence->getSyncScopeID()));
      if (fence->getSyncScopeID() == llvm::SyncScope::SingleThread) fence->eraseFromParent();
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      lowerAccess(*load, load->getOrdering());
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      lowerAccess(*store, store->getOrdering());
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      lowerExchange(*exchange);
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      lowerUpdate(*update);
    }
  }

private:
  /// One of the scopes that the code generator knows.
  llvm::SyncScope::ID known(llvm::SyncScope::ID scope) const {
    const bool isKnown = scope == llvm::SyncScope::SingleThread || scope == group_ || scope == device_;
    return isKnown ? scope : static_cast<llvm::SyncScope::ID>(llvm::SyncScope::System);
  }

  template <class Operation>
  llvm::SyncScope::ID scopeOf(const Operation& operation) const {
    const llvm::SyncScope::ID scope = known(operation.getSyncScopeID());
    const bool isOfGroup =
        scope == llvm::SyncScope::SingleThread || spaceOf(*operation.getPointerOperand()) == sharedSpace;
    return isOfGroup ? group_ : scope;
  }

  std::string_view nameOfScope(llvm::SyncScope::ID scope) const {
    return scope == group_ ? "cta" : scope == device_ ? "gpu" : "sys";
  }

  /// The fences of the order, around an operation that is relaxed then.
  static void addFences(llvm::Instruction& operation, Ordering order, llvm::SyncScope::ID scope) {
    llvm::IRBuilder<> builder(&operation);
    if (order == Ordering::SequentiallyConsistent)
      builder.CreateFence(order, scope);
    else if (llvm::isReleaseOrStronger(order))
      builder.CreateFence(Ordering::Release, scope);
    if (!llvm::isAcquireOrStronger(order) || llvm::isa<llvm::StoreInst>(operation)) return;
    builder.SetInsertPoint(operation.getNextNode());
    builder.CreateFence(Ordering::Acquire, scope);
  }

  /// A load or a store.
  template <class Access>
  void lowerAccess(Access& access, Ordering order) {
    const llvm::SyncScope::ID scope = scopeOf(access);
    access.setVolatile(false);
    if (isPrivate(*access.getPointerOperand())) return access.setAtomic(Ordering::NotAtomic);
    access.setSyncScopeID(scope);
    if (capability_ >= firstWithOrders || !llvm::isStrongerThanMonotonic(order)) return;
    access.setOrdering(Ordering::Monotonic);
    addFences(access, order, scope);
  }

  void lowerExchange(llvm::AtomicCmpXchgInst& exchange) {
    const llvm::SyncScope::ID scope = scopeOf(exchange);
    exchange.setVolatile(false);
    if (isPrivate(*exchange.getPointerOperand())) return void(llvm::lowerAtomicCmpXchgInst(&exchange));
    exchange.setSyncScopeID(scope);
    if (capability_ >= firstWithOrders) return;
    const Ordering order = exchange.getMergedOrdering();
    exchange.setSuccessOrdering(Ordering::Monotonic);
    exchange.setFailureOrdering(Ordering::Monotonic);
    addFences(exchange, order, scope);
  }

  void lowerUpdate(llvm::AtomicRMWInst& update) {
    const llvm::SyncScope::ID scope = scopeOf(update);
    update.setVolatile(false);
    if (isPrivate(*update.getPointerOperand())) return void(llvm::lowerAtomicRMWInst(&update));
    update.setSyncScopeID(scope);
    Ordering order = update.getOrdering();
    if (capability_ < firstWithOrders) {
      addFences(update, order, scope);
      order = Ordering::Monotonic;
    } else if (order == Ordering::SequentiallyConsistent) {
      llvm::IRBuilder<>(&update).CreateFence(order, scope);
      order = Ordering::Acquire;
    }
    update.setOrdering(order);
    const bool hasScopes = capability_ >= firstWithScopes;
    const bool isPlain = scope == device_ || !hasScopes || spaceOf(*update.getPointerOperand()) == sharedSpace;
    if (order == Ordering::Monotonic && isPlain) return;
    const std::string instruction = instructionFor(update, capability_);
    if (!instruction.empty()) writeAssembly(update, instruction);
  }

  void writeAssembly(llvm::AtomicRMWInst& update, std::string_view instruction) const {
    llvm::IRBuilder<> builder(&update);
    llvm::Value* value = update.getValOperand();
    if (update.getOperation() == llvm::AtomicRMWInst::Sub) value = builder.CreateNeg(value);
    llvm::Type* const type = value->getType();
    const bool hasBits = type->isHalfTy() || type->isPointerTy() ||
                         (type->isFloatingPointTy() && update.getOperation() == llvm::AtomicRMWInst::Xchg);
    if (hasBits) value = builder.CreateBitOrPointerCast(value, builder.getIntNTy(bitsOf(update)));
    const unsigned space = spaceOf(*update.getPointerOperand());
    llvm::Value* const pointer = builder.CreateAddrSpaceCast(update.getPointerOperand(), builder.getPtrTy(space));
    const std::string_view inSpace = space == globalSpace ? ".global" : space == sharedSpace ? ".shared" : "";
    const Ordering order = update.getOrdering();
    const std::string suffixes = fmt::format("{}{}.{}{}.{}", capability_ >= firstWithOrders ? "." : "",
                                             capability_ >= firstWithOrders ? nameOf(order) : "",
                                             nameOfScope(update.getSyncScopeID()), inSpace, instruction);
    const char letter = constraintOf(*value->getType());
    const bool isReduction =
        update.use_empty() && !llvm::isAcquireOrStronger(order) && update.getOperation() != llvm::AtomicRMWInst::Xchg;
    llvm::Value* result = nullptr;
    const auto call = [&](llvm::Type* results, const std::string& text, const std::string& constraints) {
      auto* const function = llvm::FunctionType::get(results, {pointer->getType(), value->getType()}, false);
      return builder.CreateCall(
          llvm::InlineAsm::get(function, text, constraints + "~{memory}", /*hasSideEffects=*/true), {pointer, value});
    };
    if (isReduction)
      call(builder.getVoidTy(), fmt::format("red{} [$0], $1;", suffixes), fmt::format("l,{},", letter));
    else
      result = call(value->getType(), fmt::format("atom{} $0, [$1], $2;", suffixes),
                    fmt::format("={},l,{},", letter, letter));
    if (result) update.replaceAllUsesWith(builder.CreateBitOrPointerCast(result, type));
    update.eraseFromParent();
  }

  unsigned capability_;
  llvm::SyncScope::ID group_, device_;
};

}  // namespace

llvm::PreservedAnalyses LowerAtomicsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  AtomicLowering lowering(module.getContext(), capability);
  llvm::SmallVector<llvm::Instruction*, 16> atomics;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.isAtomic()) atomics.push_back(&instruction);
  for (llvm::Instruction* each : atomics) lowering.lower(*each);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses CountOutputOnDevicePass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const auto device = module.getContext().getOrInsertSyncScopeID(deviceScopeName);
  if (llvm::Function* print = module.getFunction("__clarity_printf"))
    for (llvm::Instruction& instruction : llvm::instructions(*print))
      if (auto* count = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) count->setSyncScopeID(device);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler::nvptx
