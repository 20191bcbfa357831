// SPDX-License-Identifier: Apache-2.0
// This file adds up latencies along the operands of instructions.
#include "compiler/packets/chain.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

using llvm::Instruction;

double cyclesOfCall(const llvm::CallBase& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::floor: return cost::latency::floatOperation;
    case llvm::Intrinsic::sqrt: return cost::latency::squareRoot;
    default: return cost::latency::integerOperation;
  }
}

double cyclesOf(const Instruction& instruction, const WeightedRegion& region, unsigned along) {
  switch (instruction.getOpcode()) {
    case Instruction::PHI:
    case Instruction::BitCast:
    case Instruction::FNeg:
    case Instruction::GetElementPtr: return 0;
    case Instruction::FDiv: return cost::latency::division;
    case Instruction::Load:
      return region.variesIrregularly(*llvm::getLoadStorePointerOperand(&instruction), along) ? cost::latency::gather
                                                                                              : cost::latency::load;
    case Instruction::Call: return cyclesOfCall(llvm::cast<llvm::CallBase>(instruction));
    case Instruction::FCmp: return cost::latency::floatOperation;
    default:
      if (llvm::isa<llvm::CastInst>(instruction) || instruction.isBinaryOp())
        return instruction.getType()->isFPOrFPVectorTy() || instruction.getOperand(0)->getType()->isFPOrFPVectorTy()
                   ? cost::latency::floatOperation
                   : cost::latency::integerOperation;
      return cost::latency::integerOperation;
  }
}

/// Operations that a packet issues for an instruction: lane by lane those of an atomic.
double operationsOf(const Instruction& instruction, const WeightedRegion& region, unsigned along, unsigned lanes) {
  const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!atomic || !region.varies(*atomic->getPointerOperand(), along)) return 1;
  return lanes * (1 + cost::packet::laneAddress + (atomic->use_empty() ? 0 : cost::packet::laneResult));
}

/// A comparison of affine values, as at the exit of a grid-stride loop, compares scalars.
bool isScalar(const Instruction& instruction, const WeightedRegion& region, unsigned along) {
  return llvm::isa<llvm::ICmpInst>(instruction) && llvm::none_of(instruction.operands(), [&](const llvm::Use& operand) {
           const auto* value = llvm::dyn_cast<Instruction>(operand);
           return value && region.variesIrregularly(*value, along);
         });
}

}  // namespace

Chain longestChain(const WeightedRegion& region, unsigned along, unsigned depth, unsigned lanes) {
  Chain chain;
  llvm::LoopBlocksDFS order(region.items.loop);
  order.perform(&region.loops);
  llvm::DenseMap<const llvm::Value*, double> ends;
  for (const llvm::BasicBlock* block : llvm::make_range(order.beginRPO(), order.endRPO())) {
    if (region.depth(*block) != depth || !llvm::is_contained(region.blocks, block)) continue;
    for (const Instruction& instruction : *block) {
      if (!region.variesIrregularly(instruction, along) || instruction.isTerminator()) continue;
      if (isScalar(instruction, region, along)) continue;
      double start = 0;
      for (const llvm::Value* operand : instruction.operands()) start = std::max(start, ends.lookup(operand));
      const double cycles = cyclesOf(instruction, region, along);
      if (cycles > 0) chain.operations += operationsOf(instruction, region, along, lanes);
      ends[&instruction] = start + cycles;
      chain.cycles = std::max(chain.cycles, start + cycles);
    }
  }
  return chain;
}

}  // namespace clarity::compiler
