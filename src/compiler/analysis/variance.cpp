// SPDX-License-Identifier: Apache-2.0
// This file solves the variance equations: dimensions grow and strides fall to "unknown" until nothing changes.
#include "compiler/analysis/variance.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/border_choice.h"
#include "compiler/analysis/divergence.h"
#include "compiler/analysis/extension_strides.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/guard/limits.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace clarity::compiler {

using Stride = std::optional<std::int64_t>;

/// Solves the equations of variance together with the proofs that values do not wrap (no_wrap.h), which ask for
/// variance in turn.
///
/// The claims of the start are the strongest ones: all values uniform, all blocks reached by all work-items, all
/// extensions proved in step. Each round derives every claim anew from those about operands and branches and keeps the
/// weaker of the old and the new one; the lattice is finite, so there is a round that changes nothing. Then each claim
/// follows from the claims of the result itself, and that alone makes them sound, by induction over an execution: an
/// instance of a value depends on instances before it, a phi on the iteration before. So a transfer function has to be
/// right for one step only, and need not be monotone.
///
/// - Transfer functions may assume every claim about operands and branches. Proofs may assume these, and of values that
///   they meet again on the way round a loop that they hold: for the iteration before. The answers of rangeOf and
///   valuesOf follow from the code alone.
/// - Flags are claims about what follows: a sum that wraps is poison, and its work-item comes to a use that is then
///   undefined behaviour, because all come there (DivergentBranches). Were that wrong, some would have left the others
///   at a branch that is claimed uniform. The condition of the first such branch could differ by poison only, and to
///   branch on poison is undefined behaviour, too; `freeze` and `select` end poison, so no proof uses flags across
///   them.
///
/// This breaks where a round is taken for the last one although something that a claim was derived from has changed
/// after it: all of it counts as a change (values, divergence, private addresses, the bases of strides). It breaks
/// where a proof is kept from one round to the next, and has no end where a claim becomes stronger again. The weakest
/// claims would be as sound a start, but no counter of a loop would ever be in step.
class VarianceSolver {
public:
  VarianceSolver(llvm::Function& function, VarianceInfo& info, const PrivateLayouts* layouts, bool hasBorders = true,
                 const GroupsInStep* groups = nullptr)
      : function_(function),
        info_(info),
        layouts_(layouts),
        groups_(groups),
        hasBorders_(hasBorders),
        layout_(function.getDataLayout()),
        along_(lanesAlong(function)),
        branches_(function),
        extensions_(info, branches_) {}

  void solve() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock* block : order) {
        checkLimits();
        for (llvm::Instruction& instruction : *block) changed |= update(instruction);
        changed |= spreadDivergence(*block);
      }
      changed |= extensions_.takeWeakened();
    }
    info_.divergence_ = branches_.takeDivergence();
    info_.leftApart_ = branches_.takeLeaving();
  }

