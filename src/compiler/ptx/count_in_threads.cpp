// SPDX-License-Identifier: Apache-2.0
// This file adds counters to the code of threads.
#include "compiler/ptx/count_in_threads.h"

#include "compiler/ir/float_operations.h"
#include "compiler/nvptx/address_spaces.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>

namespace clarity::compiler::nvptx {
namespace {

using Kind = CountedPlace::Kind;

/// Bytes of a sector of global memory, and of the banks of shared memory together; of one bank.
constexpr std::uint64_t sectorBytes = 32, bankBytes = 128, leastWord = 4, mostWord = 16;
/// Accesses of a function that are looked at: each takes some 20 instructions, and code may be unrolled far.
constexpr std::size_t mostAccesses = 256;
/// Counters that are kept in registers; more would only be spilled, one by one.
constexpr std::size_t mostInRegisters = 64;

/// The pointer of an access, and what is read or written; no pointer: it is none.
struct Access {
  llvm::Value* pointer = nullptr;
  llvm::Type* type = nullptr;
  bool writes = false;
};

Access accessOf(llvm::Instruction& instruction) {
  if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {load->getPointerOperand(), load->getType(), false};
  if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {store->getPointerOperand(), store->getValueOperand()->getType(), true};
  if (auto* const atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {atomic->getPointerOperand(), atomic->getType(), true};
  if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {exchange->getPointerOperand(), exchange->getNewValOperand()->getType(), true};
  return {};
}

/// Whether an access is of memory that threads have in common: not of private variables and parameters.
bool isShared(const llvm::Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space == globalSpace || space == sharedSpace) return true;
  if (space != genericSpace) return false;
  const llvm::Value* const object = llvm::getUnderlyingObject(&pointer);
  const auto* const argument = llvm::dyn_cast<llvm::Argument>(object);
  return !llvm::isa<llvm::AllocaInst>(object) && !(argument && argument->hasByValAttr());
}

/// The line of the kernel's own file that an instruction is of: the one that calls, where its function is inlined from
/// elsewhere. 0: unknown.
std::uint32_t lineOf(const llvm::Instruction& instruction, const llvm::DISubprogram* function) {
  for (const llvm::DILocation* place = instruction.getDebugLoc(); place; place = place->getInlinedAt())
    if (!function || place->getFile() == function->getFile()) return place->getLine();
  return 0;
}

class ThreadCounter {
public:
  /// @param addsUp whether the GPU has instructions for sums over the threads of a warp
  ThreadCounter(llvm::Function& function, bool addsUp, std::vector<CountedPlace>& places, std::size_t& slots)
      : function_(function),
        layout_(function.getParent()->getDataLayout()),
        addsUp_(addsUp),
        places_(places),
        slots_(slots),
        firstSlot_(slots) {}

  /// To be called for all functions ahead of run(): the counters are of the module.
  void plan() {
    for (llvm::BasicBlock& block : function_) planBlock(block);
  }

  void run(llvm::GlobalVariable& counts) {
    llvm::IRBuilder<> builder(&function_.getEntryBlock(), function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (std::size_t slot = firstSlot_; slot < firstSlot_ + ownSlots(); ++slot) {
      for (std::size_t i = 0; i < countersOfPlace; ++i) {
        cells_.push_back(builder.CreateAlloca(builder.getInt32Ty()));
        builder.CreateStore(builder.getInt32(0), cells_.back());
      }
    }
    llvm::Value* const lane =
        builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, {});
    lane_ = lane;
    lower_ = builder.CreateSub(builder.CreateShl(builder.getInt32(1), lane), builder.getInt32(1));
    for (const Block& block : blocks_) count(block, builder);
    llvm::SmallVector<llvm::Instruction*, 4> ends;
    for (llvm::BasicBlock& block : function_)
      if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) ends.push_back(block.getTerminator());
    for (llvm::Instruction* end : ends) report(*end, counts);
    if (cells_.size() > mostInRegisters) return;
    llvm::DominatorTree tree(function_);
    llvm::PromoteMemToReg(cells_, tree);
  }

private:
  struct Looked {
    llvm::Instruction* instruction;
    std::size_t slot;
  };
  struct Block {
    llvm::BasicBlock* block;
    std::size_t slot;
    std::vector<Looked> accesses;
  };

  std::size_t ownSlots() const { return planned_; }
  std::size_t newSlot() {
    ++planned_;
    return slots_++;
  }

