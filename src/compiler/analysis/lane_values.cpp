// SPDX-License-Identifier: Apache-2.0
// This file computes integers for 64 work-items side by side.
#include "compiler/analysis/lane_values.h"

#include "compiler/analysis/affine.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <utility>

namespace clarity::compiler {
namespace {

std::uint64_t trimmed(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & llvm::maskTrailingOnes<std::uint64_t>(bits);
}

std::int64_t asSigned(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<std::int64_t>(value) : llvm::SignExtend64(value, bits);
}

/// Empty where C leaves the result open.
std::optional<std::uint64_t> binary(unsigned opcode, std::uint64_t a, std::uint64_t b, unsigned bits) {
  const std::int64_t signedA = asSigned(a, bits), signedB = asSigned(b, bits);
  const bool divides = b != 0, dividesSigned = divides && signedB != -1;
  switch (opcode) {
    case llvm::Instruction::Add: return a + b;
    case llvm::Instruction::Sub: return a - b;
    case llvm::Instruction::Mul: return a * b;
    case llvm::Instruction::And: return a & b;
    case llvm::Instruction::Or: return a | b;
    case llvm::Instruction::Xor: return a ^ b;
    case llvm::Instruction::Shl: return b < bits ? std::optional(a << b) : std::nullopt;
    case llvm::Instruction::LShr: return b < bits ? std::optional(a >> b) : std::nullopt;
    case llvm::Instruction::AShr:
      return b < bits ? std::optional(static_cast<std::uint64_t>(signedA >> b)) : std::nullopt;
    case llvm::Instruction::UDiv: return divides ? std::optional(a / b) : std::nullopt;
    case llvm::Instruction::URem: return divides ? std::optional(a % b) : std::nullopt;
    case llvm::Instruction::SDiv:
      return dividesSigned ? std::optional(static_cast<std::uint64_t>(signedA / signedB)) : std::nullopt;
    case llvm::Instruction::SRem:
      return dividesSigned ? std::optional(static_cast<std::uint64_t>(signedA % signedB)) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<std::uint64_t> ofIntrinsic(llvm::Intrinsic::ID intrinsic, std::uint64_t a, std::uint64_t b,
                                         unsigned bits) {
  const std::int64_t signedA = asSigned(a, bits), signedB = asSigned(b, bits);
  switch (intrinsic) {
    case llvm::Intrinsic::umin: return std::min(a, b);
    case llvm::Intrinsic::umax: return std::max(a, b);
    case llvm::Intrinsic::smin: return static_cast<std::uint64_t>(std::min(signedA, signedB));
    case llvm::Intrinsic::smax: return static_cast<std::uint64_t>(std::max(signedA, signedB));
    case llvm::Intrinsic::usub_sat: return a > b ? a - b : 0;
    default: return std::nullopt;
  }
}

bool compares(llvm::CmpInst::Predicate predicate, std::uint64_t a, std::uint64_t b, unsigned bits) {
  const auto signedA = asSigned(a, bits), signedB = asSigned(b, bits);
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return a == b;
    case llvm::CmpInst::ICMP_NE: return a != b;
    case llvm::CmpInst::ICMP_ULT: return a < b;
    case llvm::CmpInst::ICMP_ULE: return a <= b;
    case llvm::CmpInst::ICMP_UGT: return a > b;
    case llvm::CmpInst::ICMP_UGE: return a >= b;
    case llvm::CmpInst::ICMP_SLT: return signedA < signedB;
    case llvm::CmpInst::ICMP_SLE: return signedA <= signedB;
    case llvm::CmpInst::ICMP_SGT: return signedA > signedB;
    default: return signedA >= signedB;
  }
}

LaneIntegers sameInAll(std::uint64_t value) {
  LaneIntegers result;
  result.of.fill(value);
  return result;
}

/// Bits of an integer that is computed here; 0: it is not.
unsigned bitsOf(const llvm::Value& value) {
  const auto* type = llvm::dyn_cast<llvm::IntegerType>(value.getType());
  return type && type->getBitWidth() <= 64 ? type->getBitWidth() : 0;
}

}  // namespace

/// Far from each other, positive in 32 bits, and multiples of what may be the size of a warp or of a row.
std::uint64_t LaneWorld::suppose(const llvm::Value& value) {
  const std::uint64_t number = supposed.try_emplace(&value, supposed.size() + 1).first->second;
  return 0x0800'0000 + (number * 0x9E37'79B9 % 0x4'0000) * 4096;
}

const LaneIntegers* LaneValues::of(const llvm::Value& value) {
  if (bitsOf(value) == 0 || depth_ > cost::search::laneDepth) return nullptr;
  if (const auto known = known_.find(&value); known != known_.end()) return known->second.get();
  known_[&value] = nullptr;  // while it is computed
  ++depth_;
  std::optional<LaneIntegers> result = compute(value);
  --depth_;
  if (!result) return nullptr;
  for (std::uint64_t& each : result->of) each = trimmed(each, bitsOf(value));
  return (known_[&value] = std::make_unique<LaneIntegers>(*result)).get();
}

std::optional<LaneIntegers> LaneValues::compute(const llvm::Value& value) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return sameInAll(constant->getZExtValue());
  if (llvm::isa<llvm::Argument>(value)) return suppose(value);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return computePhi(*phi);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&value)) return computeCall(*call);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction ? computeInstruction(*instruction) : std::nullopt;
}