private:
  bool update(llvm::Instruction& instruction) {
    if (instruction.getType()->isVoidTy()) return false;
    const bool isNewAddress = isOwnAddress(instruction) && info_.privateAddresses_.insert(&instruction).second;
    return updateVariance(instruction) || isNewAddress;
  }

  /// Whether it leads to a private variable that has no place by lane yet: such addresses have the same form in all
  /// work-items.
  bool isOwnAddress(const llvm::Instruction& instruction) const {
    if (!instruction.getType()->isPointerTy()) return false;
    if (llvm::isa<llvm::AllocaInst>(instruction)) return !layouts_ && !instruction.getMetadata(uniformSlotMetadata);
    return llvm::any_of(instruction.operands(),
                        [&](const llvm::Use& operand) { return info_.privateAddress(*operand); });
  }

  bool updateVariance(llvm::Instruction& instruction) {
    ValueVariance now = transfer(instruction);
    if (const Dimensions left = branches_.leftApart(instruction); !left.empty()) {
      now.dims = now.dims | left;
      for (unsigned d = 0; d < 3; ++d)
        if (left.has(d)) now.stride[d].reset();
    }
    const auto [it, isNew] = info_.values_.try_emplace(&instruction, now);
    if (isNew) return true;
    ValueVariance& before = it->second;
    ValueVariance merged{before.dims | now.dims, {}};
    for (unsigned d = 0; d < 3; ++d) merged.stride[d] = before.stride[d] == now.stride[d] ? now.stride[d] : Stride();
    if (merged.dims == before.dims && merged.stride == before.stride) return false;
    before = merged;
    return true;
  }

  // --- values ---------------------------------------------------------------------------------------------------

  ValueVariance transfer(llvm::Instruction& instruction) {
    if (const llvm::MDNode* mark = instruction.getMetadata(inStepMetadata)) return ofBlockOperation(instruction, *mark);
    if (const auto primitive = primitiveOf(instruction))
      return ofPrimitive(llvm::cast<llvm::CallInst>(instruction), *primitive);
    if (!hasBorders_)
      if (const auto inner = awayFromBorders(instruction, info_)) return *inner;
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Alloca: return ofPrivateVariable(llvm::cast<llvm::AllocaInst>(instruction));
      case llvm::Instruction::Load: return ofLoad(llvm::cast<llvm::LoadInst>(instruction));
      case llvm::Instruction::PHI: return ofPhi(llvm::cast<llvm::PHINode>(instruction));
      case llvm::Instruction::Select: return ofSelect(llvm::cast<llvm::SelectInst>(instruction));
      case llvm::Instruction::Call: return ofCall(llvm::cast<llvm::CallInst>(instruction));
      case llvm::Instruction::AtomicRMW:
      case llvm::Instruction::AtomicCmpXchg: return ValueVariance::varying(Dimensions::all());
      case llvm::Instruction::ICmp: return ofComparison(llvm::cast<llvm::ICmpInst>(instruction));
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::AddrSpaceCast:
        if (info_.privateAddress(*instruction.getOperand(0)) && instruction.getType()->isIntegerTy())
          return ValueVariance::varying(Dimensions::all());
        if (const Dimensions own = ofOwnMemory(*instruction.getOperand(0)); !own.empty())
          return ValueVariance::varying(info_.of(*instruction.getOperand(0)).dims | own);
        break;
      default: break;
    }
    if (const auto operation = affineOperationOf(instruction, layout_)) return ofAffine(instruction, *operation);
    return ExtensionStrides::narrowsIndex(instruction) ? extensions_.ofNarrowedIndex(instruction)
                                                       : ofOperands(instruction);
  }

  ValueVariance ofPrivateVariable(const llvm::AllocaInst& variable) const {
    if (!layouts_ || !layouts_->contains(&variable))
      return {Dimensions::none(), {0, 0, 0}};  // its own in every work-item: the same offset
    // By lane, whichever dimension the lanes lie along.
    const Stride stride = layouts_->lookup(&variable).stride;
    return {Dimensions::all(), {stride, stride, stride}};
  }

  bool interleaved(const llvm::Value& pointer) const {
    const auto* variable =
        layouts_ ? llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0)) : nullptr;
    return variable && layouts_->lookup(variable).interleaved;
  }

  ValueVariance ofPrimitive(const llvm::CallInst& call, Primitive primitive) {
    if (primitive == Primitive::SubGroup) return ofSubGroup(call);
    if (primitive == Primitive::ExpectBelow) return ofOperands(call);
    const bool isGroupId = groups_ && primitive == Primitive::GroupId;
    if (primitive != Primitive::GlobalId && primitive != Primitive::LocalId && !isGroupId)
      return {Dimensions::none(), {0, 0, 0}};
    const auto dimension = dimensionOf(call);
    if (!dimension) return ValueVariance::varying(Dimensions::all());
    if (isGroupId) return *dimension == 0 ? ofId(groups_->axis) : ValueVariance{};
    if (groups_ && *dimension == groups_->axis) return {};  // the groups are one work-item wide
    ValueVariance result = ofId(*dimension);
    if (const auto axis = axisOfGroups(); primitive == Primitive::GlobalId && dimension == 0 && axis) {
      result.dims = result.dims | Dimensions::only(*axis);
      result.stride[*axis] = static_cast<std::int64_t>(*knownLocalSize(function_, 0));
    }
    return result;
  }

  /// Along which dimension work-groups that run as one are counted.
  std::optional<unsigned> axisOfGroups() const {
    if (groups_) return groups_->axis;
    if (interleavedGroups(function_) < 2) return std::nullopt;
    return knownLocalSize(function_, 1).value_or(1) > 1 ? 2 : 1;
  }

  /// The dimension along which an address differs between work-groups with local memory of their own.
  Dimensions ofOwnMemory(const llvm::Value& pointer) const {
    const llvm::Type& type = *pointer.getType();
    const bool isLocal = type.isPointerTy() && type.getPointerAddressSpace() == localAddressSpace;
    return groups_ && isLocal ? Dimensions::only(groups_->axis) : Dimensions();
  }

  /// Among the work-items of a packet, which is a sub-group, some are the same in all; those of a work-group are
  /// several sub-groups.
  ValueVariance ofSubGroup(const llvm::CallInst& call) const {
    const Collective asked = *collectiveOf(call, subGroupPrefix);
    if (asked.kind == Collective::Kind::MaxSize || (layouts_ && asked.sameForAll()))
      return {Dimensions::none(), {0, 0, 0}};
    return layouts_ && asked.kind == Collective::Kind::LocalId ? ofId(0) : ValueVariance::varying(Dimensions::all());
  }

  static ValueVariance ofId(unsigned dimension) {
    ValueVariance result{Dimensions::only(dimension), {0, 0, 0}};
    result.stride[dimension] = 1;
    return result;
  }

  static unsigned dimensionIn(const llvm::MDNode& node) {
    return static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(0))->getZExtValue());
  }

  ValueVariance ofOperands(const llvm::Instruction& instruction) {
    Dimensions dims;
    for (const llvm::Use& operand : instruction.operands()) dims = dims | info_.of(*operand).dims;
    ValueVariance result = ValueVariance::varying(dims);
    if (!llvm::isa<llvm::BinaryOperator>(instruction) || !instruction.getType()->isIntegerTy()) return result;
    // A value that is the same in all lanes of a tile, if not in all tiles: operations on it are, too.
    for (unsigned d = 0; d < 3; ++d)
      if (llvm::all_of(instruction.operands(),
                       [&](const llvm::Use& operand) { return info_.of(*operand).stride[d] == 0; }))
        result.stride[d] = 0;
    return result;
  }

  /// A choice that is the same for all work-items leaves what both sides have in common.
  ValueVariance ofSelect(const llvm::SelectInst& select) {
    ValueVariance result = ofOperands(select);
    if (!select.getType()->isIntegerTy() && !select.getType()->isPointerTy()) return result;
    const ValueVariance yes = info_.of(*select.getTrueValue()), no = info_.of(*select.getFalseValue());
    const Dimensions choice = info_.of(*select.getCondition()).dims;
    for (unsigned d = 0; d < 3; ++d)
      if (!choice.has(d) && yes.stride[d] == no.stride[d]) result.stride[d] = yes.stride[d];
    return result;
  }

  /// Sides with equal strides compare alike for all work-items, unless one of them wraps: `for (k = x - r; k <= x + r;
  /// ++k)`.
  ValueVariance ofComparison(const llvm::ICmpInst& comparison) {
    const llvm::Value &left = *comparison.getOperand(0), &right = *comparison.getOperand(1);
    const ValueVariance a = info_.of(left), b = info_.of(right), every = ofOperands(comparison);
    const Dimensions own = ofOwnMemory(left);
    if ((every.dims.empty() && own.empty()) || !(left.getType()->isIntegerTy() || left.getType()->isPointerTy()))
      return every;
    const auto neverWraps = [&](unsigned d) {
      if (left.getType()->isPointerTy()) return !extensions_.isAssumed(left) && !extensions_.isAssumed(right);
      if (comparison.isEquality()) return true;
      const WrapQuestion question{comparison.isSigned(), branches_.divergence(*comparison.getParent()).has(d)};
      return llvm::all_of(comparison.operands(),
                          [&](const llvm::Use& side) { return staysInStep(*side, question, info_); });
    };
    Dimensions dims = own;
    for (unsigned d = 0; d < 3; ++d)
      if (every.dims.has(d) && !(a.stride[d] && a.stride[d] == b.stride[d] && neverWraps(d)))
        dims = dims | Dimensions::only(d);
    return ValueVariance::varying(dims);
  }

  /// Strides of an id within its block: `id % n`, `id / n`.
  ValueVariance ofBlockOperation(const llvm::Instruction& instruction, const llvm::MDNode& mark) {
    ValueVariance result = ofOperands(instruction);
    result.stride[along_] = llvm::mdconst::extract<llvm::ConstantInt>(mark.getOperand(0))->getSExtValue();
    return result;
  }

  ValueVariance ofLoad(const llvm::LoadInst& load) {
    if (load.getMetadata(uniformSlotMetadata)) return {Dimensions::none(), {0, 0, 0}};
    // Values that a work-item has stored in its own memory may be anything.
    if (load.isAtomic() || load.isVolatile() || isPrivate(*load.getPointerOperand()))
      return ValueVariance::varying(Dimensions::all());
    const llvm::Value& pointer = *load.getPointerOperand();
    const bool isCommon = groups_ && groups_->common.contains(&load);
    return ValueVariance::varying(info_.of(pointer).dims | (isCommon ? Dimensions() : ofOwnMemory(pointer)));
  }

  static bool isPrivate(const llvm::Value& pointer) {
    const llvm::Value* base = llvm::getUnderlyingObject(&pointer, 0);
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(base)) return !slot->getMetadata(uniformSlotMetadata);
    if (llvm::isa<llvm::Argument>(base)) return false;  // of a kernel: never private memory
    // A pointer of unknown origin in the private or generic address space may lead to private memory.
    const unsigned space = base->getType()->isPointerTy() ? base->getType()->getPointerAddressSpace() : 0;
    return (space == 0 || space == 4) && !llvm::isa<llvm::GlobalValue>(base);
  }

  ValueVariance ofCall(const llvm::CallInst& call) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
        intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::stacksave)
      return {Dimensions::none(), {0, 0, 0}};
    if (call.doesNotAccessMemory() && !call.isConvergent()) return ofOperands(call);
    return ValueVariance::varying(Dimensions::all());
  }

  /// Strides of a sum are the sums of the operands' strides.
  ValueVariance ofAffine(const llvm::Instruction& instruction, const AffineOperation& operation) {
    using Kind = AffineOperation::Kind;
    if (operation.kind == Kind::SignExtension || operation.kind == Kind::ZeroExtension)
      return extensions_.ofExtension(llvm::cast<llvm::CastInst>(instruction));
    // Elements that lie apart, all lanes' copies of one side by side, have strides of their own.
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    const bool scattered = address && interleaved(*address->getPointerOperand());
    ValueVariance result;
    for (const auto& [operand, factor] : operation.terms) {
      const ValueVariance term = info_.of(*operand);
      result.dims = result.dims | term.dims;
      const bool isIndex = address && operand != address->getPointerOperand();
      for (unsigned d = 0; d < 3; ++d) {
        const bool known = result.stride[d] && term.stride[d] && !(scattered && isIndex && *term.stride[d] != 0);
        result.stride[d] =
            known ? Stride(wrappingSum(*result.stride[d], wrappingProduct(*term.stride[d], factor))) : Stride();
      }
    }
    return result;
  }

  ValueVariance ofPhi(const llvm::PHINode& phi) {
    if (const llvm::MDNode* counter = phi.getMetadata(counterMetadata)) return ofId(dimensionIn(*counter));
    ValueVariance result;
    bool first = true;
    for (const llvm::Value* incoming : phi.incoming_values()) {
      // Values of the back edge are not there in the first round: what is known is enough to start from.
      if (llvm::isa<llvm::Instruction>(incoming) && !info_.values_.contains(incoming)) continue;
      if (leavesOpen(*incoming)) continue;
      const ValueVariance variance = info_.of(*incoming);
      if (first)
        result = variance;
      else {
        result.dims = result.dims | variance.dims;
        for (unsigned d = 0; d < 3; ++d)
          if (result.stride[d] != variance.stride[d]) result.stride[d].reset();
      }
      first = false;
    }
    const Dimensions joined = branches_.joined(*phi.getParent());
    const bool isOne = groups_ ? phi.hasConstantValue() != nullptr : phi.hasConstantOrUndefValue();
    if (!joined.empty() && !isOne) result = ValueVariance::varying(result.dims | joined);
    return result;
  }

  /// Whether the value is undefined, so that it may equal the other work-items'. Not where groups will run as one:
  /// define-phis makes it 0 there.
  bool leavesOpen(const llvm::Value& value) const { return !groups_ && llvm::isa<llvm::UndefValue>(value); }

  // --- control flow -----------------------------------------------------------------------------------------------

  bool spreadDivergence(const llvm::BasicBlock& block) {
    const llvm::Instruction* terminator = block.getTerminator();
    if (terminator->getNumSuccessors() < 2 || terminator->getMetadata(itemLoopMetadata)) return false;
    const Dimensions left = branches_.leftApart(*terminator);
    if (!left.empty()) info_.values_[terminator] = ValueVariance::varying(left);
    return branches_.diverge(block, info_.of(*terminator->getOperand(0)).dims | left);
  }

  llvm::Function& function_;
  VarianceInfo& info_;
  const PrivateLayouts* layouts_;
  const GroupsInStep* groups_;
  const bool hasBorders_;
  const llvm::DataLayout& layout_;
  const unsigned along_;  ///< dimension of the lanes
  DivergentBranches branches_;
  ExtensionStrides extensions_;
};