  void planBlock(llvm::BasicBlock& block) {
    const llvm::DISubprogram* const subprogram = function_.getSubprogram();
    Block& its = blocks_.emplace_back(Block{&block, newSlot(), {}});
    places_.push_back({.kind = Kind::Block});
    std::map<std::uint32_t, CountedPlace> lines;
    std::vector<std::pair<llvm::Instruction*, CountedPlace>> accesses;
    for (llvm::Instruction& instruction : block) {
      if (instruction.isDebugOrPseudoInst() || llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction)) continue;
      const std::uint32_t line = lineOf(instruction, subprogram);
      CountedPlace& of = lines.try_emplace(line, CountedPlace{.kind = Kind::Line, .line = line}).first->second;
      ++of.instructions;
      const unsigned operations = floatOperationsOf(instruction);
      const llvm::Type* const scalar = instruction.getType()->getScalarType();
      const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
      (scalar->isDoubleTy() ? of.doubles
       : scalar->isHalfTy() ? of.halves
                            : of.floats) += operations * (vector ? vector->getNumElements() : 1);
      const Access access = accessOf(instruction);
      if (!access.pointer || !isShared(*access.pointer) || ++looked_ > mostAccesses) continue;
      const bool isLocal = access.pointer->getType()->getPointerAddressSpace() == sharedSpace;
      accesses.emplace_back(&instruction,
                            CountedPlace{.kind = isLocal ? Kind::Shared : Kind::Global,
                                         .writes = access.writes,
                                         .line = line,
                                         .bytes = static_cast<std::uint32_t>(layout_.getTypeStoreSize(access.type))});
    }
    for (const auto& [line, of] : lines) places_.push_back(of);
    for (const auto& [instruction, place] : accesses) {
      places_.push_back(place);
      its.accesses.push_back({instruction, newSlot()});
    }
  }

  void count(const Block& block, llvm::IRBuilder<>& atEntry) {
    llvm::IRBuilder<> builder(block.block, block.block->getFirstNonPHIOrDbgOrAlloca());
    if (block.block == &function_.getEntryBlock()) builder.SetInsertPoint(&*atEntry.GetInsertPoint());
    mask_ = builder.CreateCall(activeMask());
    isLeader_ = isFirstOf(builder, mask_);
    add(builder, block.slot, 0, builder.CreateZExt(isLeader_, builder.getInt32Ty()));
    add(builder, block.slot, 1, builder.getInt32(1));
    for (const Looked& each : block.accesses) {
      builder.SetInsertPoint(each.instruction);
      const Access access = accessOf(*each.instruction);
      if (access.pointer->getType()->getPointerAddressSpace() == sharedSpace)
        addPasses(builder, access, each.slot);
      else
        addSectors(builder, access, each.slot);
    }
  }

  llvm::InlineAsm* activeMask() const {
    auto* const type = llvm::FunctionType::get(llvm::Type::getInt32Ty(function_.getContext()), false);
    return llvm::InlineAsm::get(type, "activemask.b32 $0;", "=r", true);
  }

  /// Whether the thread is the first one of a mask that it is in.
  llvm::Value* isFirstOf(llvm::IRBuilder<>& builder, llvm::Value* mask) const {
    return builder.CreateICmpEQ(builder.CreateAnd(mask, lower_), builder.getInt32(0));
  }

  /// The active threads that have the same value.
  llvm::Value* sameOf(llvm::IRBuilder<>& builder, llvm::Value* value) const {
    const bool isLong = value->getType()->isIntegerTy(64);
    return builder.CreateIntrinsic(
        builder.getInt32Ty(),
        isLong ? llvm::Intrinsic::nvvm_match_any_sync_i64 : llvm::Intrinsic::nvvm_match_any_sync_i32, {mask_, value});
  }

