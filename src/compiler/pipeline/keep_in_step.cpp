// SPDX-License-Identifier: Apache-2.0
// This file holds the steps about kernels that rely on more than the standard promises: on warps, whose work-items
// exchange values through local memory without a barrier, and on work-groups that run at the same time.
#include "compiler/analysis/lane_exchange.h"
#include "compiler/analysis/waiting_loops.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/collectives.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"

#include <fmt/format.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace clarity::compiler {
namespace {

constexpr unsigned warp = 32;
constexpr std::string_view keepInStepName = "keep-in-step";

/// Whether the program says how many work-items run in step.
bool isAsked(const KernelInfo& kernel, const Options& options) {
  return kernel.requiredSubGroupSize != 0 || options.packetLanes >= warp;
}

/// The size of the kernel's sub-groups, if its work-items are to run in step: those that functions know cannot change.
unsigned sizeInStep(const llvm::Function& function, const LaneExchange& exchange, const KernelInfo& kernel,
                    const Options& options) {
  const unsigned size = subGroupSizeOf(function);
  return kernel.usesSubGroups || isAsked(kernel, options) ? size : std::max(size, exchange.width);
}

LaneExchange exchangeIn(const llvm::Function& function, const KernelInfo& kernel, ExchangeSearch search) {
  std::array<std::uint32_t, 3> local = kernel.requiredLocalSize;
  for (unsigned d = 0; d < 3; ++d)
    if (const auto known = knownLocalSize(function, d)) local[d] = static_cast<std::uint32_t>(*known);
  return findLaneExchange(function, local, search);
}

ExchangeSearch searchFor(const KernelInfo& kernel, const Options& options) {
  return isAsked(kernel, options) ? ExchangeSearch::Possible : ExchangeSearch::Certain;
}

LaneExchange exchangeIn(const llvm::Function& function, const KernelInfo& kernel, const Options& options) {
  return exchangeIn(function, kernel, searchFor(kernel, options));
}

std::string placeText(const llvm::Instruction& instruction) {
  const unsigned line = lineOf(instruction);
  return line ? fmt::format("line {}", line) : "an unknown line";
}

/// `volatile` asks for an order among work-items, which packets keep by executing one work-item after the other.
void setOrdinary(llvm::Instruction& access) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access))
    load->setVolatile(false);
  else
    llvm::cast<llvm::StoreInst>(access).setVolatile(false);
}

llvm::SmallVector<llvm::Instruction*, 16> volatileLocalAccesses(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*, 16> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (pointer && instruction.isVolatile() && !instruction.isAtomic() &&
        pointer->getType()->getPointerAddressSpace() == localAddressSpace)
      accesses.push_back(&instruction);
  }
  return accesses;
}

/// Local memory through which work-items exchange values at barriers only, at the most, is the same with and without
/// `volatile`: one thread executes the work-group, and no other thread sees this memory. That counts for each part of
/// the kernel between barriers.
void relaxVolatile(llvm::Function& function, const KernelInfo& kernel) {
  if (kernel.usesSubGroups) return;  // these may wait for each other, in loops that read such memory
  const auto accesses = volatileLocalAccesses(function);
  if (accesses.empty()) return;
  const LaneExchange possible = exchangeIn(function, kernel, ExchangeSearch::Possible);
  if (!possible.isComplete) return;
  for (llvm::Instruction* access : accesses)
    if (!llvm::is_contained(possible.accesses, access)) setOrdinary(*access);
}

/// Whether an atomic operation between two instructions of a block changes local memory.
bool changesBetween(const llvm::Instruction& first, const llvm::Instruction& second) {
  return std::any_of(std::next(first.getIterator()), second.getIterator(),
                     [](const llvm::Instruction& each) { return localMemoryChangedAtomically(each) != nullptr; });
}

/// The accesses of a block ahead of which work-items have to meet: those that store, or load what may be stored, since
/// they met last. Loads that follow each other are in any order.
llvm::SmallVector<llvm::Instruction*, 16> accessesToMeetAt(llvm::ArrayRef<llvm::Instruction*> accesses) {
  llvm::SmallVector<llvm::Instruction*, 16> found;
  const llvm::Instruction* met = nullptr;  // a load, the last one
  for (llvm::Instruction* access : accesses) {
    const bool isLoad = llvm::isa<llvm::LoadInst>(access);
    if (!isLoad || !met || met->getParent() != access->getParent() || changesBetween(*met, *access))
      found.push_back(access);
    met = isLoad ? access : nullptr;
  }
  return found;
}

