// SPDX-License-Identifier: Apache-2.0
// This file turns index arithmetic into values of a summary: instructions as they are, counters of loops by LLVM's
// scalar evolution.
#include "compiler/analysis/index_values.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <optional>
#include <utility>

namespace clarity::compiler {
namespace {

using ValueKind = AccessValue::Kind;

/// An integer has no more bits here.
constexpr unsigned mostIndexBits = 64;

std::optional<ValueKind> kindOf(Primitive primitive) {
  switch (primitive) {
    case Primitive::GlobalId: return ValueKind::GlobalId;
    case Primitive::LocalId: return ValueKind::LocalId;
    case Primitive::GroupId: return ValueKind::GroupId;
    case Primitive::GlobalSize: return ValueKind::GlobalSize;
    case Primitive::LocalSize: return ValueKind::LocalSize;
    case Primitive::EnqueuedLocalSize: return ValueKind::EnqueuedSize;
    case Primitive::NumGroups: return ValueKind::NumGroups;
    case Primitive::GlobalOffset: return ValueKind::GlobalOffset;
    default: return std::nullopt;
  }
}

std::optional<ValueKind> kindOf(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add: return ValueKind::Add;
    case llvm::Instruction::Sub: return ValueKind::Subtract;
    case llvm::Instruction::Mul: return ValueKind::Multiply;
    case llvm::Instruction::UDiv: return ValueKind::Divide;
    case llvm::Instruction::SDiv: return ValueKind::SignedDivide;
    case llvm::Instruction::URem: return ValueKind::Remainder;
    case llvm::Instruction::SRem: return ValueKind::SignedRemainder;
    case llvm::Instruction::And: return ValueKind::And;
    case llvm::Instruction::Or: return ValueKind::Or;
    case llvm::Instruction::Xor: return ValueKind::Xor;
    case llvm::Instruction::LShr: return ValueKind::ShiftRight;
    case llvm::Instruction::AShr: return ValueKind::SignedShiftRight;
    default: return std::nullopt;
  }
}

std::optional<ValueKind> kindOfIntrinsic(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::umin: return ValueKind::Least;
    case llvm::Intrinsic::umax: return ValueKind::Greatest;
    case llvm::Intrinsic::smin: return ValueKind::SignedLeast;
    case llvm::Intrinsic::smax: return ValueKind::SignedGreatest;
    default: return std::nullopt;
  }
}

}  // namespace

std::uint32_t IndexValues::add(AccessValue value) {
  summary_.values.push_back(value);
  return static_cast<std::uint32_t>(summary_.values.size() - 1);
}

std::uint32_t IndexValues::constant(std::int64_t number, unsigned bits) {
  return add({.kind = ValueKind::Constant, .bits = static_cast<std::uint8_t>(bits), .number = number});
}

std::uint32_t IndexValues::unknown(unsigned bits) {
  return add({.kind = ValueKind::Unknown, .bits = static_cast<std::uint8_t>(bits)});
}

std::uint32_t IndexValues::sum(std::uint32_t a, std::uint32_t b, unsigned bits) {
  return add({.kind = ValueKind::Add, .bits = static_cast<std::uint8_t>(bits), .a = a, .b = b});
}

std::uint32_t IndexValues::product(std::uint32_t a, std::uint32_t b, unsigned bits) {
  return add({.kind = ValueKind::Multiply, .bits = static_cast<std::uint8_t>(bits), .a = a, .b = b});
}

std::uint32_t IndexValues::of(llvm::Value& value) {
  if (const auto found = known_.find(&value); found != known_.end()) return found->second;
  const unsigned bits = value.getType()->isIntegerTy() ? value.getType()->getIntegerBitWidth() : 0;
  if (bits == 0 || bits > mostIndexBits) return unknown(mostIndexBits);
  if (depth_ >= cost::search::indexDepth || summary_.values.size() >= cost::search::indexValues) return unknown(bits);
  known_[&value] = unknown(bits);  // for a value that is made from itself
  ++depth_;
  const std::uint32_t made = compute(value, bits);
  --depth_;
  return known_[&value] = made;
}

std::uint32_t IndexValues::compute(llvm::Value& value, unsigned bits) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) return constant(number->getSExtValue(), bits);
  if (llvm::isa<llvm::Argument>(value)) return ofArgument(value, 0, bits);
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction ? ofInstruction(*instruction, bits) : unknown(bits);
}

std::uint32_t IndexValues::ofInstruction(llvm::Instruction& instruction, unsigned bits) {
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return ofOperation(*operation, bits);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return ofCast(*cast, bits);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return ofCall(*call, bits);
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return ofPhi(*phi, bits);
  if (llvm::isa<llvm::LoadInst>(instruction)) return ofLoad(instruction, bits);
  if (llvm::isa<llvm::FreezeInst>(instruction)) return of(*instruction.getOperand(0));
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const std::uint32_t first = of(*select->getTrueValue()), second = of(*select->getFalseValue());
    return add({.kind = ValueKind::Either, .bits = static_cast<std::uint8_t>(bits), .a = first, .b = second});
  }
  if (auto* element = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand());
    if (index && llvm::isa<llvm::Argument>(element->getVectorOperand()))
      return ofArgument(*element->getVectorOperand(), index->getZExtValue() * (bits / 8), bits);
  }
  return unknown(bits);
}