  llvm::Value* countOf(llvm::IRBuilder<>& builder, llvm::Value* mask) const {
    return builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, mask);
  }

  /// The units that so many threads of so many bytes need at least, for the first thread alone.
  llvm::Value* leastOf(llvm::IRBuilder<>& builder, llvm::Value* threads, std::uint64_t bytes,
                       std::uint64_t unit) const {
    llvm::Value* const all = builder.CreateMul(threads, builder.getInt32(static_cast<std::uint32_t>(bytes)));
    llvm::Value* const least = builder.CreateUDiv(builder.CreateAdd(all, builder.getInt32(unit - 1)),
                                                  builder.getInt32(static_cast<std::uint32_t>(unit)));
    return builder.CreateSelect(isLeader_, least, builder.getInt32(0));
  }

  /// Sectors: threads that are the first to access theirs.
  void addSectors(llvm::IRBuilder<>& builder, const Access& access, std::size_t slot) {
    llvm::Value* const address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
    llvm::Value* const same = sameOf(builder, builder.CreateLShr(address, std::countr_zero(sectorBytes)));
    add(builder, slot, 0, builder.CreateZExt(isFirstOf(builder, same), builder.getInt32Ty()));
    add(builder, slot, 1,
        leastOf(builder, countOf(builder, mask_), layout_.getTypeStoreSize(access.type), sectorBytes));
  }

  /// Passes: as many as the bank with most words has. Threads of 8 or 16 bytes are served in halves and quarters.
  void addPasses(llvm::IRBuilder<>& builder, const Access& access, std::size_t slot) {
    const std::uint64_t bytes = layout_.getTypeStoreSize(access.type);
    const std::uint64_t word = std::clamp(std::bit_ceil(bytes), leastWord, mostWord);
    llvm::Value* const address = builder.CreatePtrToInt(access.pointer, builder.getInt32Ty());
    llvm::Value* const index = builder.CreateLShr(address, std::countr_zero(word));
    llvm::Value* const isFirst = isFirstOf(builder, sameOf(builder, index));
    // Threads whose word another one reads have a bank of their own, as it were.
    llvm::Value* const none = builder.CreateOr(lane_, builder.getInt32(bankBytes));
    llvm::Value* const banks = builder.getInt32(static_cast<std::uint32_t>(bankBytes / word - 1));
    llvm::Value* const bank = builder.CreateSelect(isFirst, builder.CreateAnd(index, banks), none);
    llvm::Value* const rank = countOf(builder, builder.CreateAnd(sameOf(builder, bank), lower_));
    llvm::Value* const ofRank = sameOf(builder, builder.CreateSelect(isFirst, rank, none));
    llvm::Value* const isPass = builder.CreateAnd(isFirst, isFirstOf(builder, ofRank));
    add(builder, slot, 0, builder.CreateZExt(isPass, builder.getInt32Ty()));
    llvm::Value* const firsts =
        builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_vote_ballot_sync, {mask_, isFirst});
    add(builder, slot, 1, leastOf(builder, countOf(builder, firsts), word, bankBytes));
  }

  void add(llvm::IRBuilder<>& builder, std::size_t slot, std::size_t which, llvm::Value* amount) {
    llvm::AllocaInst* const cell = cells_[countersOfPlace * (slot - firstSlot_) + which];
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt32Ty(), cell), amount), cell);
  }

  /// The sum over the threads that end here together, for the first of them; in both halves, as 32 numbers of 32 bits
  /// need more.
  static llvm::Value* sumOf(llvm::IRBuilder<>& builder, llvm::Value* own, llvm::Value* mask) {
    llvm::Type* const wide = builder.getInt64Ty();
    const auto sum = [&](llvm::Value* half) {
      return builder.CreateZExt(
          builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_redux_sync_add, {half, mask}), wide);
    };
    llvm::Value* const low = sum(builder.CreateAnd(own, builder.getInt32(0xFFFF)));
    return builder.CreateAdd(low, builder.CreateShl(sum(builder.CreateLShr(own, 16)), 16));
  }

  /// Each block has one of the copies of the counters. Atomic additions by every thread would take many times as long
  /// as the kernel.
  void report(llvm::Instruction& end, llvm::GlobalVariable& counts) {
    llvm::IRBuilder<> builder(&end);
    llvm::SmallVector<llvm::Value*, 32> sums;
    if (addsUp_) {
      llvm::Value* const mask = builder.CreateCall(activeMask());
      for (llvm::AllocaInst* cell : cells_)
        sums.push_back(sumOf(builder, builder.CreateLoad(builder.getInt32Ty(), cell), mask));
      builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(isFirstOf(builder, mask), &end, false));
    } else {
      for (llvm::AllocaInst* cell : cells_)
        sums.push_back(builder.CreateZExt(builder.CreateLoad(builder.getInt32Ty(), cell), builder.getInt64Ty()));
    }
    llvm::Value* const block =
        builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {});
    llvm::Value* const copy = builder.CreateAnd(block, builder.getInt32(countCopies - 1));
    llvm::Value* const own = builder.CreateInBoundsGEP(counts.getValueType(), &counts, {builder.getInt64(0), copy});
    for (std::size_t i = 0; i < sums.size(); ++i) {
      llvm::Value* const to =
          builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), own, countersOfPlace * firstSlot_ + i);
      builder.CreateAtomicRMW(llvm::AtomicRMWInst::Add, to, sums[i], llvm::MaybeAlign(8),
                              llvm::AtomicOrdering::Monotonic);
    }
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  const bool addsUp_;
  std::vector<CountedPlace>& places_;
  std::size_t& slots_;
  const std::size_t firstSlot_;
  std::size_t planned_ = 0, looked_ = 0;
  std::vector<Block> blocks_;
  llvm::SmallVector<llvm::AllocaInst*, 32> cells_;
  llvm::Value *lane_ = nullptr, *lower_ = nullptr;     ///< the thread's lane, and the lanes before it as bits
  llvm::Value *mask_ = nullptr, *isLeader_ = nullptr;  ///< the block's active threads, and the first of them
};

}  // namespace

std::vector<CountedPlace> countInThreads(llvm::Module& module, Capability capability) {
  std::vector<CountedPlace> places;
  std::size_t slots = 0;
  std::vector<ThreadCounter> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      functions.emplace_back(function, capability >= firstThatReducesWords, places, slots).plan();
  llvm::Type* const number = llvm::Type::getInt64Ty(module.getContext());
  auto* const type = llvm::ArrayType::get(llvm::ArrayType::get(number, countersOfPlace * slots), countCopies);
  auto* const counts = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage,
                                                llvm::Constant::getNullValue(type), countsSymbol, nullptr,
                                                llvm::GlobalValue::NotThreadLocal, globalSpace, true);
  counts->setAlignment(llvm::Align(8));
  for (ThreadCounter& function : functions) function.run(*counts);
  return places;
}

}  // namespace clarity::compiler::nvptx
