// SPDX-License-Identifier: Apache-2.0
// This file measures, and tries one form of a kernel after the other until it fits.
#include "compiler/pipeline/budget.h"

#include "compiler/analysis/item_nest.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/processor_functions.h"
#include "compiler/packets/lane_bits.h"
#include "compiler/reports/report.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace clarity::compiler {
namespace {

/// Registers that a value fills.
std::uint64_t registersOf(const llvm::Type& type, const VectorTarget& target, const llvm::DataLayout& layout) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector) return 1;
  const llvm::Type& element = *vector->getElementType();
  std::uint64_t bits = layout.getTypeSizeInBits(const_cast<llvm::Type*>(&element)).getFixedValue();
  if (element.isIntegerTy(1)) bits = target.maskRegisters ? 1 : 32;  // masks without registers of their own are vectors
  return llvm::divideCeil(bits * vector->getNumElements(), target.bits);
}

std::uint64_t sizeOfCall(const llvm::CallInst& call, std::uint64_t lanes, std::uint64_t registers,
                         const VectorTarget& target) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (!intrinsic) return processorOperationOf(call) ? registers : cost::budget::call + registers;
  if (intrinsic->isAssumeLikeIntrinsic()) return 0;
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::masked_gather:
    case llvm::Intrinsic::masked_scatter:
      return target.gathers ? cost::budget::gatherInstruction * registers : cost::budget::gatherElement * lanes;
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_store:
      return target.maskRegisters ? registers : cost::budget::maskedAccess * registers;
    default: return registers;
  }
}

std::uint64_t sizeOf(const llvm::Instruction& instruction, const VectorTarget& target, const llvm::DataLayout& layout) {
  llvm::Type* type = instruction.getType();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) type = store->getValueOperand()->getType();
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && type->isVoidTy() && call->arg_size() > 0)
    type = call->getArgOperand(0)->getType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const std::uint64_t lanes = vector ? vector->getNumElements() : 1;
  const std::uint64_t registers = registersOf(*type, target, layout);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    return sizeOfCall(*call, lanes, registers, target);
  if (instruction.isIntDivRem()) return vector ? cost::budget::divisionLane * lanes : cost::budget::scalarDivision;
  if (instruction.isCast())
    return std::max(registers, registersOf(*instruction.getOperand(0)->getType(), target, layout));
  return registers;
}

/// Divergent branches inside the loops over work-items.
std::uint64_t divergentBranchesIn(llvm::Function& function, const VarianceInfo& variance) {
  return static_cast<std::uint64_t>(llvm::count_if(function, [&](const llvm::BasicBlock& block) {
    return !block.getTerminator()->getMetadata(itemLoopMetadata) && !variance.branchesUniformly(block);
  }));
}

/// A copy of a function's body, to return to.
class SavedBody {
public:
  explicit SavedBody(llvm::Function& function) : function_(function) {
    llvm::ValueToValueMapTy map;
    copy_ = llvm::CloneFunction(&function, map);
  }
  ~SavedBody() { copy_->eraseFromParent(); }
  SavedBody(const SavedBody&) = delete;
  SavedBody& operator=(const SavedBody&) = delete;

  void restore(llvm::FunctionAnalysisManager& analyses) {
    llvm::ValueToValueMapTy map;
    llvm::Function* again = llvm::CloneFunction(copy_, map);
    function_.deleteBody();
    function_.setLinkage(again->getLinkage());
    function_.splice(function_.begin(), again);
    for (llvm::Argument& argument : again->args()) argument.replaceAllUsesWith(function_.getArg(argument.getArgNo()));
    function_.setAttributes(again->getAttributes());
    function_.copyMetadata(again, 0);
    again->eraseFromParent();
    analyses.clear(function_, function_.getName());
  }

private:
  llvm::Function& function_;
  llvm::Function* copy_;
};