std::optional<LaneIntegers> LaneValues::suppose(const llvm::Value& value) {
  LaneIntegers result = sameInAll(world_.suppose(value));
  result.supposed = true;
  return result;
}

/// The counter of a loop has what the iteration before leaves.
std::optional<LaneIntegers> LaneValues::computePhi(const llvm::PHINode& phi) {
  const llvm::Loop* loop = world_.loops.getLoopFor(phi.getParent());
  const bool counts = loop && loop->getHeader() == phi.getParent();
  if (!counts && phi.getNumIncomingValues() != 1) return std::nullopt;
  const auto iteration = counts ? iterations_.find(loop) : iterations_.end();
  if (counts && iteration == iterations_.end()) return std::nullopt;
  const bool isFirst = !counts || iteration->second == 0;
  const llvm::Value* from = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (counts && loop->contains(phi.getIncomingBlock(i)) == isFirst) continue;
    if (from && from != phi.getIncomingValue(i)) return std::nullopt;
    from = phi.getIncomingValue(i);
  }
  const LaneIntegers* value = !from ? nullptr : isFirst ? of(*from) : before(*loop).of(*from);
  return value ? std::optional(*value) : std::nullopt;
}

LaneValues& LaneValues::before(const llvm::Loop& loop) {
  std::unique_ptr<LaneValues>& result = before_[&loop];
  if (result) return *result;
  Iterations iterations;
  for (const auto& [each, number] : iterations_)
    if (!loop.contains(each) || each == &loop) iterations[each] = each == &loop ? number - 1 : number;
  return *(result = std::make_unique<LaneValues>(world_, std::move(iterations)));
}

std::optional<LaneIntegers> LaneValues::id(unsigned dimension) const {
  LaneIntegers result;
  result.byId = true;
  std::uint64_t below = 1;
  for (unsigned d = 0; d < dimension; ++d) below *= world_.local[d];
  for (std::uint64_t lane = 0; lane < result.of.size(); ++lane) {
    const std::uint64_t at = lane / below;
    result.of[lane] = dimension < 2 ? at % world_.local[dimension] : at;
  }
  return result;
}

std::optional<LaneIntegers> LaneValues::computeCall(const llvm::CallInst& call) {
  if (const auto primitive = primitiveOf(call)) {
    const auto dimension = dimensionOf(call);
    LaneIntegers result;
    switch (*primitive) {
      case Primitive::LocalId: return dimension ? id(*dimension) : std::nullopt;
      case Primitive::GlobalId: {
        if (!dimension) return std::nullopt;
        result = *id(*dimension);
        const std::uint64_t first = world_.suppose(call);
        for (std::uint64_t& each : result.of) each += first;
        result.supposed = true;
        return result;
      }
      case Primitive::LocalSize:
      case Primitive::EnqueuedLocalSize:
        if (!dimension) return std::nullopt;
        result = sameInAll(world_.local[*dimension]);
        result.bySize = !world_.isLocalKnown;
        return result;
      case Primitive::GroupId:
      case Primitive::GlobalSize:
      case Primitive::NumGroups:
      case Primitive::GlobalOffset:
      case Primitive::WorkDim: return suppose(call);
      default: return std::nullopt;
    }
  }
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (!intrinsic || intrinsic->arg_size() != 2) return std::nullopt;
  const LaneIntegers *a = of(*call.getArgOperand(0)), *b = of(*call.getArgOperand(1));
  if (!a || !b) return std::nullopt;
  LaneIntegers result;
  result.takeFrom(*a);
  result.takeFrom(*b);
  for (std::size_t lane = 0; lane < result.of.size(); ++lane) {
    const auto each = ofIntrinsic(intrinsic->getIntrinsicID(), a->of[lane], b->of[lane], bitsOf(call));
    if (!each) return std::nullopt;
    result.of[lane] = *each;
  }
  return result;
}

