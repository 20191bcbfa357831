// SPDX-License-Identifier: Apache-2.0
// This file looks at the comparisons on the way to a block.
#include "compiler/nvptx/one_work_item.h"

#include "compiler/analysis/guard_facts.h"
#include "compiler/analysis/variance.h"
#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace clarity::compiler::nvptx {
namespace {

/// Whether a value is another one in each thread of a block, as far as is known of it: computed from ids alone.
bool isOwnOfThread(const llvm::Value& value, unsigned depth = 0) {
  if (depth == cost::search::growthDepth) return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value))
    return call->getIntrinsicID() == llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return false;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(instruction))
    return isOwnOfThread(*instruction->getOperand(0), depth + 1);
  switch (instruction->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      for (const unsigned own : {0U, 1U})
        if (isOwnOfThread(*instruction->getOperand(own), depth + 1) &&
            !differsInWarp(*instruction->getOperand(1 - own)))
          return true;
      return false;
    default: return false;
  }
}

/// Whether a comparison that holds, or not, on the way to a block says that two values are the same there.
bool saysEqual(const llvm::ICmpInst& comparison, bool holds) {
  return comparison.getPredicate() == (holds ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE);
}

}  // namespace

bool differsInWarp(const llvm::Value& value) {
  llvm::SmallVector<const llvm::Value*, 16> work{&value};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  while (!work.empty()) {
    checkLimits();
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction)) {
      const auto id = call->getIntrinsicID();
      if (id == llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x) return true;
      if (id == llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y || id == llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z) {
        unsigned threads = 0;
        const llvm::StringRef block = call->getFunction()->getFnAttribute("nvvm.reqntid").getValueAsString();
        if (block.split(',').first.getAsInteger(10, threads) || threads % 32 != 0) return true;
        continue;
      }
    }
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
    if (llvm::isa<llvm::PHINode, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) ||
        (load && load->isVolatile()))
      return true;
    for (const llvm::Value* operand : instruction->operand_values()) work.push_back(operand);
  }
  return false;
}

bool isForOneWorkItem(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators,
                      const VarianceInfo& variance) {
  bool isForOne = false;
  GuardFacts(dominators).forGuards(block, [&](const llvm::ICmpInst& comparison, bool holds) {
    if (!saysEqual(comparison, holds)) return;
    const ValueVariance left = variance.of(*comparison.getOperand(0)), right = variance.of(*comparison.getOperand(1));
    if (left.dims.empty() == right.dims.empty()) return;
    const ValueVariance& differs = left.dims.empty() ? right : left;
    for (unsigned d = 0; d < 3; ++d) isForOne |= differs.dims.has(d) && differs.stride[d].value_or(0) != 0;
  });
  return isForOne;
}

bool isForOneThread(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators) {
  if (block.getParent()->getFnAttribute("nvvm.reqntid").getValueAsString() == "1,1,1") return true;
  bool isForOne = false;
  GuardFacts(dominators).forGuards(block, [&](const llvm::ICmpInst& comparison, bool holds) {
    if (!saysEqual(comparison, holds)) return;
    for (const unsigned own : {0U, 1U})
      isForOne |= isOwnOfThread(*comparison.getOperand(own)) && !differsInWarp(*comparison.getOperand(1 - own));
  });
  return isForOne;
}

}  // namespace clarity::compiler::nvptx