/// Options that are tried, one after the other, as far as the user's leave them open.
std::vector<PacketsPass::Options> attempts(const PacketsPass::Options& wanted) {
  std::vector<PacketsPass::Options> all{wanted};
  PacketsPass::Options next = wanted;
  if (wanted.packets == 0 || wanted.rows == 0) {
    next.packets = wanted.packets ? wanted.packets : 1;
    next.rows = wanted.rows ? wanted.rows : 1;
    all.push_back(next);
  }
  // Kernels of bytes come to lanes of 32 bits before those of 64.
  if (wanted.lanes == 0)
    for (const unsigned bits : {32u, 64u}) {
      next.lanes = std::max(2u, wanted.target.bits / bits);
      all.push_back(next);
    }
  return all;
}

/// Whether an attempt may be small enough, given what became of one before: at best its size shrinks as the number of
/// work-items in a tile does.
bool mayFit(const PacketsPass::Options& attempt, const PacketGrowth& before, std::uint64_t size, std::uint64_t most) {
  const std::uint64_t had = std::uint64_t{before.lanes} * before.cells;
  const std::uint64_t has = std::uint64_t{attempt.lanes ? attempt.lanes : before.lanes} *
                            (attempt.packets && attempt.rows ? attempt.packets * attempt.rows : before.cells);
  return has < had && size * has / had <= most;
}

std::string nameOf(const PacketsPass::Options& attempt) {
  std::string text = attempt.lanes ? fmt::format("packets of {} work-items", attempt.lanes) : "packets";
  if (attempt.packets == 1 && attempt.rows == 1) text += ", one at a time";
  return text;
}

/// Puts the work-items of a kernel into packets, in one form after the other.
class PacketAttempts {
public:
  PacketAttempts(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, const PacketsPass::Options& wanted)
      : function_(function),
        analyses_(analyses),
        saved_(function),
        all_(attempts(wanted)),
        report_(wanted.report),
        reported_(report_ ? report_->regions.size() : 0) {}

  /// The first form of at most so many instructions; nullptr: none.
  const PacketsPass::Options* find(std::uint64_t most) {
    for (const PacketsPass::Options& attempt : all_)
      if ((isWanted(attempt) || mayFit(attempt, growth_, size_, most)) && run(attempt, most)) return &attempt;
    return nullptr;
  }
  /// The same without the tiles of several packets, if the wanted ones are such.
  const PacketsPass::Options* findSmallest(std::uint64_t most) {
    for (const PacketsPass::Options& attempt : all_)
      if (!(isWanted(attempt) && wantedCells_ > 1 && all_.size() > 1) && run(attempt, most)) return &attempt;
    return nullptr;
  }
  /// The function is as it was.
  void giveUp() {
    saved_.restore(analyses_);
    if (report_) report_->regions.resize(reported_);
  }

  bool isWanted(const PacketsPass::Options& attempt) const { return &attempt == all_.data(); }
  std::uint64_t size() const { return size_; }
  /// The size of the wanted form.
  const std::string& would() const { return would_; }

private:
  bool run(PacketsPass::Options attempt, std::uint64_t most) {
    if (!would_.empty()) giveUp();
    growth_ = {.most = most + most / cost::budget::createdBeside};
    attempt.growth = &growth_;
    analyses_.invalidate(function_, PacketsPass(attempt).run(function_, analyses_));
    size_ = growth_.outgrown() ? growth_.expected() : codeSize(function_, attempt.target);
    if (would_.empty()) {
      would_ = fmt::format("{}{}", growth_.outgrown() ? "about " : "", size_);
      wantedCells_ = growth_.cells;
    }
    return size_ <= most && !growth_.outgrown();
  }
  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  SavedBody saved_;
  const std::vector<PacketsPass::Options> all_;
  PacketReport* const report_;
  const std::size_t reported_;
  PacketGrowth growth_;
  std::uint64_t size_ = 0;
  unsigned wantedCells_ = 0;
  std::string would_;
};

}  // namespace

Budget::Budget(std::uint64_t instructions)
    : leastPackets_(instructions ? instructions : cost::budget::leastPackets),
      packets_(instructions ? instructions : cost::budget::packets),
      divergentBranches_(cost::budget::divergentBranches),
      light_(instructions ? 2 * instructions : cost::budget::light),
      least_(instructions ? 4 * instructions : cost::budget::least) {}

