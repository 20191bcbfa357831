// SPDX-License-Identifier: Apache-2.0
// This file follows values back to ids and to the counters of loops.
#include "compiler/analysis/lines.h"

#include "compiler/analysis/item_nest.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace clarity::compiler {
namespace {

/// Farther apart nothing is that programs index by neighbours.
constexpr std::int64_t mostSlope = std::int64_t{1} << 20;
constexpr unsigned mostTurns = 3;

/// A constant that a line may be multiplied by; 0 for everything else.
std::int64_t factorOf(const llvm::Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant && constant->getValue().abs().ule(mostSlope) ? constant->getSExtValue() : 0;
}

std::optional<Line> scaled(std::optional<Line> line, std::int64_t by) {
  if (!line || (line->flat() && line->extended.empty())) return line;
  if (by == 0) return std::nullopt;
  line->slope *= by;
  if (line->slope > mostSlope || line->slope < -mostSlope) return std::nullopt;
  for (Line::Turns& turns : line->turns) {
    turns.coefficient *= by;
    if (turns.coefficient > mostSlope || turns.coefficient < -mostSlope) return std::nullopt;
  }
  return line;
}

}  // namespace

bool Lines::inside(const llvm::Value& value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction && blocks_.contains(instruction->getParent());
}

std::optional<Line> Lines::of(llvm::Value& value) {
  if (!inside(value)) return Line{};
  if (const auto found = known_.find(&value); found != known_.end()) return found->second;
  known_[&value] = std::nullopt;  // what leads back to itself
  std::optional<Line> line = compute(value);
  known_[&value] = line;
  return line;
}

std::optional<Line> Lines::ofSum(llvm::Value& left, llvm::Value& right, std::int64_t sign) {
  std::optional<Line> sum = of(left);
  const std::optional<Line> more = scaled(of(right), sign);
  if (!sum || !more) return std::nullopt;
  sum->slope += more->slope;
  if (sum->slope > mostSlope || sum->slope < -mostSlope) return std::nullopt;
  for (const Line::Turns& turns : more->turns) {
    auto* known = llvm::find_if(sum->turns, [&](const Line::Turns& one) { return one.counter == turns.counter; });
    if (known == sum->turns.end()) sum->turns.push_back(turns);
    else known->coefficient += turns.coefficient;
  }
  for (const Line::Extension& extension : more->extended)
    if (!llvm::is_contained(sum->extended, extension)) sum->extended.push_back(extension);
  return sum->turns.size() <= mostTurns ? sum : std::nullopt;
}

/// A phi that grows by a constant in every turn of its loop.
std::optional<Line> Lines::ofCounter(llvm::PHINode& phi) {
  const llvm::Loop* loop = loops_.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopLatch() || phi.getNumIncomingValues() != 2) return std::nullopt;
  const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop->getLoopLatch()));
  if (!next || next->getOpcode() != llvm::Instruction::Add || next->getOperand(0) != &phi) return std::nullopt;
  const std::int64_t step = factorOf(*next->getOperand(1));
  if (step == 0) return std::nullopt;
  std::optional<Line> line = of(*phi.getIncomingValueForBlock(loop->getLoopPredecessor()));
  if (line) line->turns.push_back({&phi, step});
  return line;
}

std::optional<Line> Lines::compute(llvm::Value& value) {
  if (const auto found = replaced_.find(&value); found != replaced_.end()) return of(*found->second);
  if (&value == nest_.counter[along_]) return Line{1, {}, {}};
  if (llvm::is_contained(nest_.counter, &value)) return std::nullopt;
  auto& instruction = llvm::cast<llvm::Instruction>(value);
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return ofCounter(*phi);
  const auto operand = [&](unsigned i) -> llvm::Value& { return *instruction.getOperand(i); };
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add: return ofSum(operand(0), operand(1), 1);
    case llvm::Instruction::Sub: return ofSum(operand(0), operand(1), -1);
    case llvm::Instruction::Or:
      if (llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()) return ofSum(operand(0), operand(1), 1);
      break;
    case llvm::Instruction::Mul:
      if (const std::int64_t by = factorOf(operand(1))) return scaled(of(operand(0)), by);
      break;
    case llvm::Instruction::Shl:
      if (const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(&operand(1)); bits && bits->getValue().ult(20)) return scaled(of(operand(0)), std::int64_t{1} << bits->getZExtValue());
      break;
    case llvm::Instruction::Trunc:
      if (instruction.getType()->getIntegerBitWidth() >= 32) return of(operand(0));
      break;
    case llvm::Instruction::Freeze: return of(operand(0));
    case llvm::Instruction::Select:
      if (const auto* answer = llvm::dyn_cast_or_null<llvm::ConstantInt>(replaced_.lookup(&operand(0)))) return of(operand(answer->isZero() ? 2 : 1));
      break;
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt: {
      std::optional<Line> line = of(operand(0));
      if (line && !line->flat()) line->extended.push_back({&operand(0), instruction.getOpcode() == llvm::Instruction::SExt});
      return line;
    }
    default: break;
  }
  // Anything else has to be the same for all, and harmless ahead of the loops.
  if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) return std::nullopt;
  for (const llvm::Use& use : instruction.operands()) {
    const std::optional<Line> line = of(*use);
    if (!line || !line->flat()) return std::nullopt;
  }
  return Line{};
}

}  // namespace clarity::compiler
