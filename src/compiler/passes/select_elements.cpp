// SPDX-License-Identifier: Apache-2.0
// This file finds the accesses of a private array, weighs them, and replaces them by selections.
#include "compiler/passes/select_elements.h"

#include "compiler/analysis/tile_model.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/transforms/preserved.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace clarity::compiler {
namespace {

/// A multiple of a value, which may be an element of the same array and replaced together with it.
struct Term {
  llvm::WeakTrackingVH value;
  std::int64_t scale;
};

/// An offset in the array, in bytes: a constant and terms.
struct Offset {
  std::int64_t constant = 0;
  llvm::SmallVector<Term, 2> terms{};

  bool isConstant() const { return terms.empty(); }
  Offset behind(std::int64_t bytes) const { return {constant + bytes, terms}; }

  bool add(const llvm::GEPOperator& address, const llvm::DataLayout& layout) {
    const unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
    llvm::APInt fixed(bits, 0);
    if (address.getType()->isVectorTy() || !address.collectOffset(layout, bits, variable, fixed)) return false;
    constant += fixed.getSExtValue();
    for (const auto& [value, scale] : variable) terms.push_back({value, scale.getSExtValue()});
    return true;
  }
};

/// An instruction that accesses the array at an offset: a load or a store of one element or of several as a vector, a
/// fill with zeros, or a copy from or to other memory.
struct Access {
  llvm::Instruction* at;
  Offset offset;
  bool writes;

  const llvm::MemIntrinsic* block() const { return llvm::dyn_cast<llvm::MemIntrinsic>(at); }
  std::int64_t blockBytes() const { return llvm::cast<llvm::ConstantInt>(block()->getLength())->getSExtValue(); }
  llvm::Type& type() const { return *llvm::getLoadStoreType(at); }
  /// The elements of a load or a store. Fills and copies are as quick as an access to one.
  unsigned width() const {
    const auto* vector = block() ? nullptr : llvm::dyn_cast<llvm::FixedVectorType>(&type());
    return vector ? vector->getNumElements() : 1;
  }
};

/// The elements that an access may mean.
struct Candidates {
  unsigned first = 0, step = 1, count = 0;

  unsigned element(unsigned i) const { return first + i * step; }
};

/// A private array whose accesses are all of elements of one size.
class Array {
public:
  Array(llvm::AllocaInst& slot, const llvm::DataLayout& layout) : slot_(slot), layout_(layout) {}

  /// False if an access is not understood.
  bool study() {
    const auto bytes = slot_.getAllocationSize(layout_);
    if (!slot_.isStaticAlloca() || !bytes || bytes->isScalable()) return false;
    bytes_ = static_cast<std::int64_t>(bytes->getFixedValue());
    return follow(slot_, {}) && type_ && bytes_ % elementBytes_ == 0 && elements() <= cost::select::mostElements &&
           llvm::all_of(accesses_, [&](const Access& access) { return isOfElements(access); });
  }

  llvm::AllocaInst& slot() const { return slot_; }
  llvm::Type* type() const { return type_; }
  std::int64_t elementBytes() const { return elementBytes_; }
  unsigned elements() const { return static_cast<unsigned>(bytes_ / elementBytes_); }
  llvm::ArrayRef<Access> accesses() const { return accesses_; }
  bool hasVariableIndex() const {
    return llvm::any_of(accesses_, [](const Access& access) { return !access.offset.isConstant(); });
  }

  /// Those of an offset that is no constant. A single term reaches only elements that are multiples of its step apart.
  Candidates candidatesOf(const Offset& offset) const {
    const std::int64_t step =
        offset.terms.size() == 1 ? std::abs(offset.terms.front().scale / elementBytes_) : std::int64_t{1};
    if (step <= 1) return {.count = elements()};
    const std::int64_t rest = offset.constant / elementBytes_ % step, first = rest < 0 ? rest + step : rest;
    if (first >= elements()) return {};
    const auto within = static_cast<unsigned>(std::min<std::int64_t>(step, elements()));
    const auto begin = static_cast<unsigned>(first);
    return {begin, within, (elements() - begin - 1) / within + 1};
  }