/// Calls of this function, in which work-items meet, ahead of the accesses whose order matters.
void meetAheadOf(const LaneExchange& exchange, llvm::StringRef name) {
  llvm::Module& module = *exchange.accesses.front()->getModule();
  llvm::FunctionCallee meet = module.getOrInsertFunction(name, llvm::Type::getVoidTy(module.getContext()));
  auto* declaration = llvm::cast<llvm::Function>(meet.getCallee());
  declaration->setDoesNotThrow();
  declaration->setConvergent();
  for (llvm::Instruction* access : accessesToMeetAt(exchange.accesses)) llvm::IRBuilder<>(access).CreateCall(meet);
}

/// Barriers at the ends of the loops that have one of these accesses and a barrier in each iteration. All work-items
/// come there together then.
llvm::SmallVector<llvm::Instruction*, 4> addBarriersToLoops(llvm::Function& function,
                                                            llvm::ArrayRef<llvm::Instruction*> accesses) {
  llvm::SmallVector<llvm::Instruction*, 8> barriers;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (primitiveOf(instruction) == Primitive::Barrier) barriers.push_back(&instruction);
  if (barriers.empty() || accesses.size() > cost::search::exchangeInLoops) return {};
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::SmallVector<llvm::Instruction*, 4> added;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::BasicBlock* latch = loop->getLoopLatch();
    if (!latch || llvm::none_of(accesses, [&](const llvm::Instruction* each) { return loop->contains(each); }))
      continue;
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop->getExitingBlocks(exits);
    // Work-items that leave behind the barrier, in the last iteration, would not come to one at the end.
    const auto isInEach = [&](const llvm::Instruction* barrier) {
      const llvm::BasicBlock* block = barrier->getParent();
      return loop->contains(barrier) && dominators.dominates(block, latch) &&
             llvm::all_of(exits, [&](const llvm::BasicBlock* exit) {
               return exit == latch || (exit != block && dominators.dominates(exit, block));
             });
    };
    if (const auto barrier = llvm::find_if(barriers, isInEach); barrier != barriers.end()) {
      added.push_back((*barrier)->clone());
      added.back()->insertBefore(latch->getTerminator()->getIterator());
    }
  }
  return added;
}

/// Whether the work-items exchange values only because loops lack a barrier at their end, where the next iteration
/// stores what others still load: the products of matrices by tiles that many a program has. With the barrier, all of
/// the work-group is in step there, and its work-items run in any order elsewhere, which is quicker than sub-groups in
/// step. `keep` says whether the barriers stay.
bool isSeparatedByBarriers(llvm::Function& function, const LaneExchange& exchange, const KernelInfo& kernel,
                           const Options& options, bool keep, llvm::function_ref<LaneExchange()> find) {
  if (kernel.usesSubGroups || isAsked(kernel, options)) return false;
  const auto added = addBarriersToLoops(function, exchange.accesses);
  const auto hasExchange = [&] { return find().width != 0; };
  const bool separated = !added.empty() && !hasExchange();
  for (llvm::Instruction* barrier : added) {
    const auto next = std::next(barrier->getIterator());
    barrier->removeFromParent();
    if (separated && keep && hasExchange())
      barrier->insertBefore(next);
    else
      barrier->deleteValue();
  }
  return separated;
}

bool isSeparatedByBarriers(llvm::Function& function, const LaneExchange& exchange, const KernelInfo& kernel,
                           const Options& options, bool keep) {
  return isSeparatedByBarriers(function, exchange, kernel, options, keep,
                               [&] { return exchangeIn(function, kernel, options); });
}

void tellOfBarriers(const LaneExchange& exchange) {
  remark(*exchange.load, RemarkKind::Order,
         fmt::format("local memory may be what another work-item stores in {} without a barrier: one ends each "
                     "iteration of the loop",
                     placeText(*exchange.store)));
}

}  // namespace

