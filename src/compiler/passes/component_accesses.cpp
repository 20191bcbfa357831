// SPDX-License-Identifier: Apache-2.0
// This file finds out which components of a vector are stored and which are used, and accesses these.
#include "compiler/passes/component_accesses.h"

#include "compiler/ir/cost_model.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstddef>
#include <optional>
#include <tuple>

namespace clarity::compiler {
namespace {

/// The type of a vector whose components have addresses; nullptr for all others.
llvm::FixedVectorType* componentsOf(llvm::Type& type, const llvm::DataLayout& layout) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector || vector->getNumElements() < 2) return nullptr;
  llvm::Type* component = vector->getElementType();
  return layout.getTypeSizeInBits(component) == layout.getTypeAllocSizeInBits(component) ? vector : nullptr;
}

/// Components that follow each other.
struct Run {
  unsigned first = 0, count = 0;
};

llvm::SmallVector<Run, 4> runsOf(const llvm::SmallBitVector& components) {
  llvm::SmallVector<Run, 4> runs;
  for (const unsigned component : components.set_bits())
    if (!runs.empty() && runs.back().first + runs.back().count == component)
      ++runs.back().count;
    else
      runs.push_back({component, 1});
  return runs;
}

/// The address and the type of an access to some components of a vector.
class ComponentPlaces {
public:
  ComponentPlaces(llvm::IRBuilder<>& builder, llvm::FixedVectorType& vector, llvm::Value& pointer, llvm::Align align)
      : builder_(builder),
        component_(*vector.getElementType()),
        pointer_(pointer),
        align_(align),
        bytes_(builder.GetInsertBlock()->getDataLayout().getTypeAllocSize(&component_).getFixedValue()) {}

  llvm::Type* typeOf(const Run& run) const {
    return run.count == 1 ? &component_ : llvm::FixedVectorType::get(&component_, run.count);
  }
  llvm::Value* at(const Run& run) {
    return run.first == 0 ? &pointer_ : builder_.CreateConstInBoundsGEP1_64(&component_, &pointer_, run.first);
  }
  llvm::Align alignOf(const Run& run) const { return llvm::commonAlignment(align_, run.first * bytes_); }

  /// The component with a number that is known when the code runs. Any other number is no component's.
  llvm::Value* at(llvm::Value* number, unsigned count) {
    number = builder_.CreateZExtOrTrunc(number, builder_.getInt64Ty());
    number = builder_.CreateAnd(number, llvm::PowerOf2Ceil(count) - 1);
    return builder_.CreateInBoundsGEP(&component_, &pointer_, number);
  }
  llvm::Align alignOfAny() const { return llvm::commonAlignment(align_, bytes_); }

private:
  llvm::IRBuilder<>& builder_;
  llvm::Type& component_;
  llvm::Value& pointer_;
  const llvm::Align align_;
  const std::uint64_t bytes_;
};

// --- stores ----------------------------------------------------------------------------------------------------------

/// The source of one component of a vector: a component of another vector, a scalar, or an undefined value.
struct Component {
  llvm::Value* vector = nullptr;
  unsigned number = 0;
  llvm::Value* scalar = nullptr;
};

/// Follows a component to where it is computed, through insertions and shuffles.
Component sourceOf(llvm::Value* vector, unsigned number) {
  for (unsigned steps = 0; steps < cost::search::componentSteps; ++steps) {
    if (auto* inserted = llvm::dyn_cast<llvm::InsertElementInst>(vector)) {
      const auto* at = llvm::dyn_cast<llvm::ConstantInt>(inserted->getOperand(2));
      if (!at) break;
      if (at->getValue() == number) return {.scalar = inserted->getOperand(1)};
      vector = inserted->getOperand(0);
    } else if (auto* shuffled = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector)) {
      const int from = shuffled->getMaskValue(number);
      if (from < 0) return {};
      const unsigned count = llvm::cast<llvm::FixedVectorType>(shuffled->getOperand(0)->getType())->getNumElements();
      const auto source = static_cast<unsigned>(from);
      vector = shuffled->getOperand(source < count ? 0 : 1);
      number = source % count;
    } else {
      break;
    }
  }
  return llvm::isa<llvm::UndefValue>(vector) ? Component{} : Component{.vector = vector, .number = number};
}

