// SPDX-License-Identifier: Apache-2.0
// This file bounds indices by the sizes of the launch, and copies loops.
#include "compiler/transforms/loop_version.h"

#include "compiler/analysis/variance.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace clarity::compiler {
namespace {

/// The number of ids that a query may answer; nullptr: it asks for something else.
llvm::Value* idsOf(const llvm::Value& query, llvm::IRBuilderBase& builder) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&query);
  const auto primitive = call ? primitiveOf(*call) : std::nullopt;
  const auto dimension = primitive && isQuery(*primitive) ? dimensionOf(*call) : std::nullopt;
  if (!dimension) return nullptr;
  switch (*primitive) {
    case Primitive::GlobalId:
      return builder.CreateAdd(emitQuery(builder, Primitive::GlobalSize, *dimension),
                               emitQuery(builder, Primitive::GlobalOffset, *dimension));
    case Primitive::GroupId: return emitQuery(builder, Primitive::NumGroups, *dimension);
    default: return nullptr;
  }
}

/// The largest number that a factor is in a launch, in 64 bits.
struct MostOfFactor {
  llvm::Value* value = nullptr;  ///< nullptr: it is not known
  bool isId = false;
};
MostOfFactor mostOf(llvm::Value& factor, const VarianceInfo& variance, llvm::IRBuilderBase& builder) {
  llvm::Value* whole = &factor;
  if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(whole)) whole = cut->getOperand(0);
  if (llvm::Value* ids = idsOf(*whole, builder)) return {ids, true};
  const bool isShared = llvm::isa<llvm::Argument>(factor) || variance.uniform(factor);
  if (!isShared || factor.getType()->getIntegerBitWidth() > 64) return {};
  return {builder.CreateZExt(&factor, builder.getInt64Ty()), false};
}

bool isLoaded(const llvm::Value& value, const llvm::Loop& loop, unsigned depth) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !loop.contains(instruction) || depth > cost::search::affineDepth) return false;
  if (llvm::isa<llvm::LoadInst>(instruction)) return true;
  return !llvm::isa<llvm::PHINode>(instruction) &&
         llvm::any_of(instruction->operands(), [&](const llvm::Use& use) { return isLoaded(*use, loop, depth + 1); });
}

/// A copy of the loop, with a preheader, whose instructions use those of the copy. `map` gets them.
llvm::Loop* copyOf(llvm::Loop& loop, llvm::BasicBlock& ahead, llvm::BasicBlock& dominator, const char* suffix,
                   llvm::ValueToValueMapTy& map, llvm::LoopInfo& loops, llvm::DominatorTree& dominators) {
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
  llvm::Loop* const copy =
      llvm::cloneLoopWithPreheader(&ahead, &dominator, &loop, map, suffix, &loops, &dominators, blocks);
  llvm::remapInstructionsInBlocks(blocks, map);
  return copy;
}

}  // namespace

bool loadsByLoadedIndex(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](const llvm::Instruction& instruction) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      return load && isLoaded(*load->getPointerOperand(), loop, 0);
    });
  });
}

bool meetsOthers(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) return false;
      const auto primitive = primitiveOf(instruction);
      return primitive ? !isQuery(*primitive) : call->isConvergent();
    });
  });
}