std::optional<LaneIntegers> LaneValues::computeInstruction(const llvm::Instruction& instruction) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction);
  const bool isChosen = llvm::isa<llvm::SelectInst>(instruction);
  if (!compare && !isChosen && !llvm::isa<llvm::BinaryOperator, llvm::FreezeInst>(instruction) &&
      !(cast && cast->isIntegerCast()))
    return std::nullopt;
  std::array<const LaneIntegers*, 3> operand{};
  LaneIntegers result;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    if (!(operand[i] = of(*instruction.getOperand(i)))) return std::nullopt;
    result.takeFrom(*operand[i]);
  }
  const unsigned bits = bitsOf(*instruction.getOperand(0));
  for (std::size_t lane = 0; lane < result.of.size(); ++lane) {
    const std::uint64_t first = operand[0]->of[lane];
    std::optional<std::uint64_t> each = first;
    if (compare)
      each = compares(compare->getPredicate(), first, operand[1]->of[lane], bits);
    else if (isChosen)
      each = operand[first ? 1 : 2]->of[lane];
    else if (llvm::isa<llvm::SExtInst>(instruction))
      each = static_cast<std::uint64_t>(asSigned(first, bits));
    else if (llvm::isa<llvm::BinaryOperator>(instruction))
      each = binary(instruction.getOpcode(), first, operand[1]->of[lane], bits);
    if (!each) return std::nullopt;
    result.of[lane] = *each;
  }
  return result;
}

const LaneIntegers* LaneValues::offsetOf(const llvm::Value& pointer) {
  if (const auto known = offsets_.find(&pointer); known != offsets_.end()) return known->second.get();
  auto result = std::make_unique<LaneIntegers>();
  const llvm::Value* at = &pointer;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at)) {
    const auto operation = affineOperationOf(*step, world_.layout);
    if (!operation) return (offsets_[&pointer] = nullptr).get();
    for (std::uint64_t& each : result->of) each += static_cast<std::uint64_t>(operation->constant);
    for (const auto& [index, bytes] : llvm::drop_begin(operation->terms)) {
      const LaneIntegers* value = of(*index);
      if (!value) return (offsets_[&pointer] = nullptr).get();
      result->takeFrom(*value);
      for (std::size_t lane = 0; lane < result->of.size(); ++lane)
        result->of[lane] +=
            static_cast<std::uint64_t>(bytes) * static_cast<std::uint64_t>(asSigned(value->of[lane], bitsOf(*index)));
    }
    at = operation->terms.front().operand;
  }
  return (offsets_[&pointer] = std::move(result)).get();
}

/// Only what is certain, or differs between work-items, keeps all of them from a block: what none of the first does,
/// others may do.
void LaneValues::passBranch(Reach& reach, const llvm::Value& condition, bool taken) {
  const LaneIntegers* value = of(condition);
  if (!value) reach.certain = false;
  if (!value || value->supposed) return;
  std::array<bool, 64> may = reach.may;
  for (std::size_t lane = 0; lane < may.size(); ++lane) may[lane] &= (value->of[lane] != 0) == taken;
  if (llvm::is_contained(may, true) || (!value->byId && !value->bySize)) reach.may = may;
}

/// An iteration comes after the one before.
void LaneValues::passIterations(Reach& reach, const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    const LaneIntegers* value = branch && branch->isConditional() ? of(*branch->getCondition()) : nullptr;
    reach.bounded &= value && !value->supposed && !value->bySize;
  }
  const auto iteration = iterations_.find(&loop);
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (iteration == iterations_.end() || iteration->second == 0 || !latch) return;
  LaneValues& previous = before(loop);
  Reach last = previous.reach(*latch);
  const auto* back = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  if (back && back->isConditional())
    previous.passBranch(last, *back->getCondition(), back->getSuccessor(0) == loop.getHeader());
  std::array<bool, 64> may = reach.may;
  for (std::size_t lane = 0; lane < may.size(); ++lane) may[lane] &= last.may[lane];
  if (llvm::is_contained(may, true) || !llvm::is_contained(last.may, true)) reach.may = may;
}

const LaneValues::Reach& LaneValues::reach(const llvm::BasicBlock& block) {
  std::unique_ptr<Reach>& known = reach_[&block];
  if (known) return *known;
  Reach result;
  result.may.fill(true);
  const auto* own = world_.dominators.getNode(&block);
  for (const auto* node = own ? own->getIDom() : nullptr; node; node = node->getIDom()) {
    const llvm::BasicBlock* above = node->getBlock();
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (unsigned way = 0; way < 2; ++way)
      if (world_.dominators.dominates(llvm::BasicBlockEdge(above, branch->getSuccessor(way)), &block))
        passBranch(result, *branch->getCondition(), way == 0);
  }
  for (const llvm::Loop* loop = world_.loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
    passIterations(result, *loop);
  return *(reach_[&block] = std::make_unique<Reach>(result));
}

}  // namespace clarity::compiler