VarianceInfo::VarianceInfo(llvm::Function& function) { VarianceSolver(function, *this, nullptr).solve(); }

VarianceInfo::VarianceInfo(llvm::Function& function, const PrivateLayouts& layouts) {
  VarianceSolver(function, *this, &layouts).solve();
}

VarianceInfo VarianceInfo::inInterior(llvm::Function& function) {
  VarianceInfo info;
  VarianceSolver(function, info, nullptr, /*hasBorders=*/false).solve();
  return info;
}

VarianceInfo VarianceInfo::ofGroups(llvm::Function& function, const GroupsInStep& groups) {
  VarianceInfo info;
  VarianceSolver(function, info, nullptr, /*hasBorders=*/true, &groups).solve();
  return info;
}

ValueVariance VarianceInfo::of(const llvm::Value& value) const {
  if (const auto it = values_.find(&value); it != values_.end()) return it->second;
  return {Dimensions::none(), {0, 0, 0}};  // constants, arguments, blocks
}

Dimensions VarianceInfo::divergence(const llvm::BasicBlock& block) const { return divergence_.lookup(&block); }

bool VarianceInfo::branchesUniformly(const llvm::BasicBlock& block) const {
  const llvm::Instruction* terminator = block.getTerminator();
  // The variance of a branch itself says that its condition comes out of a loop that work-items leave in different
  // iterations.
  return terminator->getNumSuccessors() < 2 || (uniform(*terminator->getOperand(0)) && uniform(*terminator));
}

}  // namespace clarity::compiler
