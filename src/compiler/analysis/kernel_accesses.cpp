// SPDX-License-Identifier: Apache-2.0
// This file finds the accesses of a kernel, where they lead, and on which conditions they are executed.
#include "compiler/analysis/kernel_accesses.h"

#include "compiler/analysis/index_values.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <fmt/format.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

using Relation = AccessCondition::Relation;

/// CL_KERNEL_ARG_ACCESS_READ_ONLY.
constexpr std::uint32_t accessReadOnly = 0x11A0;

class KernelAccesses {
public:
  KernelAccesses(llvm::Function& kernel, const KernelInfo& info, llvm::FunctionAnalysisManager& analyses)
      : kernel_(kernel),
        info_(info),
        layout_(kernel.getDataLayout()),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(kernel)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(kernel)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel)),
        values_(summary_, info, evolution_, loops_, layout_) {}

  AccessSummary run() {
    for (std::uint32_t i = 0; i < info_.args.size(); ++i) addOpaque(i);
    for (const llvm::Instruction& each : llvm::instructions(kernel_)) {
      if (!each.isAtomic() && !each.isVolatile()) continue;
      summary_.mayWait |= loops_.getLoopFor(each.getParent()) != nullptr;
      summary_.sharesMemory |= !isToLocalMemory(each);
    }
    for (llvm::Instruction& instruction : llvm::instructions(kernel_)) {
      if (!summary_.objection.empty()) break;
      visit(instruction);
    }
    return std::move(summary_);
  }

