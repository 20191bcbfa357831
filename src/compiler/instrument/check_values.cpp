// SPDX-License-Identifier: Apache-2.0
// This file keeps shadows of what a function loads and stores, and tests them where values are used.
#include "compiler/instrument/check_values.h"

#include "compiler/instrument/guards.h"
#include "compiler/instrument/hooks.h"
#include "compiler/instrument/mark_uninitialised.h"
#include "compiler/instrument/observe_orders.h"
#include "compiler/instrument/shadow_memory.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace clarity::compiler {
namespace {

/// Memory whose content was there before the kernel began: constants, tables, structures passed by value.
bool isAlwaysWritten(llvm::Value* pointer) {
  if (pointer->getType()->getPointerAddressSpace() == constantAddressSpace || isOfLibrary(pointer)) return true;
  const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object)) return argument->hasByValAttr();
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return variable && (variable->isConstant() || variable->getAddressSpace() == constantAddressSpace);
}

/// The slots that printf's values are handed over in.
bool isPrinted(const llvm::AllocaInst& slot) {
  return llvm::any_of(slot.users(), [](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "__clarity_printf";
  });
}

/// Whether others see what is stored there.
bool isOutput(llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
  if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(object)) return isPrinted(*slot);
  return object->getType()->isPointerTy() && object->getType()->getPointerAddressSpace() == globalAddressSpace;
}

/// Whether a value is only moved from global memory, or from memory of which it is not known whether it is that.
bool isCopy(llvm::Value* value, unsigned depth = 0) {
  if (depth > 8) return false;
  const auto all = [&](auto&& operands) {
    return llvm::all_of(operands, [&](llvm::Value* operand) {
      return llvm::isa<llvm::Constant>(operand) || isCopy(operand, depth + 1);
    });
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    const llvm::Value* object = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
    return !llvm::isa<llvm::AllocaInst>(object) && object->getType()->getPointerAddressSpace() != localAddressSpace;
  }
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) return all(phi->incoming_values());
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(value))
    return isCopy(select->getTrueValue(), depth + 1) && isCopy(select->getFalseValue(), depth + 1);
  if (auto* insertion = llvm::dyn_cast<llvm::InsertElementInst>(value))
    return all(llvm::ArrayRef<llvm::Value*>{insertion->getOperand(0), insertion->getOperand(1)});
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value))
    return all(llvm::ArrayRef<llvm::Value*>{shuffle->getOperand(0), shuffle->getOperand(1)});
  if (auto* extraction = llvm::dyn_cast<llvm::ExtractElementInst>(value))
    return isCopy(extraction->getVectorOperand(), depth + 1);
  if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value)) return isCopy(cast->getOperand(0), depth + 1);
  return false;
}

bool isDivision(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem: return true;
    default: return false;
  }
}

/// Whether work-items compute something together from the values of a call. Values that are only moved between them are
/// not used.
bool usesValues(const llvm::CallInst& call) {
  // A copy uses its event (observe_orders.h).
  if (call.getCalledFunction() && call.getCalledFunction()->getName() == copyBeginsHook) return true;
  if (primitiveOf(call) == Primitive::WorkGroupCollective) return true;
  const auto collective = collectiveOf(call, subGroupPrefix);
  using enum Collective::Kind;
  return collective && (collective->kind == Reduce || collective->kind == InclusiveScan ||
                        collective->kind == ExclusiveScan || collective->kind == ClusteredReduce);
}