std::uint32_t IndexValues::ofArgument(const llvm::Value& argument, std::uint64_t at, unsigned bits) {
  const unsigned index = llvm::cast<llvm::Argument>(argument).getArgNo();
  if (index >= kernel_.args.size() || bits % 8 != 0) return unknown(bits);
  const KernelArg& arg = kernel_.args[index];
  if (arg.kind != ArgKind::Value || at + bits / 8 > arg.size) return unknown(bits);
  return add({.kind = ValueKind::Argument,
              .bits = static_cast<std::uint8_t>(bits),
              .number = static_cast<std::int64_t>(arg.offset + at)});
}

/// A structure among the arguments is a pointer to the argument block, which nothing writes.
std::uint32_t IndexValues::ofLoad(llvm::Instruction& load, unsigned bits) {
  const llvm::Value* const pointer = llvm::cast<llvm::LoadInst>(load).getPointerOperand();
  llvm::APInt at(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
  const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer->stripAndAccumulateConstantOffsets(layout_, at, true));
  const bool isInBlock =
      argument &&
      (argument->hasByValAttr() || (argument->getType()->getPointerAddressSpace() == 0 && argument->onlyReadsMemory()));
  return isInBlock && !at.isNegative() ? ofArgument(*argument, at.getZExtValue(), bits) : unknown(bits);
}

std::uint32_t IndexValues::ofOperation(llvm::BinaryOperator& operation, unsigned bits) {
  using llvm::Instruction;
  llvm::Value &left = *operation.getOperand(0), &right = *operation.getOperand(1);
  AccessValue value{.bits = static_cast<std::uint8_t>(bits)};
  if (const auto* overflowing = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&operation)) {
    value.neverWraps = overflowing->hasNoUnsignedWrap();
    value.neverWrapsSigned = overflowing->hasNoSignedWrap();
  }
  value.a = of(left);
  if (operation.getOpcode() == Instruction::Shl) {
    const auto* by = llvm::dyn_cast<llvm::ConstantInt>(&right);
    if (!by || by->getValue().uge(bits)) return unknown(bits);
    value.kind = ValueKind::Multiply;
    value.neverWrapsSigned &= by->getValue().ult(bits - 1);  // else the factor is negative
    value.b = constant(static_cast<std::int64_t>(std::uint64_t{1} << by->getZExtValue()), bits);
    return add(value);
  }
  value.b = of(right);
  const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&operation);
  const auto kind = disjoint && disjoint->isDisjoint() ? ValueKind::Add : kindOf(operation.getOpcode());
  if (!kind) return unknown(bits);
  value.kind = *kind;
  return add(value);
}

std::uint32_t IndexValues::ofCast(llvm::CastInst& cast, unsigned bits) {
  if (!cast.getSrcTy()->isIntegerTy() || cast.getSrcTy()->getIntegerBitWidth() > mostIndexBits) return unknown(bits);
  AccessValue value{.bits = static_cast<std::uint8_t>(bits), .a = of(*cast.getOperand(0))};
  switch (cast.getOpcode()) {
    case llvm::Instruction::ZExt:
      // The same for a number that is not negative, and mostly signed arithmetic says so.
      value.kind = cast.hasNonNeg() ? ValueKind::SignExtend : ValueKind::ZeroExtend;
      break;
    case llvm::Instruction::SExt: value.kind = ValueKind::SignExtend; break;
    case llvm::Instruction::Trunc: value.kind = ValueKind::Truncate; break;
    default: return unknown(bits);
  }
  return add(value);
}

std::uint32_t IndexValues::ofCall(llvm::CallInst& call, unsigned bits) {
  if (const auto primitive = primitiveOf(call)) {
    if (*primitive == Primitive::WorkDim)
      return add({.kind = ValueKind::WorkDim, .bits = static_cast<std::uint8_t>(bits)});
    const auto kind = kindOf(*primitive);
    const auto dimension = kind ? dimensionOf(call) : std::nullopt;
    if (!dimension) return unknown(bits);
    return add({.kind = *kind, .bits = static_cast<std::uint8_t>(bits), .number = *dimension});
  }
  const auto kind = kindOfIntrinsic(call.getIntrinsicID());
  if (!kind) return unknown(bits);
  const std::uint32_t first = of(*call.getArgOperand(0)), second = of(*call.getArgOperand(1));
  return add({.kind = *kind, .bits = static_cast<std::uint8_t>(bits), .a = first, .b = second});
}