  /// Erases the array and its addresses, which nothing uses any more.
  void erase() {
    for (llvm::Instruction* address : addresses_) address->eraseFromParent();
    slot_.eraseFromParent();
  }

private:
  bool follow(llvm::Value& pointer, const Offset& offset) {
    for (llvm::User* user : pointer.users()) {
      auto& instruction = llvm::cast<llvm::Instruction>(*user);
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(instruction)) {
        Offset inner = offset;
        const auto* address = llvm::dyn_cast<llvm::GEPOperator>(&instruction);
        if ((address && !inner.add(*address, layout_)) || !follow(instruction, inner)) return false;
        addresses_.push_back(&instruction);
      } else if (instruction.isLifetimeStartOrEnd()) {
        addresses_.push_back(&instruction);
      } else if (note(instruction, pointer)) {
        accesses_.push_back({&instruction, offset, writesTo(instruction, pointer)});
      } else {
        return false;
      }
    }
    return true;
  }

  bool note(llvm::Instruction& instruction, const llvm::Value& pointer) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->isSimple() && noteType(*load->getType());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->isSimple() && store->getValueOperand() != &pointer &&
             noteType(*store->getValueOperand()->getType());
    const auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    if (!block || block->isVolatile() || !llvm::isa<llvm::ConstantInt>(block->getLength())) return false;
    if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(block))
      return llvm::getUnderlyingObject(copy->getRawSource()) != llvm::getUnderlyingObject(copy->getRawDest());
    const auto* value = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::MemSetInst>(block)->getValue());
    return value && value->isZero();
  }

  static bool writesTo(const llvm::Instruction& instruction, const llvm::Value& pointer) {
    if (const auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return block->getRawDest() == &pointer;
    return llvm::isa<llvm::StoreInst>(instruction);
  }

  bool noteType(llvm::Type& whole) {
    if (!whole.isSingleValueType() || llvm::isa<llvm::ScalableVectorType>(whole)) return false;
    llvm::Type* type = whole.getScalarType();
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(type).getFixedValue());
    if (!layout_.typeSizeEqualsStoreSize(type)) return false;
    if (!type_) {
      type_ = type;
      elementBytes_ = bytes;
    }
    return bytes == elementBytes_ && llvm::CastInst::isBitOrNoopPointerCastable(type_, type, layout_) &&
           llvm::CastInst::isBitOrNoopPointerCastable(type, type_, layout_);
  }

  /// Whether an access is to whole elements, and inside the array where that is known.
  bool isOfElements(const Access& access) const {
    const Offset& offset = access.offset;
    if (offset.constant % elementBytes_ != 0) return false;
    for (const Term& term : offset.terms)
      if (term.scale == 0 || term.scale % elementBytes_ != 0) return false;
    const std::int64_t length = access.block() ? access.blockBytes() : access.width() * elementBytes_;
    if (access.block() && (!offset.isConstant() || length % elementBytes_ != 0)) return false;
    return !offset.isConstant() || (offset.constant >= 0 && offset.constant + length <= bytes_);
  }

  llvm::AllocaInst& slot_;
  const llvm::DataLayout& layout_;
  std::int64_t bytes_ = 0, elementBytes_ = 0;
  llvm::Type* type_ = nullptr;
  llvm::SmallVector<Access, 16> accesses_;
  llvm::SmallVector<llvm::Instruction*, 16> addresses_;  ///< and marks of the array's lifetime; users first
};

/// Replaces an array by a variable for each element.
class Selector {
public:
  explicit Selector(Array& array) : array_(array) {
    llvm::IRBuilder<> builder(&array.slot());
    for (unsigned i = 0; i < array.elements(); ++i)
      variables_.push_back(
          builder.CreateAlloca(array.type(), array.slot().getAddressSpace(), nullptr, array.slot().getName()));
  }