llvm::Value* fitsInLaunch(const Polynomial& sum, unsigned bits, const VarianceInfo& variance,
                          llvm::IRBuilderBase& builder) {
  // Products of an id and a number of 32 bits have 62, and two of them, and what is much smaller, 64.
  constexpr std::int64_t few = 1 << 16;
  constexpr std::uint64_t all32 = std::numeric_limits<std::uint32_t>::max();
  if (sum.constant < 0 || sum.constant > static_cast<std::int64_t>(all32) || sum.terms.size() > 3) return nullptr;
  llvm::Value* fits = builder.getTrue();
  llvm::Value* most = builder.getInt64(static_cast<std::uint64_t>(sum.constant));
  unsigned products = 0;
  for (const Polynomial::Term& term : sum.terms) {
    if (term.coefficient < 0 || term.coefficient > few || term.factors.size() > 2) return nullptr;
    if (term.factors.size() == 2 && (++products > 2 || term.coefficient > 1)) return nullptr;
    llvm::Value* product = builder.getInt64(static_cast<std::uint64_t>(term.coefficient));
    unsigned unknown = 0;
    for (llvm::Value* factor : term.factors) {
      const auto [number, isId] = mostOf(*factor, variance, builder);
      if (!number || (!isId && ++unknown > 1)) return nullptr;
      if (!isId && factor->getType()->isIntegerTy(64))
        fits = builder.CreateAnd(fits, builder.CreateICmpULE(number, builder.getInt64(all32)));
      product = builder.CreateMul(product, number);
    }
    most = builder.CreateAdd(most, product);
  }
  if (bits == 64) return fits;
  return builder.CreateAnd(fits, builder.CreateICmpULE(most, builder.getInt64(all32 - few)));
}

llvm::Loop& loopAhead(llvm::Loop& loop, llvm::Value* condition, llvm::LoopInfo& loops,
                      llvm::DominatorTree& dominators) {
  llvm::BasicBlock* const before = loop.getLoopPreheader();
  llvm::BasicBlock* const header = loop.getHeader();
  llvm::BasicBlock* const between = llvm::SplitBlock(before, before->getTerminator(), &dominators, &loops);
  llvm::ValueToValueMapTy map;
  llvm::Loop* const first = copyOf(loop, *between, *before, ".whole", map, loops, dominators);
  llvm::BasicBlock* const firstHeader = first->getHeader();
  firstHeader->getTerminator()->replaceSuccessorWith(loop.getExitBlock(), between);
  before->getTerminator()->eraseFromParent();
  if (condition)
    llvm::BranchInst::Create(first->getLoopPreheader(), between, condition, before);
  else
    llvm::BranchInst::Create(first->getLoopPreheader(), before);
  dominators.changeImmediateDominator(between, condition ? before : firstHeader);
  for (llvm::PHINode& phi : header->phis()) {
    llvm::Value* last = map[&phi];
    if (condition) {
      auto* const either = llvm::PHINode::Create(phi.getType(), 2, phi.getName(), between->begin());
      either->addIncoming(last, firstHeader);
      either->addIncoming(phi.getIncomingValueForBlock(between), before);
      last = either;
    }
    phi.setIncomingValueForBlock(between, last);
  }
  llvm::formDedicatedExitBlocks(first, &dominators, &loops, nullptr, true);
  return *first;
}

llvm::Loop& versionLoop(llvm::Loop& loop, llvm::Value& condition, llvm::LoopInfo& loops,
                        llvm::DominatorTree& dominators) {
  llvm::formLCSSA(loop, dominators, &loops, nullptr);
  llvm::BasicBlock* const exit = loop.getExitBlock();
  llvm::BasicBlock* const exiting = loop.getExitingBlock();
  llvm::BasicBlock* const before = loop.getLoopPreheader();
  llvm::BasicBlock* const between = llvm::SplitBlock(before, before->getTerminator(), &dominators, &loops);
  llvm::ValueToValueMapTy map;
  llvm::Loop* const other = copyOf(loop, *exit, *before, ".fits", map, loops, dominators);
  for (llvm::PHINode& phi : exit->phis()) {
    llvm::Value* const value = phi.getIncomingValueForBlock(exiting);
    const auto mapped = map.find(value);
    phi.addIncoming(mapped == map.end() ? value : static_cast<llvm::Value*>(mapped->second), other->getExitingBlock());
  }
  before->getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(other->getLoopPreheader(), between, &condition, before);
  dominators.changeImmediateDominator(exit, before);
  for (llvm::Loop* each : {&loop, other}) llvm::formDedicatedExitBlocks(each, &dominators, &loops, nullptr, true);
  return *other;
}

}  // namespace clarity::compiler