std::uint32_t IndexValues::ofPhi(llvm::PHINode& phi, unsigned bits) {
  const llvm::Loop* const loop = loops_.getLoopFor(phi.getParent());
  if (loop && loop->getHeader() == phi.getParent()) {
    const llvm::SCEV* const expression = evolution_.getSCEV(&phi);
    const auto* same = llvm::dyn_cast<llvm::SCEVUnknown>(expression);
    return same && same->getValue() == &phi ? unknown(bits) : of(*expression);
  }
  std::uint32_t all = of(*phi.getIncomingValue(0));
  for (unsigned i = 1; i < phi.getNumIncomingValues(); ++i) {
    const std::uint32_t other = of(*phi.getIncomingValue(i));
    if (other != all)
      all = add({.kind = ValueKind::Either, .bits = static_cast<std::uint8_t>(bits), .a = all, .b = other});
  }
  return all;
}

// --- scalar evolution ------------------------------------------------------------------------------------------------

std::uint32_t IndexValues::iterationOf(const llvm::Loop& loop) {
  if (const auto found = iterations_.find(&loop); found != iterations_.end()) return found->second;
  AccessValue value{.kind = ValueKind::Iteration};
  const llvm::SCEV* const most = evolution_.getBackedgeTakenCount(&loop, llvm::ScalarEvolution::SymbolicMaximum);
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(most)) value.a = of(*most);
  const std::uint32_t made = add(value);
  iterations_[&loop] = made;
  return made;
}

std::uint32_t IndexValues::ofRecurrence(const llvm::SCEVAddRecExpr& recurrence, unsigned bits) {
  if (!recurrence.isAffine()) return unknown(bits);
  const std::uint32_t start = of(*recurrence.getStart()), step = of(*recurrence.getStepRecurrence(evolution_));
  return add({.kind = ValueKind::Recurrence,
              .bits = static_cast<std::uint8_t>(bits),
              .neverWraps = recurrence.hasNoUnsignedWrap(),
              .neverWrapsSigned = recurrence.hasNoSignedWrap(),
              .a = start,
              .b = step,
              .number = iterationOf(*recurrence.getLoop())});
}

std::uint32_t IndexValues::ofSeveral(const llvm::SCEVNAryExpr& expression, AccessValue::Kind kind, unsigned bits) {
  std::uint32_t all = of(*expression.getOperand(0));
  for (unsigned i = 1; i < expression.getNumOperands(); ++i) {
    const std::uint32_t other = of(*expression.getOperand(i));
    all = add({.kind = kind, .bits = static_cast<std::uint8_t>(bits), .a = all, .b = other});
  }
  return all;
}

std::uint32_t IndexValues::of(const llvm::SCEV& expression) {
  if (const auto found = knownExpressions_.find(&expression); found != knownExpressions_.end()) return found->second;
  const std::uint64_t width = evolution_.getTypeSizeInBits(expression.getType());
  if (width == 0 || width > mostIndexBits || depth_ >= cost::search::indexDepth ||
      summary_.values.size() >= cost::search::indexValues)
    return unknown(mostIndexBits);
  const auto bits = static_cast<unsigned>(width);
  const auto cast = [&](ValueKind kind) {
    const std::uint32_t from = of(*llvm::cast<llvm::SCEVCastExpr>(expression).getOperand());
    return add({.kind = kind, .bits = static_cast<std::uint8_t>(bits), .a = from});
  };
  const auto several = [&](ValueKind kind) {
    return ofSeveral(llvm::cast<llvm::SCEVNAryExpr>(expression), kind, bits);
  };
  const auto compute = [&]() -> std::uint32_t {
    switch (expression.getSCEVType()) {
      case llvm::scConstant:
        return constant(llvm::cast<llvm::SCEVConstant>(expression).getAPInt().getSExtValue(), bits);
      case llvm::scUnknown: return of(*llvm::cast<llvm::SCEVUnknown>(expression).getValue());
      case llvm::scTruncate: return cast(ValueKind::Truncate);
      case llvm::scZeroExtend: return cast(ValueKind::ZeroExtend);
      case llvm::scSignExtend: return cast(ValueKind::SignExtend);
      case llvm::scAddExpr: return several(ValueKind::Add);
      case llvm::scMulExpr: return several(ValueKind::Multiply);
      case llvm::scUMaxExpr: return several(ValueKind::Greatest);
      case llvm::scSMaxExpr: return several(ValueKind::SignedGreatest);
      case llvm::scUMinExpr:
      case llvm::scSequentialUMinExpr: return several(ValueKind::Least);
      case llvm::scSMinExpr: return several(ValueKind::SignedLeast);
      case llvm::scAddRecExpr: return ofRecurrence(llvm::cast<llvm::SCEVAddRecExpr>(expression), bits);
      case llvm::scUDivExpr: {
        const auto& division = llvm::cast<llvm::SCEVUDivExpr>(expression);
        const std::uint32_t a = of(*division.getLHS()), b = of(*division.getRHS());
        return add({.kind = ValueKind::Divide, .bits = static_cast<std::uint8_t>(bits), .a = a, .b = b});
      }
      default: return unknown(bits);
    }
  };
  ++depth_;
  const std::uint32_t made = compute();
  --depth_;
  return knownExpressions_[&expression] = made;
}

}  // namespace clarity::compiler