  llvm::ArrayRef<llvm::AllocaInst*> run() {
    for (const Access& access : array_.accesses()) replace(access);
    array_.erase();
    return variables_;
  }

private:
  void replace(const Access& access) const {
    llvm::IRBuilder<> builder(access.at);
    if (access.block()) {
      replaceBlock(access, builder);
    } else if (llvm::isa<llvm::LoadInst>(access.at)) {
      access.at->replaceAllUsesWith(readAll(access, builder));
    } else {
      writeAll(access, builder);
    }
    access.at->eraseFromParent();
  }

  /// A fill or a copy, element by element.
  void replaceBlock(const Access& access, llvm::IRBuilder<>& builder) const {
    const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(access.at);
    for (std::int64_t at = 0; at < access.blockBytes(); at += array_.elementBytes()) {
      llvm::AllocaInst* variable = variables_[elementAt(access.offset.behind(at))];
      if (!copy) {
        builder.CreateStore(llvm::Constant::getNullValue(array_.type()), variable);
        continue;
      }
      llvm::Value* other = builder.CreatePtrAdd(access.writes ? copy->getRawSource() : copy->getRawDest(),
                                                builder.getInt64(static_cast<std::uint64_t>(at)));
      const auto whole = (access.writes ? copy->getSourceAlign() : copy->getDestAlign()).valueOrOne();
      const llvm::Align align = llvm::commonAlignment(whole, static_cast<std::uint64_t>(at));
      if (access.writes)
        builder.CreateStore(builder.CreateAlignedLoad(array_.type(), other, align), variable);
      else
        builder.CreateAlignedStore(builder.CreateLoad(array_.type(), variable), other, align);
    }
  }

  llvm::Value* readAll(const Access& access, llvm::IRBuilder<>& builder) const {
    llvm::Value* all = llvm::PoisonValue::get(&access.type());
    for (unsigned i = 0; i < access.width(); ++i) {
      llvm::Value* value = read(access.offset.behind(i * array_.elementBytes()), builder);
      value = builder.CreateBitOrPointerCast(value, access.type().getScalarType());
      all = access.type().isVectorTy() ? builder.CreateInsertElement(all, value, i) : value;
    }
    return all;
  }

  void writeAll(const Access& access, llvm::IRBuilder<>& builder) const {
    llvm::Value* all = llvm::cast<llvm::StoreInst>(access.at)->getValueOperand();
    for (unsigned i = 0; i < access.width(); ++i) {
      llvm::Value* value = access.type().isVectorTy() ? builder.CreateExtractElement(all, i) : all;
      value = builder.CreateBitOrPointerCast(value, array_.type());
      write(access.offset.behind(i * array_.elementBytes()), *value, builder);
    }
  }

  std::size_t elementAt(const Offset& offset) const {
    return static_cast<std::size_t>(offset.constant / array_.elementBytes());
  }

  llvm::Value* load(std::size_t element, llvm::IRBuilder<>& builder) const {
    return builder.CreateLoad(array_.type(), variables_[element]);
  }

  llvm::Value* read(const Offset& offset, llvm::IRBuilder<>& builder) const {
    if (offset.isConstant()) return load(elementAt(offset), builder);
    const Candidates candidates = array_.candidatesOf(offset);
    if (candidates.count == 0) return llvm::PoisonValue::get(array_.type());
    const Index index = indexOf(offset, builder);
    llvm::Value* value = load(candidates.first, builder);
    for (unsigned i = 1; i < candidates.count; ++i) {
      const unsigned element = candidates.element(i);
      value = builder.CreateSelect(index.is(element, builder), load(element, builder), value);
    }
    return value;
  }

  void write(const Offset& offset, llvm::Value& value, llvm::IRBuilder<>& builder) const {
    if (offset.isConstant()) {
      builder.CreateStore(&value, variables_[elementAt(offset)]);
      return;
    }
    const Candidates candidates = array_.candidatesOf(offset);
    if (candidates.count == 0) return;
    const Index index = indexOf(offset, builder);
    for (unsigned i = 0; i < candidates.count; ++i) {
      const unsigned element = candidates.element(i);
      builder.CreateStore(builder.CreateSelect(index.is(element, builder), &value, load(element, builder)),
                          variables_[element]);
    }
  }

  /// A value that counts elements: where it is 0, `atZero` is meant, and `step` elements further on for each one more.
  struct Index {
    llvm::Value* value;
    std::int64_t atZero, step;