class ValueChecker {
public:
  ValueChecker(llvm::Function& function, InstrumentedPlaces& places)
      : layout_(function.getDataLayout()), places_(places), shadows_(function), memory_(function) {
    const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function);
    for (llvm::BasicBlock* block : blocks)
      for (llvm::Instruction& instruction : *block) instructions_.push_back(&instruction);
  }

  void run() {
    llvm::SmallVector<llvm::Instruction*, 64> sources;
    for (llvm::Instruction* instruction : instructions_)
      if (isSource(*instruction)) sources.push_back(instruction);
    shadows_.setSources(sources);
    for (llvm::Instruction* instruction : instructions_) follow(*instruction);
    shadows_.completePhis();
    for (llvm::Instruction* instruction : instructions_) check(*instruction);
    shadows_.completePhis();
    for (llvm::Instruction* instruction : instructions_)
      if (uninitialisedSite(instruction)) {
        instruction->replaceAllUsesWith(llvm::Constant::getNullValue(instruction->getType()));
        instruction->eraseFromParent();
      }
  }

private:
  using Accesses = llvm::SmallVector<Access, 2>;

  static ShadowBuilder builderAt(llvm::Instruction& instruction) { return ShadowBuilder(&instruction); }

  /// The type of a shadow in memory; null if values of the type have none.
  llvm::Type* shadowInMemory(llvm::Type* type) const {
    llvm::Type* const shadow = shadows_.typeOf(type);
    return shadow && layout_.typeSizeEqualsStoreSize(shadow) ? shadow : nullptr;
  }

  bool isSource(llvm::Instruction& instruction) const {
    if (uninitialisedSite(&instruction)) return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return shadowInMemory(load->getType()) && !isAlwaysWritten(const_cast<llvm::Value*>(load->getPointerOperand()));
    const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    return update && update->getOperation() == llvm::AtomicRMWInst::Xchg && shadowInMemory(update->getType());
  }

  // --- shadows ---------------------------------------------------------------------------------------------------

  void follow(llvm::Instruction& instruction) {
    if (const auto site = uninitialisedSite(&instruction)) {
      if (!shadows_.mayBeUninitialised(&instruction)) return;
      ShadowBuilder builder = builderAt(instruction);
      shadows_.addSource(instruction, llvm::Constant::getAllOnesValue(shadows_.typeOf(instruction.getType())),
                         {builder.getInt32(*site), builder.getInt64(0)});
      return;
    }
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return begin(*variable);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (!isSource(instruction)) return;
      ShadowBuilder builder = builderAt(instruction);
      llvm::Value* const shadow = memory_.load(builder, load->getPointerOperand(), shadows_.typeOf(load->getType()));
      shadows_.addSource(instruction, shadow, originAt(builder, instruction, load->getPointerOperand()));
      return;
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return followStore(*store, store->getPointerOperand(), store->getValueOperand());
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return followUpdate(*update);
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return followUpdated(instruction, exchange->getPointerOperand(), exchange->getCompareOperand()->getType(), true);
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) return followCopy(*copy);
    if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
      ShadowBuilder builder = builderAt(instruction);
      memory_.set(builder, set->getRawDest(), set->getLength(), /*isWritten=*/true);
      return;
    }
    shadows_.compute(instruction);
  }

  /// Variables that the source does not name are the compiler's.
  void begin(llvm::AllocaInst& variable) {
    const auto bytes = variable.getAllocationSize(layout_);
    if (!bytes) return;
    const bool isNamed = declarationOf(variable).has_value();
    llvm::SmallVector<llvm::Instruction*, 4> places;
    for (llvm::IntrinsicInst* begin : scopesOf(variable, llvm::Intrinsic::lifetime_start))
      places.push_back(begin->getNextNode());
    if (places.empty()) {
      auto place = variable.getIterator();
      while (llvm::isa<llvm::AllocaInst>(place)) ++place;
      places.push_back(&*place);
    }
    for (llvm::Instruction* place : places) {
      ShadowBuilder builder = builderAt(*place);
      memory_.set(builder, &variable, builder.getInt64(bytes->getFixedValue()), !isNamed);
    }
    if (!isNamed) return;
    for (llvm::IntrinsicInst* end : scopesOf(variable, llvm::Intrinsic::lifetime_end)) {
      ShadowBuilder builder = builderAt(*end);
      memory_.set(builder, &variable, builder.getInt64(bytes->getFixedValue()), /*isWritten=*/false);
    }
  }

  void followStore(llvm::Instruction& store, llvm::Value* pointer, llvm::Value* value) {
    ShadowBuilder builder = builderAt(store);
    llvm::Type* const type = shadowInMemory(value->getType());
    if (!type) {
      const std::uint64_t bytes = layout_.getTypeStoreSize(value->getType()).getFixedValue();
      return memory_.set(builder, pointer, builder.getInt64(bytes), /*isWritten=*/true);
    }
    // A value is reported once.
    const bool isReported = isOutput(pointer) && !isCopy(value);
    memory_.store(builder, pointer, isReported ? llvm::Constant::getNullValue(type) : shadows_.valueOf(value));
  }

  void followUpdate(llvm::AtomicRMWInst& update) {
    if (update.getOperation() != llvm::AtomicRMWInst::Xchg)
      return followUpdated(update, update.getPointerOperand(), update.getType(), true);
    if (isSource(update)) {
      ShadowBuilder builder = builderAt(update);
      shadows_.addSource(update, memory_.load(builder, update.getPointerOperand(), shadows_.typeOf(update.getType())),
                         originAt(builder, update, update.getPointerOperand()));
    }
    followStore(update, update.getPointerOperand(), update.getValOperand());
  }

  /// An atomic operation uses what is there, and leaves something that was written.
  void followUpdated(llvm::Instruction& update, llvm::Value* pointer, llvm::Type* valueType, bool isUse) {
    llvm::Type* const type = shadowInMemory(valueType);
    if (!type || isAlwaysWritten(pointer)) return;
    ShadowBuilder builder = builderAt(update);
    if (isUse) updated_[&update] = memory_.load(builder, pointer, type);
    memory_.store(builder, pointer, llvm::Constant::getNullValue(type));
  }

  void followCopy(llvm::MemTransferInst& copy) {
    ShadowBuilder builder = builderAt(copy);
    if (isAlwaysWritten(copy.getRawSource()))
      return memory_.set(builder, copy.getRawDest(), copy.getLength(), /*isWritten=*/true);
    if (llvm::Value* const wrong = wrongFields(builder, copy)) {
      copied_[&copy] = wrong;
      return memory_.set(builder, copy.getRawDest(), copy.getLength(), /*isWritten=*/true);
    }
    memory_.copy(builder, copy.getRawDest(), copy.getRawSource(), copy.getLength());
  }

  /// True where a member of a structure that leaves the kernel's own memory was never written. Bytes between members
  /// may be so. Null where members are not known.
  llvm::Value* wrongFields(ShadowBuilder& builder, llvm::MemTransferInst& copy) {
    const llvm::MDNode* const fields = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
    const llvm::Value* const source = llvm::getUnderlyingObject(copy.getRawSource(), 0);
    const bool isOwn =
        llvm::isa<llvm::AllocaInst>(source) || source->getType()->getPointerAddressSpace() == localAddressSpace;
    if (!fields || !isOwn || !isOutput(copy.getRawDest())) return nullptr;
    llvm::Value* wrong = builder.getFalse();
    for (unsigned i = 0; i + 2 < fields->getNumOperands(); i += 3) {
      const auto number = [&](unsigned operand) {
        return llvm::mdconst::extract<llvm::ConstantInt>(fields->getOperand(operand))->getZExtValue();
      };
      llvm::Value* const field = builder.CreatePtrAdd(copy.getRawSource(), builder.getInt64(number(i)));
      wrong = builder.CreateOr(wrong, memory_.any(builder, field, number(i + 1)));
    }
    return wrong;
  }

  ShadowOrigin originAt(ShadowBuilder& builder, llvm::Instruction& instruction, llvm::Value* pointer) {
    Accesses accesses;
    addAccesses(instruction, accesses);
    Site site = siteOf(accesses.front());
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    if (variable && isAfterScope(*variable, instruction)) site.kind = SiteKind::EndedScope;
    return {builder.getInt32(places_.add(std::move(site))), builder.CreatePtrToInt(pointer, builder.getInt64Ty())};
  }

  // --- uses ------------------------------------------------------------------------------------------------------

  void check(llvm::Instruction& instruction) {
    if (!instruction.getDebugLoc()) return;
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
      if (branch->isConditional() && !isGuard(*branch)) use(instruction, branch->getCondition(), SiteKind::Branch);
      return;
    }
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
      return use(instruction, choice->getCondition(), SiteKind::Branch);
    if (isDivision(instruction)) return use(placeAheadOf(instruction), instruction.getOperand(1), SiteKind::Divisor);
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && usesValues(*call))
      for (llvm::Value* argument : call->args())
        if (shadows_.typeOf(argument->getType())) use(instruction, argument, SiteKind::Output);
    // The memory is compared with it.
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      use(placeAheadOf(instruction), exchange->getCompareOperand(), SiteKind::Branch);
    Accesses accesses;
    addAccesses(instruction, accesses);
    for (const Access& access : accesses) checkAccess(instruction, access);
  }

  void checkAccess(llvm::Instruction& instruction, const Access& access) {
    use(placeAheadOf(instruction), access.pointer, SiteKind::Address, &access);
    if (llvm::Value* const shadow = updated_.lookup(&instruction)) {
      ShadowBuilder builder = builderAt(instruction);
      report(instruction, ValueShadows::any(builder, shadow), originAt(builder, instruction, access.pointer),
             access.kind, &access);
    }
    if (!writes(access.kind)) return;
    if (llvm::Value* const wrong = copied_.lookup(&instruction)) {
      ShadowBuilder builder = builderAt(instruction);
      report(instruction, wrong,
             originAt(builder, instruction, llvm::cast<llvm::MemTransferInst>(instruction).getRawSource()),
             SiteKind::Output, &access);
    }
    llvm::Value* value = nullptr;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) value = store->getValueOperand();
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) value = update->getValOperand();
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) value = exchange->getNewValOperand();
    if (value && isOutput(access.pointer) && !isCopy(value)) use(instruction, value, SiteKind::Output, &access);
  }

  void use(llvm::Instruction& place, llvm::Value* value, SiteKind kind, const Access* access = nullptr) {
    llvm::Value* const shadow = shadows_.of(value);
    if (!shadow) return;
    const ShadowOrigin origin = shadows_.originOf(value);
    ShadowBuilder builder = builderAt(place);
    report(place, ValueShadows::any(builder, shadow), origin, kind, access);
  }

  void report(llvm::Instruction& place, llvm::Value* wrong, ShadowOrigin origin, SiteKind kind, const Access* access) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(wrong); constant && constant->isZero()) return;
    llvm::MDNode* const weights = llvm::MDBuilder(place.getContext()).createUnlikelyBranchWeights();
    llvm::IRBuilder<> builder(
        llvm::SplitBlockAndInsertIfThen(wrong, place.getIterator(), /*Unreachable=*/false, weights));
    Site site = access ? siteOf(*access) : siteAt(place, kind);
    site.kind = kind;
    emitHook(builder, "__clarity_check_value",
             {builder.getInt32(places_.add(std::move(site))), origin.site, origin.address});
  }

  const llvm::DataLayout& layout_;
  InstrumentedPlaces& places_;
  ValueShadows shadows_;
  ShadowMemory memory_;
  std::vector<llvm::Instruction*> instructions_;
  llvm::DenseMap<llvm::Instruction*, llvm::Value*> updated_;  ///< shadows of what atomic operations find
  llvm::DenseMap<llvm::Instruction*, llvm::Value*> copied_;   ///< i1: a member is wrong
};

}  // namespace

void checkValues(llvm::Module& module, InstrumentedPlaces& places) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getSubprogram() && !(function.hasLocalLinkage() && function.use_empty()))
      ValueChecker(function, places).run();
}

}  // namespace clarity::compiler