std::uint64_t Budget::packets(std::uint64_t ofItem) const {
  return std::clamp(cost::budget::packetTimes * ofItem, leastPackets_, packets_);
}

std::uint64_t Budget::lastPackets(std::uint64_t ofItem) const {
  return std::min(cost::budget::lastTimes * packets(ofItem), light_);
}

OptimisationLevel Budget::levelFor(std::uint64_t instructions) const {
  return instructions <= light_   ? OptimisationLevel::O3
         : instructions <= least_ ? OptimisationLevel::O1
                                  : OptimisationLevel::O0;
}

std::uint64_t codeSize(const llvm::Function& function, const VectorTarget& target) {
  const llvm::DataLayout& layout = function.getDataLayout();
  std::uint64_t size = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    size += halfOperations(instruction, target) * sizeOf(instruction, target, layout);
  return size;
}

std::uint64_t loopsTimesInstructions(llvm::Module& module) {
  std::uint64_t loops = 0, instructions = 0;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::DominatorTree dominators(function);
    loops += llvm::LoopInfo(dominators).getLoopsInPreorder().size();
    instructions += function.getInstructionCount();
  }
  return loops * instructions;
}

LargestBlock::LargestBlock(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::BasicBlock& block : function) {
      instructions = std::max(instructions, block.size());
      const auto accesses = llvm::count_if(
          block, [](const llvm::Instruction& instruction) { return instruction.mayReadOrWriteMemory(); });
      memoryAccesses = std::max(memoryAccesses, static_cast<std::size_t>(accesses));
    }
}

std::uint64_t pairsOfSums(const llvm::Module& module) {
  std::uint64_t pairs = 0;
  for (const llvm::Function& function : module) {
    llvm::DenseMap<const llvm::Value*, std::uint64_t> users;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (instruction.getOpcode() != llvm::Instruction::Add && instruction.getOpcode() != llvm::Instruction::Mul)
        continue;
      for (const llvm::Value* const operand : instruction.operand_values())
        if (!llvm::isa<llvm::Constant>(operand)) pairs += users[operand]++;
    }
  }
  return pairs;
}

std::string makePackets(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, PacketsPass::Options options,
                        const Budget& budget) {
  const std::uint64_t before = function.getInstructionCount(), most = budget.packets(before);
  const auto run = [&](PacketsPass::Options attempt, PacketGrowth* growth) {
    attempt.growth = growth;
    analyses.invalidate(function, PacketsPass(attempt).run(function, analyses));
  };
  if (before <= std::min(cost::budget::neverLarge, most / 4)) {
    run(options, nullptr);
    return {};
  }
  const std::string kernel = fmt::format("kernel '{}' is large: ", std::string_view(function.getName()));
  const std::string alone = "so it runs one work-item at a time\n";
  if (before > most)
    return kernel +
           fmt::format("it has {} instructions before it is put into packets, of which {} are allowed afterwards, {}",
                       before, most, alone);
  if (const std::uint64_t branches = divergentBranchesIn(function, analyses.getResult<VarianceAnalysis>(function));
      branches > budget.divergentBranches())
    return kernel + fmt::format("work-items diverge at {} branches, more than {}, {}", branches,
                                budget.divergentBranches(), alone);

  PacketAttempts tries(function, analyses, options);
  const auto sentence = [&](std::uint64_t allowed, std::string_view end) {
    return kernel + fmt::format("in packets it would be {} instructions, of which {} are allowed{}", tries.would(),
                                allowed, end);
  };
  if (const PacketsPass::Options* fits = tries.find(most))
    return tries.isWanted(*fits) ? "" : sentence(most, fmt::format("; it is {} in {}\n", tries.size(), nameOf(*fits)));
  const std::uint64_t last = budget.lastPackets(before);
  if (const PacketsPass::Options* fits = tries.findSmallest(last))
    return sentence(
        most, fmt::format("; rather than one work-item at a time, it is {} in {}\n", tries.size(), nameOf(*fits)));
  tries.giveUp();
  return sentence(last, ", " + alone);
}

}  // namespace clarity::compiler
