// SPDX-License-Identifier: Apache-2.0
// This file finds out how the work of a work-item follows from the arguments and sizes of a launch: instructions times
// the trip counts of the loops around them, as LLVM's scalar evolution knows these.
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/processor_functions.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace clarity::compiler {
namespace {

using Steps = std::vector<WorkStep>;
using Kind = WorkStep::Kind;

WorkStep constant(std::int64_t value) { return {.kind = Kind::Constant, .value = static_cast<std::uint64_t>(value)}; }

void append(Steps& to, const Steps& steps) { to.insert(to.end(), steps.begin(), steps.end()); }

std::uint64_t weightOf(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction)) return 0;
  std::uint64_t weight = 1;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return 0;
    const llvm::Function* callee = call->getCalledFunction();
    if (!intrinsic && !primitiveOf(instruction) && !processorOperationOf(*call))
      weight = callee && !callee->isDeclaration() ? callee->getInstructionCount() : cost::work::call;
  } else if (instruction.isIntDivRem()) {
    weight = cost::work::division;
  }
  llvm::Type* type = instruction.getType();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) type = store->getValueOperand()->getType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? weight * vector->getNumElements() : weight;
}

/// A number that a launch tells, in steps.
class NumberWriter {
public:
  NumberWriter(llvm::ScalarEvolution& evolution, const llvm::DenseMap<const llvm::Loop*, Steps>& tripCounts)
      : evolution_(evolution), tripCounts_(tripCounts) {}

  bool write(const llvm::SCEV* number) {
    if (steps.size() > WorkEstimate::mostSteps) return false;
    if (const auto* known = llvm::dyn_cast<llvm::SCEVConstant>(number)) {
      const llvm::APInt& value = known->getAPInt();
      if (value.getSignificantBits() > 64) return false;
      steps.push_back(constant(value.getSExtValue()));
      return true;
    }
    if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(number)) return writeCast(*cast);
    if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(number)) return writeValue(*unknown->getValue());
    if (const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(number)) {
      if (!write(quotient->getLHS()) || !write(quotient->getRHS())) return false;
      steps.push_back({.kind = Kind::Divide});
      return true;
    }
    if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(number)) return writeCounter(*counter);
    const auto* several = llvm::dyn_cast<llvm::SCEVNAryExpr>(number);
    const std::optional<Kind> kind = kindOf(*number);
    if (!several || !kind) return false;
    for (unsigned i = 0; i < several->getNumOperands(); ++i) {
      if (!write(several->getOperand(i))) return false;
      if (i > 0) steps.push_back({.kind = *kind});
    }
    return true;
  }

  Steps steps;