private:
  /// Where an address leads: to an offset from where an argument points, or to memory of the work-group's own or that
  /// nothing writes.
  struct Place {
    const llvm::Argument* argument = nullptr;
    std::uint32_t offset = 0;
  };
  using Places = llvm::SmallVector<Place, 2>;

  void object(std::string why) {
    if (summary_.objection.empty()) summary_.objection = std::move(why);
  }

  /// Images are accessed by functions of the library, anywhere in them.
  void addOpaque(std::uint32_t index) {
    const KernelArg& arg = info_.args[index];
    if (arg.kind == ArgKind::Pipe) return object("it uses a pipe");
    if (arg.kind == ArgKind::Queue) return object("it uses an on-device command-queue");
    if (arg.kind != ArgKind::Image) return;
    for (const bool isWrite : {false, true})
      if (!isWrite || arg.access != accessReadOnly)
        summary_.accesses.push_back(
            {.argument = index, .offset = values_.unknown(64), .bytes = 1, .isWrite = isWrite, .conditions = {}});
  }

  // --- instructions --------------------------------------------------------------------------------------------------

  void visit(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return access(*load, *load->getPointerOperand(), bytesOf(*load->getType()), false, load->isVolatile(),
                    load->isAtomic());
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return access(*store, *store->getPointerOperand(), bytesOf(*store->getValueOperand()->getType()), true,
                    store->isVolatile(), store->isAtomic());
    if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return access(*atomic, *atomic->getPointerOperand(), 0, true, false, true);
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return access(*exchange, *exchange->getPointerOperand(), 0, true, false, true);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) visitCall(*call);
  }

  static bool isToLocalMemory(const llvm::Instruction& access) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
    if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&access)) pointer = atomic->getPointerOperand();
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&access))
      pointer = exchange->getPointerOperand();
    return pointer && pointer->getType()->getPointerAddressSpace() == localAddressSpace;
  }

  std::uint64_t bytesOf(llvm::Type& type) const { return layout_.getTypeStoreSize(&type).getKnownMinValue(); }

  void visitCall(llvm::CallBase& call) {
    if (call.isInlineAsm()) return object("it has inline assembly");
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
      access(call, *transfer->getRawSource(), lengthOf(*transfer->getLength()), false, transfer->isVolatile(), false);
      return access(call, *transfer->getRawDest(), lengthOf(*transfer->getLength()), true, transfer->isVolatile(),
                    false);
    }
    if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&call))
      return access(call, *fill->getRawDest(), lengthOf(*fill->getLength()), true, fill->isVolatile(), false);
    if (llvm::isa<llvm::AssumeInst>(call) || call.isLifetimeStartOrEnd() || call.doesNotAccessMemory()) return;
    if (call.getIntrinsicID() == llvm::Intrinsic::prefetch) return;
    for (llvm::Value* operand : call.args()) {
      if (!operand->getType()->isPtrOrPtrVectorTy()) continue;
      const auto places = operand->getType()->isVectorTy() ? std::nullopt : placesOf(*operand, 0);
      if (places && llvm::all_of(*places, [](const Place& place) { return !place.argument; })) continue;
      const llvm::Function* const callee = call.getCalledFunction();
      return object(fmt::format("it hands the address of global memory to '{}'",
                                callee ? std::string_view(callee->getName()) : "a function"));
    }
  }

  static std::uint64_t lengthOf(const llvm::Value& length) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&length);
    return known ? known->getZExtValue() : std::numeric_limits<std::uint64_t>::max();
  }

  void access(llvm::Instruction& at, llvm::Value& pointer, std::uint64_t bytes, bool isWrite, bool isVolatile,
              bool isAtomic) {
    if (pointer.getType()->getPointerAddressSpace() == localAddressSpace) return;
    const auto places = placesOf(pointer, 0);
    if (!places) return object("an address of global memory comes from memory, or cannot be followed");
    for (const Place& place : *places) {
      if (!place.argument) continue;
      const std::string& name = info_.args[place.argument->getArgNo()].name;
      if (isAtomic) return object(fmt::format("it has atomic operations on global memory ('{}')", name));
      if (isVolatile) return object(fmt::format("it accesses volatile memory ('{}')", name));
      summary_.accesses.push_back({.argument = place.argument->getArgNo(),
                                   .offset = place.offset,
                                   .bytes = bytes,
                                   .isWrite = isWrite,
                                   .conditions = conditionsOf(*at.getParent())});
    }
  }

  // --- addresses -----------------------------------------------------------------------------------------------------

  std::optional<Places> placesOf(llvm::Value& pointer, unsigned depth) {
    if (depth > cost::search::placesDepth) return std::nullopt;
    const Places elsewhere{Place{}};
    if (pointer.getType()->getPointerAddressSpace() == localAddressSpace) return elsewhere;
    if (llvm::isa<llvm::AllocaInst>(pointer) || llvm::isa<llvm::GlobalValue>(pointer) ||
        llvm::isa<llvm::UndefValue>(pointer) || llvm::isa<llvm::ConstantPointerNull>(pointer))
      return elsewhere;
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&pointer)) return placesOf(*argument);
    if (auto* address = llvm::dyn_cast<llvm::GEPOperator>(&pointer)) return placesOf(*address, depth);
    if (llvm::isa<llvm::AddrSpaceCastOperator>(pointer) || llvm::isa<llvm::BitCastOperator>(pointer) ||
        llvm::isa<llvm::FreezeInst>(pointer))
      return placesOf(*llvm::cast<llvm::User>(pointer).getOperand(0), depth + 1);
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&pointer))
      return placesOfAll({select->getTrueValue(), select->getFalseValue()}, depth);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&pointer)) return placesOf(*phi, depth);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&pointer)) return placesOfTexels(*load);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&pointer))
      if (const auto primitive = primitiveOf(*call); primitive == Primitive::PrintfSink) return elsewhere;
    return std::nullopt;
  }

  std::optional<Places> placesOf(const llvm::Argument& argument) {
    if (argument.getArgNo() >= info_.args.size()) return std::nullopt;
    switch (info_.args[argument.getArgNo()].kind) {
      case ArgKind::Buffer: return Places{Place{&argument, values_.constant(0, 64)}};
      case ArgKind::Value:
      case ArgKind::Image:  // its description
      case ArgKind::Local: return Places{Place{}};
      default: return std::nullopt;
    }
  }

  std::optional<Places> placesOf(llvm::GEPOperator& address, unsigned depth) {
    if (address.getType()->isVectorTy()) return std::nullopt;
    auto places = placesOf(*address.getPointerOperand(), depth + 1);
    if (!places || llvm::all_of(*places, [](const Place& place) { return !place.argument; })) return places;
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> indices;
    llvm::APInt constant(64, 0);
    if (layout_.getIndexTypeSizeInBits(address.getType()) != 64 ||
        !address.collectOffset(layout_, 64, indices, constant))
      return std::nullopt;
    std::uint32_t offset = values_.constant(constant.getSExtValue(), 64);
    for (const auto& [index, bytes] : indices) {
      std::uint32_t value = values_.of(*index);
      const unsigned bits = index->getType()->getScalarSizeInBits();
      if (bits < 64) value = values_.add({.kind = AccessValue::Kind::SignExtend, .a = value});
      if (bits > 64) value = values_.unknown(64);
      offset = values_.sum(offset, values_.product(value, values_.constant(bytes.getSExtValue(), 64), 64), 64);
    }
    addTo(*places, offset);
    return places;
  }

  void addTo(Places& places, std::uint32_t offset) {
    for (Place& place : places)
      if (place.argument) place.offset = values_.sum(place.offset, offset, 64);
  }

  std::optional<Places> placesOfAll(llvm::ArrayRef<llvm::Value*> pointers, unsigned depth) {
    Places all;
    for (llvm::Value* pointer : pointers) {
      const auto places = placesOf(*pointer, depth + 1);
      if (!places || all.size() + places->size() > cost::search::placesOfAddress) return std::nullopt;
      all.append(*places);
    }
    return all;
  }

  std::optional<Places> placesOf(llvm::PHINode& phi, unsigned depth) {
    const llvm::Loop* const loop = loops_.getLoopFor(phi.getParent());
    if (!loop || loop->getHeader() != phi.getParent()) {
      const llvm::SmallVector<llvm::Value*, 4> incoming(phi.incoming_values());
      return placesOfAll(incoming, depth);
    }
    const llvm::SCEV* const expression = evolution_.getSCEV(&phi);
    const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(expression));
    if (!base || base->getValue() == &phi) return std::nullopt;
    auto places = placesOf(*base->getValue(), depth + 1);
    if (places) addTo(*places, values_.of(*evolution_.removePointerBase(expression)));
    return places;
  }

  /// The description of an image among the arguments has the address of its texels, which addOpaque() has added.
  std::optional<Places> placesOfTexels(const llvm::LoadInst& load) {
    const llvm::Value* from = load.getPointerOperand()->stripInBoundsOffsets();
    const auto* argument = llvm::dyn_cast<llvm::Argument>(from);
    if (!argument || argument->getArgNo() >= info_.args.size()) return std::nullopt;
    if (info_.args[argument->getArgNo()].kind != ArgKind::Image) return std::nullopt;
    return Places{Place{}};
  }

  // --- conditions ----------------------------------------------------------------------------------------------------

  const std::vector<std::uint32_t>& conditionsOf(const llvm::BasicBlock& block) {
    const auto [found, isNew] = conditions_.try_emplace(&block);
    if (!isNew) return found->second;
    std::vector<std::uint32_t> all;
    const auto* const node = dominators_.getNode(&block);
    const auto* const above = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (above) {
      all = conditionsOf(*above);
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(above->getTerminator());
      if (branch && branch->isConditional())
        for (const bool holds : {true, false})
          if (dominators_.dominates(llvm::BasicBlockEdge(above, branch->getSuccessor(holds ? 0 : 1)), &block))
            addCondition(*branch->getCondition(), holds, all, 0);
    }
    return conditions_[&block] = std::move(all);
  }

  void addCondition(llvm::Value& condition, bool holds, std::vector<std::uint32_t>& to, unsigned depth) {
    using namespace llvm::PatternMatch;
    llvm::Value *left, *right;
    if (depth > cost::search::placesDepth) return;
    if (match(&condition, m_Not(m_Value(left)))) return addCondition(*left, !holds, to, depth + 1);
    if (holds ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right)))
              : match(&condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
      addCondition(*left, holds, to, depth + 1);
      return addCondition(*right, holds, to, depth + 1);
    }
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition)) addComparison(*comparison, holds, to);
  }

  void addComparison(llvm::ICmpInst& comparison, bool holds, std::vector<std::uint32_t>& to) {
    llvm::Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
    if (!left->getType()->isIntegerTy() || left->getType()->getIntegerBitWidth() > 64) return;
    auto predicate = holds ? comparison.getPredicate() : comparison.getInversePredicate();
    if (llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate)) {
      predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
      std::swap(left, right);
    }
    if (predicate == llvm::ICmpInst::ICMP_NE) return;
    const Relation relation = predicate == llvm::ICmpInst::ICMP_EQ ? Relation::Equal
                              : llvm::ICmpInst::isLT(predicate)    ? Relation::Less
                                                                   : Relation::LessOrEqual;
    const std::uint32_t first = values_.of(*left), second = values_.of(*right);
    to.push_back(static_cast<std::uint32_t>(summary_.conditions.size()));
    summary_.conditions.push_back(
        {.left = first, .right = second, .relation = relation, .isSigned = llvm::ICmpInst::isSigned(predicate)});
  }

  llvm::Function& kernel_;
  const KernelInfo& info_;
  const llvm::DataLayout& layout_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  AccessSummary summary_;
  IndexValues values_;
  std::map<const llvm::BasicBlock*, std::vector<std::uint32_t>> conditions_;
};

}  // namespace

AccessSummary kernelAccesses(llvm::Function& kernel, const KernelInfo& info, llvm::FunctionAnalysisManager& analyses) {
  return KernelAccesses(kernel, info, analyses).run();
}

}  // namespace clarity::compiler