llvm::Error findWaits(PipelineState& state, llvm::Module& module) {
  state.facts.groupsWait = waitsForGroups(functionOf(state, module));
  state.set(GroupsTogether, !state.facts.groupsWait);
  return llvm::Error::success();
}

llvm::Error keepInStep(PipelineState& state, llvm::Module& module) {
  llvm::Function& function = functionOf(state, module);
  const LaneExchange exchange = exchangeIn(function, *state.kernel, state.options);
  if (exchange.width != 0 && isSeparatedByBarriers(function, exchange, *state.kernel, state.options, true)) {
    relaxVolatile(function, *state.kernel);
    tellOfBarriers(exchange);
    return llvm::Error::success();
  }
  relaxVolatile(function, *state.kernel);
  if (exchange.width == 0) return llvm::Error::success();
  const unsigned size = sizeInStep(function, exchange, *state.kernel, state.options);
  if (size < 2) return llvm::Error::success();
  remark(*exchange.load, RemarkKind::Order,
         fmt::format("local memory may be what another work-item stores in {} without a barrier: {} work-items run in "
                     "step",
                     placeText(*exchange.store), size));
  function.addFnAttr(subGroupSizeAttribute, std::to_string(size));
  // Regions run in packets that are sub-groups, whose lanes have all come to the one access before any comes to the
  // next. A volatile access is a vector then like any other.
  meetAheadOf(exchange, (llvm::StringRef(subGroupPrefix) + "barrier").str());
  for (llvm::Instruction* access : exchange.accesses) setOrdinary(*access);
  state.set(SubGroups, true);
  state.set(InPackets, true);
  return llvm::Error::success();
}

llvm::Error keepWarpsInStep(PipelineState& state, llvm::Module& module) {
  llvm::Function& function = functionOf(state, module);
  std::array<std::uint32_t, 3> local = state.shape.local;
  if (local[0] == 0) local = state.kernel->requiredLocalSize;
  const auto find = [&] { return findLaneExchange(function, local, searchFor(*state.kernel, state.options)); };
  const LaneExchange exchange = find();
  if (exchange.width == 0) return llvm::Error::success();
  if (isSeparatedByBarriers(function, exchange, *state.kernel, state.options, true, find)) {
    tellOfBarriers(exchange);
    return llvm::Error::success();
  }
  state.runsInStep = true;
  remark(*exchange.load, RemarkKind::Order,
         fmt::format("local memory may be what another work-item stores in {} without a barrier: the threads of a warp "
                     "run in step",
                     placeText(*exchange.store)));
  meetAheadOf(exchange, warpStepFunction);
  return llvm::Error::success();
}

std::uint32_t itemsInStep(const llvm::Function& function, const KernelInfo& kernel, const Options& options) {
  if (isDisabled(options, keepInStepName)) return 0;
  const LaneExchange exchange = exchangeIn(function, kernel, options);
  if (exchange.width == 0 ||
      isSeparatedByBarriers(const_cast<llvm::Function&>(function), exchange, kernel, options, false))
    return 0;
  const unsigned size = sizeInStep(function, exchange, kernel, options);
  return size < 2 ? 0 : size;
}

std::string exchangeRemark(const llvm::Function& function, const KernelInfo& kernel, const Options& options,
                           std::string_view step) {
  // Checked code reports the race itself.
  if (options.instrument || isAsked(kernel, options) || isDisabled(options, step)) return {};
  const LaneExchange exchange = exchangeIn(function, kernel, options);
  if (exchange.width == 0) return {};
  const std::string race = fmt::format(
      "kernel '{}': the load from local memory in {} may read what another work-item stores in {}, without a barrier "
      "between them: a data race (OpenCL 3.0, section 3.3.4: local memory is consistent at barriers)",
      kernel.name, placeText(*exchange.load), placeText(*exchange.store));
  // The function is as it was afterwards.
  if (isSeparatedByBarriers(const_cast<llvm::Function&>(function), exchange, kernel, options, false))
    return race + "; Clarity adds a barrier at the end of each iteration\n";
  const unsigned size = sizeInStep(function, exchange, kernel, options);
  return fmt::format("{}; {} work-items run in step{}\n", race, size,
                     size < exchange.width ? ", as many as its sub-groups have: intel_reqd_sub_group_size requires more"
                                           : ", as in a warp");
}

}  // namespace clarity::compiler