private:
  static std::optional<Kind> kindOf(const llvm::SCEV& number) {
    switch (number.getSCEVType()) {
      case llvm::scAddExpr: return Kind::Add;
      case llvm::scMulExpr: return Kind::Multiply;
      case llvm::scUMaxExpr:
      case llvm::scSMaxExpr: return Kind::Greatest;
      case llvm::scUMinExpr:
      case llvm::scSMinExpr:
      case llvm::scSequentialUMinExpr: return Kind::Least;
      default: return std::nullopt;
    }
  }

  /// Numbers are taken to fit where they are cast to, but for the lower bits of one: scalar evolution's form of a mask.
  bool writeCast(const llvm::SCEVCastExpr& cast) {
    if (!write(cast.getOperand())) return false;
    const auto* type = llvm::dyn_cast<llvm::IntegerType>(cast.getType());
    if (!llvm::isa<llvm::SCEVTruncateExpr>(cast) || !type || type->getBitWidth() >= 32) return true;
    steps.push_back(constant((std::int64_t{1} << type->getBitWidth()) - 1));
    steps.push_back({.kind = Kind::Least});
    return true;
  }

  bool writeValue(const llvm::Value& value) {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) {
      if (!argument->getType()->isIntegerTy()) return false;
      steps.push_back({.kind = Kind::Argument, .which = argument->getArgNo()});
      return true;
    }
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
    if (const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value); operation && !call)
      return writeOperation(*operation);
    const std::optional<Primitive> primitive = call ? primitiveOf(*call) : std::nullopt;
    const std::optional<unsigned> dimension = primitive && isQuery(*primitive) ? dimensionOf(*call) : std::nullopt;
    if (!dimension) return false;
    const auto push = [&](Kind kind) { steps.push_back({.kind = kind, .which = *dimension}); };
    switch (*primitive) {
      case Primitive::GlobalOffset: push(Kind::Offset); return true;
      case Primitive::GlobalSize: push(Kind::GlobalSize); return true;
      case Primitive::LocalSize:
      case Primitive::EnqueuedLocalSize: push(Kind::LocalSize); return true;
      case Primitive::GlobalId: push(Kind::GlobalId); return true;
      case Primitive::LocalId: push(Kind::LocalId); return true;
      case Primitive::GroupId: push(Kind::GroupId); return true;
      case Primitive::NumGroups:
        push(Kind::GlobalSize);
        push(Kind::LocalSize);
        steps.push_back({.kind = Kind::Divide});
        return true;
      default: return false;
    }
  }

  /// Writes operations that scalar evolution has no expression for: quotients of signed numbers, and of values that a
  /// condition chooses from or that bits are taken from, the most they can be.
  bool writeOperation(const llvm::Instruction& operation) {
    const auto writeOf = [&](unsigned operand) { return write(evolution_.getSCEV(operation.getOperand(operand))); };
    switch (operation.getOpcode()) {
      case llvm::Instruction::SDiv:
        if (!writeOf(0) || !writeOf(1)) return false;
        steps.push_back({.kind = Kind::Divide});
        return true;
      case llvm::Instruction::AShr: {
        const auto* places = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
        if (!places || places->getValue().uge(63) || !writeOf(0)) return false;
        steps.push_back(constant(std::int64_t{1} << places->getZExtValue()));
        steps.push_back({.kind = Kind::Divide});
        return true;
      }
      case llvm::Instruction::SRem:
      case llvm::Instruction::URem: return writeOf(1);
      case llvm::Instruction::And: {
        const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
        return mask && writeOf(mask->isNegative() ? 0 : 1);
      }
      case llvm::Instruction::Freeze: return writeOf(0);
      case llvm::Instruction::Select:
        if (!writeOf(1) || !writeOf(2)) return false;
        steps.push_back({.kind = Kind::Greatest});
        return true;
      default: return false;
    }
  }

  /// A counter of a loop further out, in its middle iteration.
  bool writeCounter(const llvm::SCEVAddRecExpr& counter) {
    const auto trips = tripCounts_.find(counter.getLoop());
    if (trips == tripCounts_.end() || !counter.isAffine()) return false;
    if (!write(counter.getOperand(0)) || !write(counter.getOperand(1))) return false;
    append(steps, trips->second);
    steps.insert(steps.end(), {constant(2), {.kind = Kind::Divide}, {.kind = Kind::Multiply}, {.kind = Kind::Add}});
    return true;
  }

  llvm::ScalarEvolution& evolution_;
  const llvm::DenseMap<const llvm::Loop*, Steps>& tripCounts_;
};

/// The work of one function.
class Estimator {
public:
  explicit Estimator(llvm::Function& function)
      : function_(function), dominators_(function), loops_(dominators_), assumptions_(function) {}

  WorkEstimate estimate() {
    if (!loops_.empty()) {
      names_.emplace(function_.getParent()->getTargetTriple());
      library_.emplace(*names_);
      evolution_.emplace(function_, *library_, assumptions_, dominators_, loops_);
    }
    WorkEstimate result{.steps = workOf(nullptr), .isBounded = isBounded_};
    if (result.steps.size() > WorkEstimate::mostSteps) return {};
    return result;
  }

private:
  /// The work of one iteration of a loop, or of a run of the function, with all loops in it.
  Steps workOf(const llvm::Loop* loop) {
    std::uint64_t own = 0;
    for (const llvm::BasicBlock& block : function_)
      if (loops_.getLoopFor(&block) == loop)
        for (const llvm::Instruction& instruction : block) own += weightOf(instruction);
    Steps steps{constant(static_cast<std::int64_t>(own))};
    const llvm::ArrayRef<llvm::Loop*> all = loop ? loop->getSubLoops() : loops_.getTopLevelLoops();
    for (const llvm::Loop* inner : all) {
      if (steps.size() > WorkEstimate::mostSteps) break;
      const Steps trips = tripCountOf(*inner);
      append(steps, trips);
      tripCounts_[inner] = trips;
      append(steps, workOf(inner));
      steps.insert(steps.end(), {{.kind = Kind::Multiply}, {.kind = Kind::Add}});
    }
    return steps;
  }