/// The load that a stored vector begins with: of the same address, and nothing writes memory in between.
llvm::LoadInst* loadOf(llvm::StoreInst& store) {
  unsigned looked = 0;
  for (auto* before = store.getPrevNode(); before && looked < cost::search::betweenComponents;
       before = before->getPrevNode(), ++looked) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(before);
        load && !load->isAtomic() && load->getPointerOperand() == store.getPointerOperand() &&
        load->getType() == store.getValueOperand()->getType() && load->isVolatile() == store.isVolatile())
      return load;
    if (before->mayWriteToMemory()) return nullptr;
  }
  return nullptr;
}

void copyProperties(const llvm::Instruction& from, llvm::Instruction& to) {
  to.setDebugLoc(from.getDebugLoc());
  to.copyMetadata(from,
                  {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_nontemporal, llvm::LLVMContext::MD_alias_scope,
                   llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load});
}

class ComponentStore {
public:
  ComponentStore(llvm::StoreInst& store, llvm::LoadInst& load, llvm::FixedVectorType& type)
      : store_(store),
        load_(load),
        type_(type),
        builder_(&store),
        places_(builder_, type, *store.getPointerOperand(), store.getAlign()) {}

  bool run() {
    if (auto* inserted = llvm::dyn_cast<llvm::InsertElementInst>(store_.getValueOperand());
        inserted && inserted->getOperand(0) == &load_ && !llvm::isa<llvm::ConstantInt>(inserted->getOperand(2))) {
      llvm::Value* at = places_.at(inserted->getOperand(2), type_.getNumElements());
      write(inserted->getOperand(1), at, places_.alignOfAny());
      return true;
    }
    llvm::SmallBitVector changed(type_.getNumElements());
    bool anyKept = false;
    for (unsigned i = 0; i < type_.getNumElements(); ++i) {
      const Component source = sourceOf(store_.getValueOperand(), i);
      const bool kept = source.vector == &load_ && source.number == i;
      anyKept |= kept;
      changed[i] = !kept && (source.vector || source.scalar);
    }
    if (!anyKept) return false;
    for (const Run& run : runsOf(changed)) write(valueOf(run), places_.at(run), places_.alignOf(run));
    return true;
  }

private:
  llvm::Value* valueOf(const Run& run) {
    llvm::Value* all = store_.getValueOperand();
    if (run.count == 1) {
      const Component source = sourceOf(all, run.first);
      return source.scalar ? source.scalar : builder_.CreateExtractElement(source.vector, std::uint64_t{source.number});
    }
    llvm::SmallVector<int, 16> order;
    llvm::SmallVector<Component, 16> sources;
    for (unsigned i = 0; i < run.count; ++i) {
      sources.push_back(sourceOf(all, run.first + i));
      order.push_back(static_cast<int>(sources[i].number));
    }
    if (llvm::all_of(sources, [&](const Component& one) { return one.vector && one.vector == sources[0].vector; }))
      return builder_.CreateShuffleVector(sources[0].vector, order);
    llvm::Value* value = llvm::PoisonValue::get(places_.typeOf(run));
    for (unsigned i = 0; i < run.count; ++i) {
      llvm::Value* one = sources[i].scalar;
      if (!one) one = builder_.CreateExtractElement(sources[i].vector, std::uint64_t{sources[i].number});
      value = builder_.CreateInsertElement(value, one, std::uint64_t{i});
    }
    return value;
  }

  void write(llvm::Value* value, llvm::Value* at, llvm::Align align) {
    copyProperties(store_, *builder_.CreateAlignedStore(value, at, align, store_.isVolatile()));
  }

  llvm::StoreInst& store_;
  llvm::LoadInst& load_;
  llvm::FixedVectorType& type_;
  llvm::IRBuilder<> builder_;
  ComponentPlaces places_;
};

