// SPDX-License-Identifier: Apache-2.0
// This file solves the variance equations: dimensions grow and strides fall to "unknown" until nothing changes.
#include "compiler/analysis/variance.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/index_bounds.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/attributes.h"
#include "compiler/collectives.h"
#include "compiler/primitives.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <bit>
#include <map>
#include <utility>

namespace clarity::compiler {

using Stride = std::optional<std::int64_t>;

/// Blocks that may be visited to find out exactly where work-items meet: thousands of branches that all work-items of a large
/// kernel may take differently would take minutes. Beyond that the answer is what holds in any case.
constexpr std::uint64_t mostSteps = 2'000'000;

class VarianceSolver {
public:
  VarianceSolver(llvm::Function& function, VarianceInfo& info, const PrivateLayouts* layouts)
      : function_(function), info_(info), layouts_(layouts), layout_(function.getDataLayout()), dominators_(function),
        postDominators_(function), along_(lanesAlong(function)) {
    cycles_.compute(function);
  }

  void solve() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    // The lattice is finite and every step is monotone: dimensions only grow, strides only become unknown.
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock* block : order) {
        for (llvm::Instruction& instruction : *block) changed |= update(instruction);
        changed |= spreadDivergence(*block);
      }
    }
  }

private:
  static ValueVariance varying(Dimensions dims) {
    ValueVariance result{dims, {}};
    for (unsigned d = 0; d < 3; ++d) result.stride[d] = dims.has(d) ? Stride() : Stride(0);
    return result;
  }

  bool update(llvm::Instruction& instruction) {
    if (instruction.getType()->isVoidTy()) return false;
    const bool isNewAddress = isOwnAddress(instruction) && info_.privateAddresses_.insert(&instruction).second;
    return updateVariance(instruction) || isNewAddress;
  }

  /// Whether it leads to a private variable that has no place by lane yet: such addresses have the same form in all work-items.
  bool isOwnAddress(const llvm::Instruction& instruction) const {
    if (!instruction.getType()->isPointerTy()) return false;
    if (llvm::isa<llvm::AllocaInst>(instruction)) return !layouts_ && !instruction.getMetadata(uniformSlotMetadata);
    return llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) { return info_.privateAddress(*operand); });
  }

  bool updateVariance(llvm::Instruction& instruction) {
    ValueVariance now = transfer(instruction);
    if (const Dimensions left = temporal_.lookup(&instruction); !left.empty()) {
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
    if (const llvm::MDNode* mark = instruction.getMetadata(inStepMetadata)) return ofPart(instruction, *mark);
    if (const auto primitive = primitiveOf(instruction)) return ofPrimitive(llvm::cast<llvm::CallInst>(instruction), *primitive);
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Alloca: return ofPrivateVariable(llvm::cast<llvm::AllocaInst>(instruction));
      case llvm::Instruction::Load: return ofLoad(llvm::cast<llvm::LoadInst>(instruction));
      case llvm::Instruction::PHI: return ofPhi(llvm::cast<llvm::PHINode>(instruction));
      case llvm::Instruction::Call: return ofCall(llvm::cast<llvm::CallInst>(instruction));
      case llvm::Instruction::AtomicRMW:
      case llvm::Instruction::AtomicCmpXchg: return varying(Dimensions::all());
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl: return ofLinear(instruction);
      case llvm::Instruction::Or:
        return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() ? ofLinear(instruction) : ofOperands(instruction);
      case llvm::Instruction::And:
        if (clearsNothing(instruction)) return info_.of(*instruction.getOperand(0));
        [[fallthrough]];
      case llvm::Instruction::AShr: return narrowsIndex(instruction) ? info_.of(*wideUnder(instruction)) : ofOperands(instruction);
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc: return ofIntegerCast(llvm::cast<llvm::CastInst>(instruction));
      case llvm::Instruction::ICmp: return ofComparison(llvm::cast<llvm::ICmpInst>(instruction));
      case llvm::Instruction::PtrToInt:
        if (info_.privateAddress(*instruction.getOperand(0))) return varying(Dimensions::all());
        [[fallthrough]];
      case llvm::Instruction::AddrSpaceCast:
      case llvm::Instruction::Freeze:
      case llvm::Instruction::IntToPtr: return info_.of(*instruction.getOperand(0));
      case llvm::Instruction::GetElementPtr: return ofAddress(llvm::cast<llvm::GetElementPtrInst>(instruction));
      default: return ofOperands(instruction);
    }
  }

  ValueVariance ofPrivateVariable(const llvm::AllocaInst& variable) const {
    if (!layouts_ || !layouts_->contains(&variable)) return {Dimensions::none(), {0, 0, 0}};  // its own in every work-item: the same offset
    // By lane, whichever dimension the lanes lie along.
    const Stride stride = layouts_->lookup(&variable).stride;
    return {Dimensions::all(), {stride, stride, stride}};
  }

  bool interleaved(const llvm::Value& pointer) const {
    const auto* variable = layouts_ ? llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0)) : nullptr;
    return variable && layouts_->lookup(variable).interleaved;
  }

  ValueVariance ofPrimitive(const llvm::CallInst& call, Primitive primitive) {
    if (primitive == Primitive::SubGroup) return ofSubGroup(call);
    if (primitive != Primitive::GlobalId && primitive != Primitive::LocalId) return {Dimensions::none(), {0, 0, 0}};
    const auto dimension = dimensionOf(call);
    if (!dimension) return varying(Dimensions::all());
    ValueVariance result = ofId(*dimension);
    if (primitive == Primitive::GlobalId && dimension == 0 && interleavedGroups(function_) > 1) {
      result.dims = result.dims | Dimensions::only(1);
      result.stride[1] = static_cast<std::int64_t>(*knownLocalSize(function_, 0));
    }
    return result;
  }

  /// Among the work-items of a packet, which is a sub-group, some are the same in all; those of a work-group are several
  /// sub-groups.
  ValueVariance ofSubGroup(const llvm::CallInst& call) const {
    const Collective asked = *collectiveOf(call, subGroupPrefix);
    if (asked.kind == Collective::Kind::MaxSize || (layouts_ && asked.sameForAll())) return {Dimensions::none(), {0, 0, 0}};
    return layouts_ && asked.kind == Collective::Kind::LocalId ? ofId(0) : varying(Dimensions::all());
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
    ValueVariance result = varying(dims);
    if (!llvm::isa<llvm::BinaryOperator>(instruction) || !instruction.getType()->isIntegerTy()) return result;
    // What is the same in all lanes of a tile, if not in all tiles, makes more of that kind.
    for (unsigned d = 0; d < 3; ++d)
      if (llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) { return info_.of(*operand).stride[d] == 0; })) result.stride[d] = 0;
    return result;
  }

  /// What grows alike on both sides compares alike: `for (k = x - r; k <= x + r; ++k)`. Unless one of them wraps on the way.
  ValueVariance ofComparison(const llvm::ICmpInst& comparison) {
    const llvm::Value &left = *comparison.getOperand(0), &right = *comparison.getOperand(1);
    const ValueVariance a = info_.of(left), b = info_.of(right), every = ofOperands(comparison);
    if (every.dims.empty() || !(left.getType()->isIntegerTy() || left.getType()->isPointerTy())) return every;
    const auto neverWraps = [&](unsigned d) {
      if (comparison.isEquality() || left.getType()->isPointerTy()) return true;
      return llvm::all_of(comparison.operands(), [&](const llvm::Use& side) {
        llvm::SmallPtrSet<const llvm::Value*, 8> seen;
        return extendsInStep(*side, {comparison.isSigned(), info_.divergence_.lookup(comparison.getParent()).has(d)}, seen);
      });
    };
    Dimensions dims;
    for (unsigned d = 0; d < 3; ++d)
      if (every.dims.has(d) && !(a.stride[d] && a.stride[d] == b.stride[d] && neverWraps(d))) dims = dims | Dimensions::only(d);
    return varying(dims);
  }

  /// A part of an id: `id % n`, `id / n`.
  ValueVariance ofPart(const llvm::Instruction& instruction, const llvm::MDNode& mark) {
    ValueVariance result = ofOperands(instruction);
    result.stride[along_] = llvm::mdconst::extract<llvm::ConstantInt>(mark.getOperand(0))->getSExtValue();
    return result;
  }

  ValueVariance ofLoad(const llvm::LoadInst& load) {
    // What a work-item has stored in its own memory may be anything.
    if (load.isAtomic() || load.isVolatile() || isPrivate(*load.getPointerOperand())) return varying(Dimensions::all());
    return varying(info_.of(*load.getPointerOperand()).dims);
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
    return varying(Dimensions::all());
  }

  ValueVariance ofLinear(const llvm::Instruction& instruction) {
    const ValueVariance a = info_.of(*instruction.getOperand(0)), b = info_.of(*instruction.getOperand(1));
    ValueVariance result = varying(a.dims | b.dims);
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    for (unsigned d = 0; d < 3; ++d) {
      if (!result.dims.has(d)) continue;
      switch (instruction.getOpcode()) {
        case llvm::Instruction::Add:
        case llvm::Instruction::Or:
          if (a.stride[d] && b.stride[d]) result.stride[d] = wrappingSum(*a.stride[d], *b.stride[d]);
          break;
        case llvm::Instruction::Sub:
          if (a.stride[d] && b.stride[d]) result.stride[d] = wrappingDifference(*a.stride[d], *b.stride[d]);
          break;
        case llvm::Instruction::Mul:
          if (a.stride[d] && factor && factor->getBitWidth() <= 64) result.stride[d] = wrappingProduct(*a.stride[d], factor->getSExtValue());
          break;
        case llvm::Instruction::Shl:
          if (a.stride[d] && factor && factor->getBitWidth() <= 64 && factor->getZExtValue() < 32)
            result.stride[d] = wrappingProduct(*a.stride[d], std::int64_t{1} << factor->getZExtValue());
          break;
        default: break;
      }
      if (a.stride[d] == 0 && b.stride[d] == 0) result.stride[d] = 0;
    }
    return result;
  }

  /// `id & -2` where every id is even, `id & 127` where the loop ends at 128.
  bool clearsNothing(const llvm::Instruction& conjunction) const {
    const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(conjunction.getOperand(1));
    if (!mask || mask->getBitWidth() > 64) return false;
    llvm::APInt zero = llvm::computeKnownBits(conjunction.getOperand(0), llvm::SimplifyQuery(layout_)).Zero;
    if (const auto range = rangeOf(*conjunction.getOperand(0)); range && range->least >= 0) {
      const auto used = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(range->most)));
      if (used < zero.getBitWidth()) zero.setBitsFrom(used);
    }
    return (~mask->getValue()).isSubsetOf(zero);
  }

  /// `(int)get_global_id(0)` widened again comes as `id & 0x7fffffff` or `id & 0xffffffff`, and index arithmetic in int
  /// as `(64-bit arithmetic) << 32 >> 32`: LLVM prefers the wide form and drops that int does not overflow. Where 32 bits
  /// would wrap, the program's own arithmetic has overflowed or its ids have left the range of int.
  static const llvm::Value* wideUnder(const llvm::Instruction& instruction) {
    const llvm::Value* value = instruction.getOperand(0);
    if (instruction.getOpcode() == llvm::Instruction::And) return value;
    const auto* shift = llvm::dyn_cast<llvm::Instruction>(value);
    return shift && shift->getOpcode() == llvm::Instruction::Shl && shift->getOperand(1) == instruction.getOperand(1) ? shift->getOperand(0) : nullptr;
  }

  static bool narrowsIndex(const llvm::Instruction& instruction) {
    const auto* wide = llvm::dyn_cast_or_null<llvm::Instruction>(wideUnder(instruction));
    const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    if (!wide || !bits || !instruction.getType()->isIntegerTy(64)) return false;
    if (instruction.getOpcode() == llvm::Instruction::AShr) return bits->getZExtValue() == 32;
    const auto primitive = primitiveOf(*wide);
    return (primitive == Primitive::GlobalId || primitive == Primitive::LocalId) && llvm::isMask_64(bits->getZExtValue()) &&
           bits->getZExtValue() >= 0x7fffffff;
  }

  ValueVariance ofIntegerCast(const llvm::CastInst& cast) {
    const llvm::Value& narrow = *cast.getOperand(0);
    const ValueVariance from = info_.of(narrow);
    if (!cast.getType()->isIntegerTy() || cast.getOpcode() == llvm::Instruction::Trunc || from.uniform()) return from;
    // What a guard says of the work-items behind it does not hold for their neighbours: `if (x >= 5) y = x - 5`.
    const InStep inStep{cast.getOpcode() == llvm::Instruction::SExt, !info_.divergence_.lookup(cast.getParent()).empty()};
    llvm::SmallPtrSet<const llvm::Value*, 8> seen;
    if (extendsInStep(narrow, inStep, seen)) return from;
    if (!narrow.getType()->isIntegerTy(32) || !growsByLittle(from) || !leadsToAddressesOnly(cast)) return varying(from.dims);
    info_.assumed_.insert(&cast);
    return from;
  }

  /// Whether strides are small enough that a value wraps at most once within a tile.
  static bool growsByLittle(const ValueVariance& variance) {
    return llvm::all_of(variance.stride, [](const Stride& stride) { return !stride || distance(*stride) <= std::int64_t{1} << 20; });
  }

  /// An index beyond 2^32, or beyond 2^31 on both sides of 0, is nothing that work-items on both sides of the jump can have
  /// in common memory. What is an index only may be taken to grow in step, the side of the jump chosen that is near 0.
  static bool leadsToAddressesOnly(const llvm::Instruction& value) {
    llvm::SmallPtrSet<const llvm::Instruction*, 16> seen;
    llvm::SmallVector<const llvm::Instruction*, 16> work{&value};
    while (!work.empty()) {
      for (const llvm::User* user : work.pop_back_val()->users()) {
        const auto* instruction = llvm::cast<llvm::Instruction>(user);
        switch (instruction->getOpcode()) {
          case llvm::Instruction::GetElementPtr:
          case llvm::Instruction::Trunc: break;
          case llvm::Instruction::Add:
          case llvm::Instruction::Sub:
          case llvm::Instruction::Mul:
          case llvm::Instruction::Shl:
          case llvm::Instruction::Or:
          case llvm::Instruction::Freeze:
          case llvm::Instruction::PHI:
            if (seen.insert(instruction).second) work.push_back(instruction);
            if (seen.size() > 64) return false;
            break;
          default: return false;
        }
      }
    }
    return true;
  }

  /// What is asked of an extension.
  struct InStep {
    bool isSigned = false;
    bool apart = false;  ///< not all work-items come there: what flags say holds for some only
  };

  /// Whether a narrow value is the same as a signed and as an unsigned number, whatever the work-item.
  static bool staysInRange(const llvm::Value& value) {
    const unsigned bits = value.getType()->getScalarSizeInBits();
    const auto range = bits <= 32 ? rangeOf(value) : std::nullopt;
    return range && range->least >= 0 && range->most < std::int64_t{1} << (bits - 1);
  }

  /// Whether a narrow value is known not to wrap between two work-items, so that an extension keeps its stride. What is the
  /// same for both may have wrapped before.
  bool extendsInStep(const llvm::Value& value, InStep asked, llvm::SmallPtrSetImpl<const llvm::Value*>& seen) const {
    if (info_.of(value).uniform() || isId(value) || !seen.insert(&value).second) return true;
    if (staysInRange(value)) return true;
    if (!asked.isSigned && value.getType()->getIntegerBitWidth() >= 32 && staysAboveZero(value, info_)) return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || seen.size() > 16) return false;
    const auto parts = [&] {
      return llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) { return extendsInStep(*operand, asked, seen); });
    };
    switch (instruction->getOpcode()) {
      case llvm::Instruction::Trunc: {
        if (!instruction->getOperand(0)->getType()->isIntegerTy(64)) return false;
        const llvm::ConstantRange range = valuesOf(*instruction->getOperand(0));
        const unsigned bits = value.getType()->getIntegerBitWidth();
        return asked.isSigned ? range.getSignedMin().isSignedIntN(bits) && range.getSignedMax().isSignedIntN(bits) : range.getUnsignedMax().isIntN(bits);
      }
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SExt: return !info_.assumed_.contains(instruction);  // by its own stride
      case llvm::Instruction::PHI:
      case llvm::Instruction::Freeze: return parts();
      case llvm::Instruction::Or: {
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
        return !asked.apart && (!asked.isSigned || (constant && !constant->isNegative())) && parts();
      }
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl: return !asked.apart && (asked.isSigned ? instruction->hasNoSignedWrap() : instruction->hasNoUnsignedWrap()) && parts();
      default: return false;
    }
  }

  /// The values that a 64-bit value may have.
  llvm::ConstantRange valuesOf(const llvm::Value& value, unsigned depth = 0) const {
    const llvm::ConstantRange any = llvm::ConstantRange::getFull(64);
    const auto upTo = [](unsigned bits) { return llvm::ConstantRange(llvm::APInt(64, 0), llvm::APInt::getOneBitSet(64, bits)); };
    if (!value.getType()->isIntegerTy(64) || depth > 8) return any;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return constant->getValue();
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return any;
    if (const auto primitive = primitiveOf(*instruction); primitive == Primitive::GlobalId || primitive == Primitive::LocalId) return upTo(31);
    const auto part = [&](unsigned i) { return valuesOf(*instruction->getOperand(i), depth + 1); };
    switch (instruction->getOpcode()) {
      case llvm::Instruction::ZExt: {
        const unsigned bits = instruction->getOperand(0)->getType()->getIntegerBitWidth();
        return upTo(bits == 32 && isId(*instruction->getOperand(0)) ? 31 : bits);
      }
      case llvm::Instruction::SExt: return llvm::ConstantRange::getFull(instruction->getOperand(0)->getType()->getIntegerBitWidth()).signExtend(64);
      case llvm::Instruction::Add: return part(0).add(part(1));
      case llvm::Instruction::Sub: return part(0).sub(part(1));
      case llvm::Instruction::Mul: return part(0).multiply(part(1));
      case llvm::Instruction::Shl: return part(0).shl(part(1));
      default: return any;
    }
  }

  ValueVariance ofAddress(const llvm::GetElementPtrInst& address) {
    if (address.getType()->isVectorTy()) return ofOperands(address);
    ValueVariance result = info_.of(*address.getPointerOperand());
    const bool apart = interleaved(*address.getPointerOperand());
    for (auto it = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); it != end; ++it) {
      if (it.getStructTypeOrNull()) continue;
      const ValueVariance index = info_.of(*it.getOperand());
      const auto bytes = static_cast<std::int64_t>(it.getSequentialElementStride(layout_).getFixedValue());
      for (unsigned d = 0; d < 3; ++d)
        result.stride[d] = result.stride[d] && index.stride[d] && (!apart || *index.stride[d] == 0) ? Stride(wrappingSum(*result.stride[d], wrappingProduct(*index.stride[d], bytes))) : Stride();
      result.dims = result.dims | index.dims;
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
      if (llvm::isa<llvm::UndefValue>(incoming)) continue;
      const ValueVariance variance = info_.of(*incoming);
      if (first) result = variance;
      else {
        result.dims = result.dims | variance.dims;
        for (unsigned d = 0; d < 3; ++d)
          if (result.stride[d] != variance.stride[d]) result.stride[d].reset();
      }
      first = false;
    }
    const Dimensions joined = joins_.lookup(phi.getParent());
    if (!joined.empty() && !phi.hasConstantOrUndefValue()) result = varying(result.dims | joined);
    return result;
  }

  // --- control flow -----------------------------------------------------------------------------------------------

  /// A branch that work-items may take differently makes every block up to its post-dominator divergent, the joins
  /// there select by its condition, and what leaves a loop by it leaves in different iterations.
  bool spreadDivergence(llvm::BasicBlock& block) {
    const llvm::Instruction* terminator = block.getTerminator();
    if (terminator->getNumSuccessors() < 2 || terminator->getMetadata(itemLoopMetadata)) return false;
    const Dimensions left = temporal_.lookup(terminator);
    if (!left.empty()) info_.values_[terminator] = varying(left);
    const Dimensions dims = info_.of(*terminator->getOperand(0)).dims | left;
    Dimensions& done = spread_[&block];
    if ((done | dims) == done) return false;
    done = done | dims;

    const llvm::BasicBlock* join = meetingOf(block);
    markInfluenced(block, join, dims);
    findJoins(block, join, dims);
    for (const llvm::Cycle* cycle = cycles_.getCycle(&block); cycle; cycle = cycle->getParentCycle())
      if (!join || !cycle->contains(join)) leaveInDifferentIterations(*cycle, dims);
    return true;
  }

  /// Every block on a way from a branch to where all meet. Branches with one meeting place, such as the conditions of a long
  /// chain, share what has been walked.
  void markInfluenced(const llvm::BasicBlock& branch, const llvm::BasicBlock* join, Dimensions dims) {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16>& influenced = influenced_[{join, dims.bits()}].blocks;
    llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&branch));
    while (!work.empty()) {
      const llvm::BasicBlock* current = work.pop_back_val();
      if (current == join || !influenced.insert(current).second) continue;
      Dimensions& divergence = info_.divergence_[current];
      divergence = divergence | dims;
      work.append(llvm::succ_begin(current), llvm::succ_end(current));
    }
  }

  /// Where all work-items that part at a branch are together again. A post-dominator inside the branch's loop is such a
  /// place only if nobody gets there by another turn of the loop. Loops are cycles of any kind here: irreducible ones too.
  const llvm::BasicBlock* meetingOf(const llvm::BasicBlock& branch) {
    const auto* node = postDominators_.getNode(&branch)->getIDom();
    while (node && node->getBlock()) {
      const llvm::BasicBlock* meeting = node->getBlock();
      const llvm::Cycle* cycle = cycles_.getCycle(&branch);
      while (cycle && !cycle->contains(meeting)) cycle = cycle->getParentCycle();
      if (!cycle || !comesBack(branch, *meeting, *cycle)) return meeting;
      node = node->getIDom();
    }
    return nullptr;
  }

  /// Whether a way from a branch to the next turn of a loop around it avoids a block.
  bool comesBack(const llvm::BasicBlock& branch, const llvm::BasicBlock& avoided, const llvm::Cycle& cycle) {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&branch));
    while (!work.empty()) {
      const llvm::BasicBlock* current = work.pop_back_val();
      if (cycle.isEntry(current) || ++steps_ > mostSteps) return true;
      if (current == &avoided || current->getTerminator()->getMetadata(itemLoopMetadata) || !seen.insert(current).second) continue;
      work.append(llvm::succ_begin(current), llvm::succ_end(current));
    }
    return false;
  }

  /// Marks the blocks where work-items that took different ways meet: every successor's name travels along its ways;
  /// where two names meet is a join, whose own name goes on from there. The way ends where all meet and at the
  /// branch itself, which the next turn of a loop takes anew.
  void findJoins(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting, Dimensions dims) {
    llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> nameOf;
    llvm::SmallVector<const llvm::BasicBlock*, 16> work;
    const auto arrive = [&](const llvm::BasicBlock* block, const llvm::BasicBlock* name) {
      const llvm::BasicBlock*& known = nameOf[block];
      if (known == name) return;
      if (known) joins_[block] = joins_.lookup(block) | dims;
      if (known == block) return;
      known = known ? block : name;
      if (block != meeting && block != &branch) work.push_back(block);
    };
    for (const llvm::BasicBlock* successor : llvm::successors(&branch)) arrive(successor, successor);
    while (!work.empty()) {
      if (++steps_ > mostSteps) return joinEverywhere(branch, meeting, dims);
      const llvm::BasicBlock* block = work.pop_back_val();
      const llvm::BasicBlock* name = nameOf.lookup(block);
      for (const llvm::BasicBlock* successor : llvm::successors(block)) arrive(successor, name);
    }
  }

  /// What holds in any case: where a branch leads, anybody may meet.
  void joinEverywhere(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting, Dimensions dims) {
    Influence& influence = influenced_[{meeting, dims.bits()}];
    if (influence.joined != influence.blocks.size())
      for (const llvm::BasicBlock* block : influence.blocks) joins_[block] = joins_.lookup(block) | dims;
    influence.joined = influence.blocks.size();
    for (const llvm::BasicBlock* block : {&branch, meeting})
      if (block) joins_[block] = joins_.lookup(block) | dims;
  }

  void leaveInDifferentIterations(const llvm::Cycle& cycle, Dimensions dims) {
    Dimensions& done = left_[&cycle];
    if ((done | dims) == done) return;
    done = done | dims;
    for (const llvm::BasicBlock* block : cycle.blocks())
      for (const llvm::Instruction& instruction : *block)
        for (const llvm::User* user : instruction.users())
          if (const auto* use = llvm::dyn_cast<llvm::Instruction>(user); use && !cycle.contains(use->getParent())) {
            temporal_[use] = temporal_.lookup(use) | dims;
            info_.leftApart_.insert(&instruction);
          }
  }

  llvm::Function& function_;
  VarianceInfo& info_;
  const PrivateLayouts* layouts_;
  const llvm::DataLayout& layout_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  const unsigned along_;  ///< dimension of the lanes
  llvm::CycleInfo cycles_;
  llvm::DenseMap<const llvm::BasicBlock*, Dimensions> joins_, spread_;
  llvm::DenseMap<const llvm::Instruction*, Dimensions> temporal_;
  llvm::DenseMap<const llvm::Cycle*, Dimensions> left_;  ///< loops left in different turns
  /// Blocks between branches and their meeting place.
  struct Influence {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks;
    std::size_t joined = 0;  ///< how many there were when all were taken for joins
  };
  std::map<std::pair<const llvm::BasicBlock*, unsigned>, Influence> influenced_;  ///< by meeting place and dimensions
  std::uint64_t steps_ = 0;  ///< blocks visited on account of single branches
};

VarianceInfo::VarianceInfo(llvm::Function& function) { VarianceSolver(function, *this, nullptr).solve(); }

VarianceInfo::VarianceInfo(llvm::Function& function, const PrivateLayouts& layouts) { VarianceSolver(function, *this, &layouts).solve(); }

ValueVariance VarianceInfo::of(const llvm::Value& value) const {
  if (const auto it = values_.find(&value); it != values_.end()) return it->second;
  return {Dimensions::none(), {0, 0, 0}};  // constants, arguments, blocks
}

Dimensions VarianceInfo::divergence(const llvm::BasicBlock& block) const { return divergence_.lookup(&block); }

bool VarianceInfo::branchesUniformly(const llvm::BasicBlock& block) const {
  const llvm::Instruction* terminator = block.getTerminator();
  // What is known of a branch itself is that its condition comes out of a loop that was left in different turns.
  return terminator->getNumSuccessors() < 2 || (uniform(*terminator->getOperand(0)) && uniform(*terminator));
}

}  // namespace clarity::compiler