  /// The most iterations that are known of, at least none.
  Steps tripCountOf(const llvm::Loop& loop) {
    NumberWriter number(*evolution_, tripCounts_);
    if (writeCount(loop, number) || writeDistance(loop, number)) {
      // One more than times round; a header that decides before the first iteration makes little difference.
      number.steps.insert(number.steps.end(),
                          {constant(1), {.kind = Kind::Add}, constant(0), {.kind = Kind::Greatest}});
      return number.steps;
    }
    if (const auto* known = llvm::dyn_cast<llvm::SCEVConstant>(evolution_->getConstantMaxBackedgeTakenCount(&loop));
        known && known->getAPInt().ult(cost::work::mostKnownIterations))
      return {constant(static_cast<std::int64_t>(known->getAPInt().getZExtValue()) + 1)};
    isBounded_ = false;
    return {constant(static_cast<std::int64_t>(cost::tile::iterations))};
  }

  /// How often the loop goes round before one of its exits is taken, the first of which that is known.
  bool writeCount(const llvm::Loop& loop, NumberWriter& number) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting) {
      const llvm::SCEV* count = evolution_->getExitCount(&loop, block);
      number.steps.clear();
      if (!llvm::isa<llvm::SCEVCouldNotCompute>(count) && number.write(count)) return true;
    }
    return false;
  }

  /// How many steps a counter takes to what it is compared with, where that is computed in the loop again and again
  /// from what does not change in it: scalar evolution does not see that it is the same.
  bool writeDistance(const llvm::Loop& loop, NumberWriter& number) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional()) continue;
      const bool goesOnIfTrue = loop.contains(branch->getSuccessor(0));
      llvm::SmallVector<llvm::Value*, 8> conditions{branch->getCondition()};
      for (std::size_t i = 0; i < conditions.size() && i < cost::search::exitConditions; ++i) {
        // Either of them may end the loop.
        using namespace llvm::PatternMatch;
        llvm::Value *one = nullptr, *other = nullptr;
        if (goesOnIfTrue ? match(conditions[i], m_LogicalAnd(m_Value(one), m_Value(other)))
                         : match(conditions[i], m_LogicalOr(m_Value(one), m_Value(other))))
          conditions.append({one, other});
        else if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(conditions[i]);
                 compare && writeDistance(loop, *compare, number))
          return true;
      }
    }
    return false;
  }

  bool writeDistance(const llvm::Loop& loop, const llvm::ICmpInst& compare, NumberWriter& number) {
    if (!compare.getOperand(0)->getType()->isIntegerTy()) return false;
    for (const unsigned side : {0u, 1u}) {
      const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_->getSCEV(compare.getOperand(side)));
      if (!counter || counter->getLoop() != &loop || !counter->isAffine()) continue;
      const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getOperand(1));
      if (!step || step->getAPInt().getSignificantBits() > 32 || step->isZero()) continue;
      number.steps.clear();
      if (!number.write(evolution_->getSCEV(compare.getOperand(1 - side)))) continue;
      if (!number.write(counter->getOperand(0))) continue;
      const WorkStep by = constant(step->getAPInt().getSExtValue());
      number.steps.insert(number.steps.end(),
                          {constant(-1), {.kind = Kind::Multiply}, {.kind = Kind::Add}, by, {.kind = Kind::Divide}});
      return true;
    }
    return false;
  }

  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  std::optional<llvm::TargetLibraryInfoImpl> names_;
  std::optional<llvm::TargetLibraryInfo> library_;
  std::optional<llvm::ScalarEvolution> evolution_;
  llvm::DenseMap<const llvm::Loop*, Steps> tripCounts_;
  bool isBounded_ = true;
};

bool callsFunctions(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration()) return true;
    }
  return false;
}

}  // namespace

llvm::Error estimateWork(PipelineState& state, llvm::Module& module) {
  for (KernelInfo* kernel : state.kernels) {
    llvm::Function& function = *module.getFunction(kernel->name);
    if (function.getInstructionCount() > cost::work::mostInstructions) continue;
    kernel->work = Estimator(function).estimate();
    // The work of functions beside the kernel is weighed without their loops.
    if (callsFunctions(function)) kernel->work.isBounded = false;
    if (!wrongWith(kernel->work, kernel->args).empty()) kernel->work = {};
  }
  return llvm::Error::success();
}

}  // namespace clarity::compiler