bool storeComponents(llvm::StoreInst& store) {
  if (store.isAtomic()) return false;
  auto* type = componentsOf(*store.getValueOperand()->getType(), store.getDataLayout());
  llvm::LoadInst* load = type ? loadOf(store) : nullptr;
  if (!load || !ComponentStore(store, *load, *type).run()) return false;
  llvm::Value* all = store.getValueOperand();
  const llvm::WeakVH whole(load);
  store.eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(all);
  // A volatile load, too, was part of the store if nothing else uses it.
  if (whole && load->use_empty()) load->eraseFromParent();
  return true;
}

// --- loads -----------------------------------------------------------------------------------------------------------

/// The components of a vector that others use; nothing if that is not known.
std::optional<llvm::SmallBitVector> usedOf(const llvm::Value& vector, unsigned steps = 0) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
  llvm::SmallBitVector used(count);
  if (steps > 4) return std::nullopt;
  for (const llvm::User* user : vector.users()) {
    if (const auto* extracted = llvm::dyn_cast<llvm::ExtractElementInst>(user)) {
      const auto* at = llvm::dyn_cast<llvm::ConstantInt>(extracted->getIndexOperand());
      if (!at || at->getValue().uge(count)) return std::nullopt;
      used.set(static_cast<unsigned>(at->getZExtValue()));
      continue;
    }
    const auto* shuffled = llvm::dyn_cast<llvm::ShuffleVectorInst>(user);
    if (!shuffled) return std::nullopt;
    const auto ofResult = usedOf(*shuffled, steps + 1);
    const llvm::ArrayRef<int> mask = shuffled->getShuffleMask();
    for (unsigned i = 0; i < mask.size(); ++i) {
      if (mask[i] < 0 || (ofResult && !ofResult->test(i))) continue;
      const auto from = static_cast<unsigned>(mask[i]);
      if (shuffled->getOperand(from < count ? 0 : 1) == &vector) used.set(from % count);
    }
  }
  return used;
}

/// The component of a vector that its only user takes, by a number that is known when the code runs.
bool loadChosen(llvm::LoadInst& load, llvm::FixedVectorType& type) {
  if (!load.hasOneUse()) return false;
  auto* chosen = llvm::dyn_cast<llvm::ExtractElementInst>(*load.user_begin());
  if (!chosen || llvm::isa<llvm::Constant>(chosen->getIndexOperand())) return false;
  // The number is computed behind the load; nothing may be written in between.
  for (const llvm::Instruction* next = load.getNextNode(); next != chosen; next = next->getNextNode())
    if (!next || next->mayWriteToMemory()) return false;
  llvm::IRBuilder<> builder(chosen);
  ComponentPlaces places(builder, type, *load.getPointerOperand(), load.getAlign());
  llvm::LoadInst* component =
      builder.CreateAlignedLoad(type.getElementType(), places.at(chosen->getIndexOperand(), type.getNumElements()),
                                places.alignOfAny(), load.isVolatile());
  copyProperties(load, *component);
  chosen->replaceAllUsesWith(component);
  chosen->eraseFromParent();
  load.eraseFromParent();
  return true;
}

bool loadComponents(llvm::LoadInst& load) {
  auto* type = load.isAtomic() ? nullptr : componentsOf(*load.getType(), load.getDataLayout());
  if (!type || load.use_empty()) return false;
  if (loadChosen(load, *type)) return true;
  const auto used = usedOf(load);
  if (!used || used->all() || used->none()) return false;
  llvm::IRBuilder<> builder(&load);
  ComponentPlaces places(builder, *type, *load.getPointerOperand(), load.getAlign());
  llvm::Value* vector = llvm::PoisonValue::get(type);
  for (const Run& run : runsOf(*used)) {
    llvm::LoadInst* some =
        builder.CreateAlignedLoad(places.typeOf(run), places.at(run), places.alignOf(run), load.isVolatile());
    copyProperties(load, *some);
    for (unsigned i = 0; i < run.count; ++i) {
      llvm::Value* one = run.count == 1 ? static_cast<llvm::Value*>(some) : builder.CreateExtractElement(some, i);
      vector = builder.CreateInsertElement(vector, one, std::uint64_t{run.first + i});
      for (llvm::User* user : llvm::make_early_inc_range(load.users())) {
        auto* extracted = llvm::dyn_cast<llvm::ExtractElementInst>(user);
        if (!extracted || llvm::cast<llvm::ConstantInt>(extracted->getIndexOperand())->getZExtValue() != run.first + i)
          continue;
        extracted->replaceAllUsesWith(one);
        extracted->eraseFromParent();
      }
    }
  }
  load.replaceAllUsesWith(vector);
  load.eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(vector);
  return true;
}