    llvm::Value* is(unsigned element, llvm::IRBuilder<>& builder) const {
      const std::int64_t wanted = (static_cast<std::int64_t>(element) - atZero) / step;
      return builder.CreateICmpEQ(value, llvm::ConstantInt::get(value->getType(), static_cast<std::uint32_t>(wanted)));
    }
  };

  Index indexOf(const Offset& offset, llvm::IRBuilder<>& builder) const {
    const std::int64_t bytes = array_.elementBytes(), atZero = offset.constant / bytes;
    if (offset.terms.size() == 1) {
      const Term& term = offset.terms.front();
      return {lowHalf(*term.value, builder), atZero, term.scale / bytes};
    }
    llvm::Value* sum = nullptr;
    for (const Term& term : offset.terms) {
      llvm::Value* times = llvm::ConstantInt::getSigned(builder.getInt32Ty(), term.scale / bytes);
      llvm::Value* product = builder.CreateMul(lowHalf(*term.value, builder), times);
      sum = sum ? builder.CreateAdd(sum, product) : product;
    }
    return {sum, atZero, 1};
  }

  /// Enough of an index that means one of a few elements.
  static llvm::Value* lowHalf(llvm::Value& index, llvm::IRBuilder<>& builder) {
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(index)) {
      llvm::Value* narrow = llvm::cast<llvm::CastInst>(index).getOperand(0);
      if (narrow->getType()->isIntegerTy(32)) return narrow;
    }
    return builder.CreateSExtOrTrunc(&index, builder.getInt32Ty());
  }

  Array& array_;
  llvm::SmallVector<llvm::AllocaInst*, 8> variables_;
};

/// Weighs selections against memory.
class Weigher {
public:
  Weigher(llvm::Function& function, const cost::select::Memory& memory, const llvm::LoopInfo& loops)
      : memory_(memory), loops_(loops), variance_(function) {}

  bool deservesSelections(const Array& array) const {
    double saved = 0;
    unsigned selections = 0;
    for (const Access& access : array.accesses()) {
      if (access.offset.isConstant()) {
        saved += timesAt(loops_.getLoopDepth(access.at->getParent())) * access.width() * memory_.known;
        continue;
      }
      const unsigned ofElement = array.candidatesOf(access.offset).count;
      selections += ofElement * access.width();
      saved += timesAt(loops_.getLoopDepth(access.at->getParent())) * access.width() *
               (inMemory(access) - cost::select::instructions * (ofElement - 1.0));
    }
    return saved > 0 && selections <= cost::select::mostSelections;
  }

private:
  double inMemory(const Access& access) const {
    if (!llvm::all_of(access.offset.terms, [&](const Term& term) { return variance_.uniformEverywhere(*term.value); }))
      return memory_.own;
    return variance_.divergence(*access.at->getParent()).empty() ? memory_.common : memory_.masked;
  }

  const cost::select::Memory& memory_;
  const llvm::LoopInfo& loops_;
  VarianceInfo variance_;
};

}  // namespace

llvm::PreservedAnalyses SelectElementsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::AllocaInst*, 4> slots;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) slots.push_back(slot);
  std::optional<Weigher> weigher;
  llvm::SmallVector<llvm::AllocaInst*, 16> variables;
  unsigned replaced = 0;
  for (llvm::AllocaInst* slot : slots) {
    Array array(*slot, function.getDataLayout());
    if (!array.study() || !array.hasVariableIndex()) continue;
    if (!weigher) weigher.emplace(function, memory, analyses.getResult<llvm::LoopAnalysis>(function));
    if (!weigher->deservesSelections(array)) continue;
    llvm::append_range(variables, Selector(array).run());
    if (++replaced > cost::select::mostArrays) break;
    weigher.reset();  // values of before are known, those that took their place are not
  }
  if (variables.empty()) return llvm::PreservedAnalyses::all();
  llvm::PromoteMemToReg(variables, analyses.getResult<llvm::DominatorTreeAnalysis>(function));
  return sameControlFlow(true);
}

}  // namespace clarity::compiler