template <class Access>
llvm::SmallVector<Access*, 16> accessesIn(llvm::Function& function) {
  llvm::SmallVector<Access*, 16> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* access = llvm::dyn_cast<Access>(&instruction)) found.push_back(access);
  return found;
}

// --- loads of which few components are used --------------------------------------------------------------------------

/// Whether two values are computed alike. A guess: memory may change between the loads of an index.
bool areAlike(const llvm::Value& left, const llvm::Value& right, unsigned depth = 0) {
  if (&left == &right) return true;
  const auto* first = llvm::dyn_cast<llvm::Instruction>(&left);
  const auto* second = llvm::dyn_cast<llvm::Instruction>(&right);
  return first && second && depth < cost::search::loadedAddressDepth && !llvm::isa<llvm::PHINode>(first) &&
         first->isSameOperationAs(second) &&
         llvm::all_of(
             llvm::zip(first->operands(), second->operands()),
             [&](const auto& pair) { return areAlike(*std::get<0>(pair), *std::get<1>(pair), depth + 1); });
}

/// The loads of one vector in a block.
struct Together {
  llvm::SmallVector<llvm::LoadInst*, 4> loads;
  std::optional<llvm::SmallBitVector> used;

  bool takes(const llvm::LoadInst& load) const {
    return loads.front()->getType() == load.getType() &&
           areAlike(*loads.front()->getPointerOperand(), *load.getPointerOperand());
  }
  /// One load of a vector is faster than several of components: packets transpose what neighbours load.
  bool pays() const { return used && (used->count() == 1 || used->count() * cost::mostComponentsLeft <= used->size()); }
};

llvm::SmallVector<Together, 8> loadsIn(llvm::BasicBlock& block) {
  llvm::SmallVector<Together, 8> groups;
  for (llvm::Instruction& instruction : block) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !componentsOf(*load->getType(), load->getDataLayout())) continue;
    const auto used = usedOf(*load);
    auto group = llvm::find_if(groups, [&](const Together& one) { return one.takes(*load); });
    if (group == groups.end()) {
      if (groups.size() == cost::search::vectorLoads) break;
      groups.push_back({{load}, used});
      continue;
    }
    group->loads.push_back(load);
    if (group->used && used)
      *group->used |= *used;
    else
      group->used.reset();
  }
  return groups;
}

}  // namespace

llvm::PreservedAnalyses ComponentAccessesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::StoreInst* store : accessesIn<llvm::StoreInst>(function)) changed |= storeComponents(*store);
  for (llvm::LoadInst* load : accessesIn<llvm::LoadInst>(function))
    if (load->isVolatile()) changed |= loadComponents(*load);
  return sameControlFlow(changed);
}

llvm::PreservedAnalyses ComponentLoadsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::LoadInst* load : accessesIn<llvm::LoadInst>(function)) changed |= loadComponents(*load);
  return sameControlFlow(changed);
}

llvm::PreservedAnalyses NarrowLoadsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function)
    for (const Together& group : loadsIn(block))
      for (llvm::LoadInst* load : group.loads) {
        // One component by a number that is known when the code runs.
        const bool isChosen = !group.used && group.loads.size() == 1;
        if (group.pays() || isChosen) changed |= loadComponents(*load);
      }
  return sameControlFlow(changed);
}

}  // namespace clarity::compiler
