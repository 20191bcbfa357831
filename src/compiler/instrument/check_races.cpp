// SPDX-License-Identifier: Apache-2.0
// This file compares cells.
#include "compiler/instrument/check_races.h"

#include "compiler/instrument/hooks.h"
#include "compiler/instrument/race_arguments.h"
#include "compiler/instrument/record_accesses.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"
#include "support/race_cells.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace clarity::compiler {
namespace {

using support::RaceCell;
using support::RaceInterval;

constexpr unsigned genericAddressSpace = 4;
/// Accesses to more words than this report without comparing.
constexpr std::uint64_t mostWords = 8;
constexpr std::uint64_t noOther = std::uint64_t{RaceCell::noOther} << RaceCell::otherShift;

class RaceChecker {
public:
  RaceChecker(llvm::Function& function, const InstrumentedPlaces& places, bool isWhole)
      : function_(function), places_(places), arguments_(function, places, isWhole) {}

  void run() {
    std::vector<llvm::Instruction*> marked;
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (instruction.hasMetadata(raceMetadata)) marked.push_back(&instruction);
    if (marked.empty()) return;
    begin();
    for (llvm::Instruction* instruction : marked) {
      const llvm::MDNode& node = *instruction->getMetadata(raceMetadata);
      llvm::SmallVector<Access, 2> accesses;
      addRaceAccesses(*instruction, accesses);
      for (unsigned i = 0; i < node.getNumOperands(); ++i) {
        const auto* site = llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(i));
        check(accesses[i], static_cast<std::uint32_t>(site->getZExtValue()));
      }
      instruction->setMetadata(raceMetadata, nullptr);
    }
  }

private:
  /// Values that stay the same while a thread executes a slice.
  void begin() {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    auto place = entry.begin();
    while (llvm::isa<llvm::AllocaInst>(place)) ++place;
    llvm::IRBuilder<> builder(&entry, place);
    mask_ = emitQuestion(builder, "__clarity_race_mask", builder.getInt64Ty());
    cells_ = emitQuestion(builder, "__clarity_race_cells", builder.getInt64Ty());
    interval_ = builder.CreateIntToPtr(emitQuestion(builder, "__clarity_race_interval", builder.getInt64Ty()),
                                       builder.getPtrTy(globalAddressSpace));
  }

  void check(const Access& access, std::uint32_t site) {
    llvm::Instruction* ahead = access.instruction;
    if (llvm::Value* const needed = arguments_.mayBeShared(places_.sites[site]))
      ahead = llvm::SplitBlockAndInsertIfThen(needed, ahead->getIterator(), /*Unreachable=*/false);
    llvm::IRBuilder<> builder(ahead);
    llvm::Value* const item = linearId(builder);
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    const std::uint64_t words = bytes ? bytes->getZExtValue() / RaceCell::wordBytes : 0;
    const bool compares = bytes && bytes->getZExtValue() % RaceCell::wordBytes == 0 && words > 0 &&
                          words <= mostWords && access.alignment >= RaceCell::wordBytes &&
                          access.kind != SiteKind::AtomicRead && !places_.sites[site].isCopy &&
                          site < RaceCell::mostSite;
    if (!compares) return report(builder, access, site, item);
    compare(builder, access, site, item, static_cast<unsigned>(words));
  }

  /// An access to words, with its cells.
  struct CellAccess {
    const Access& access;
    bool isLocal, isGlobal;  ///< neither: in the generic address space
    llvm::Value* address;    ///< under the mask
    llvm::SmallVector<llvm::Value*, mostWords> places{}, found{};
    llvm::Value* isAlike = nullptr;                ///< null: there is only one
    llvm::Value *own = nullptr, *fresh = nullptr;  ///< the segment, twice; the cell of this access alone
  };

  void compare(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t site, llvm::Value* item,
               unsigned words) {
    const unsigned space = access.pointer->getType()->getPointerAddressSpace();
    CellAccess cells{.access = access,
                     .isLocal = space == localAddressSpace,
                     .isGlobal = space == globalAddressSpace,
                     .address = builder.CreateAnd(builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()), mask_)};
    llvm::Value* const first = builder.CreateAdd(builder.CreateShl(cells.address, 1), cells_);
    static_assert(RaceCell::cellBytes == 2 * RaceCell::wordBytes);
    for (unsigned i = 0; i < words; ++i) {
      cells.places.push_back(place(builder, first, i * RaceCell::cellBytes));
      cells.found.push_back(loadCell(builder, cells.places.back()));
    }
    for (unsigned i = 1; i < words; ++i) {
      llvm::Value* const same = builder.CreateICmpEQ(cells.found[0], cells.found[i]);
      cells.isAlike = cells.isAlike ? builder.CreateAnd(cells.isAlike, same) : same;
    }
    cells.own = builder.CreateAdd(builder.CreateShl(item, 1), field(builder, offsetof(RaceInterval, first)));
    Cases cases(builder);
    cases.unless(builder, ifAlike(builder, cells, isDecided(builder, cells)));
    cells.fresh = builder.CreateOr(builder.CreateShl(cells.own, RaceCell::atomicBit),
                                   builder.getInt64(noOther | site | flagsOf(access.kind)));
    if (cells.isLocal)
      cases.where(builder, replacesAll(builder, cells), [&] { return store(builder, cells, cells.fresh); });
    else if (cells.isGlobal)
      cases.where(builder, replacesAll(builder, cells), [&] { return exchange(builder, cells); });
    if (cells.isLocal && access.kind == SiteKind::Read)
      cases.where(builder, isSecondRead(builder, cells), [&] { return join(builder, cells, item, site); });
    report(builder, access, site, item);
  }

  /// Code for one case after the other, each of which goes on behind what the builder stands ahead of.
  class Cases {
  public:
    explicit Cases(llvm::IRBuilder<>& builder)
        : behind_(llvm::SplitBlock(builder.GetInsertBlock(), &*builder.GetInsertPoint())) {
      builder.SetInsertPoint(behind_->getSinglePredecessor()->getTerminator());
    }

    /// The rest is for where the condition does not hold.
    void unless(llvm::IRBuilder<>& builder, llvm::Value* condition) {
      auto* const rest = llvm::BasicBlock::Create(builder.getContext(), "", behind_->getParent(), behind_);
      end(builder, [&] { builder.CreateCondBr(condition, behind_, rest); }, rest);
    }
    /// Where the condition holds, what `make` emits is the last, if its i1 is true.
    template <class Make>
    void where(llvm::IRBuilder<>& builder, llvm::Value* condition, Make make) {
      auto* const mine = llvm::BasicBlock::Create(builder.getContext(), "", behind_->getParent(), behind_);
      auto* const rest = llvm::BasicBlock::Create(builder.getContext(), "", behind_->getParent(), behind_);
      llvm::MDNode* const weights = llvm::MDBuilder(builder.getContext()).createBranchWeights(1u << 10, 1);
      end(builder, [&] { builder.CreateCondBr(condition, mine, rest, weights); }, mine);
      llvm::Value* const isDone = make();
      end(builder, [&] { builder.CreateCondBr(isDone, behind_, rest, weights); }, rest);
    }

  private:
    /// The builder's block ends so, and `next` goes on to what is behind for now.
    template <class Make>
    void end(llvm::IRBuilder<>& builder, Make make, llvm::BasicBlock* next) {
      builder.GetInsertBlock()->getTerminator()->eraseFromParent();
      builder.SetInsertPoint(builder.GetInsertBlock());
      make();
      llvm::BranchInst::Create(behind_, next);
      builder.SetInsertPoint(next->getTerminator());
    }
    llvm::BasicBlock* behind_;
  };

  static llvm::Value* ifAlike(llvm::IRBuilder<>& builder, const CellAccess& cells, llvm::Value* condition) {
    return cells.isAlike ? builder.CreateAnd(condition, cells.isAlike) : condition;
  }

  /// i1: nothing that comes can race with what the cells say, but not with this access too: they are of before a
  /// barrier, or of before the launch, or the work-item writes what it alone has read.
  llvm::Value* replacesAll(llvm::IRBuilder<>& builder, const CellAccess& cells) {
    const std::size_t begin = cells.isLocal ? offsetof(RaceInterval, localBegin) : offsetof(RaceInterval, launchBegin);
    llvm::Value* latest = cells.found[0];
    for (llvm::Value* const cell : llvm::drop_begin(cells.found))
      latest = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, latest, cell);
    llvm::Value* const isOld = builder.CreateICmpULT(latest, field(builder, begin));
    if (cells.access.kind != SiteKind::Write) return isOld;
    llvm::Value* const ownRead = builder.CreateOr(
        builder.CreateShl(cells.own, RaceCell::atomicBit - RaceCell::otherShift), builder.getInt64(RaceCell::noOther));
    llvm::Value* const isOwn = builder.CreateICmpEQ(builder.CreateLShr(cells.found[0], RaceCell::otherShift), ownRead);
    return builder.CreateOr(isOld, ifAlike(builder, cells, isOwn));
  }

  /// i1: the cells are of one work-item's read between these barriers.
  llvm::Value* isSecondRead(llvm::IRBuilder<>& builder, const CellAccess& cells) {
    llvm::Value* const cell = cells.found[0];
    llvm::Value* const first = builder.CreateShl(field(builder, offsetof(RaceInterval, first)), RaceCell::atomicBit);
    llvm::Value* const shared = builder.CreateShl(field(builder, offsetof(RaceInterval, shared)), RaceCell::atomicBit);
    llvm::Value* const isHere = builder.CreateICmpULT(builder.CreateSub(cell, first), builder.CreateSub(shared, first));
    constexpr std::uint64_t flags = (std::uint64_t{1} << (RaceCell::segmentShift - RaceCell::otherShift)) - 1;
    llvm::Value* const isRead = builder.CreateICmpEQ(
        builder.CreateAnd(builder.CreateLShr(cell, RaceCell::otherShift), flags), builder.getInt64(RaceCell::noOther));
    return ifAlike(builder, cells, builder.CreateAnd(isHere, isRead));
  }

  /// The read is one of several from now on: the earlier one is kept beside the cell (check/kernel/race_cells.cpp,
  /// joined()).
  llvm::Value* join(llvm::IRBuilder<>& builder, const CellAccess& cells, llvm::Value* item, std::uint32_t site) {
    constexpr std::uint64_t ratio = RaceCell::keptBytes / RaceCell::wordBytes;
    llvm::Value* const beside = builder.CreateAdd(builder.CreateMul(cells.address, builder.getInt64(ratio)),
                                                  field(builder, offsetof(RaceInterval, kept)));
    for (unsigned i = 0; i < cells.found.size(); ++i)
      storeCell(builder, cells.found[0], place(builder, beside, i * RaceCell::keptBytes + RaceCell::cellBytes));
    llvm::Value* const shared = builder.CreateShl(field(builder, offsetof(RaceInterval, shared)), RaceCell::atomicBit);
    return store(builder, cells,
                 builder.CreateOr(builder.CreateOr(shared, builder.CreateShl(item, RaceCell::otherShift)),
                                  builder.getInt64(site)));
  }

  /// Local memory belongs to one thread.
  llvm::Value* store(llvm::IRBuilder<>& builder, const CellAccess& cells, llvm::Value* cell) {
    for (llvm::Value* const place : cells.places) storeCell(builder, cell, place);
    return builder.getTrue();
  }

  /// i1: no other thread has changed a cell meanwhile.
  static llvm::Value* exchange(llvm::IRBuilder<>& builder, const CellAccess& cells) {
    llvm::Value* isDone = builder.getTrue();
    for (unsigned i = 0; i < cells.found.size(); ++i) {
      llvm::Value* const result =
          builder.CreateAtomicCmpXchg(cells.places[i], cells.found[i], cells.fresh, llvm::Align(RaceCell::cellBytes),
                                      llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
      isDone = builder.CreateAnd(isDone, builder.CreateExtractValue(result, 1));
    }
    return isDone;
  }

  static std::uint64_t flagsOf(SiteKind kind) {
    return (writes(kind) ? std::uint64_t{1} << RaceCell::writeBit : 0) |
           (isAtomic(kind) ? std::uint64_t{1} << RaceCell::atomicBit : 0);
  }

  /// i1: the access changes nothing of the cell, and does not race with what it says.
  llvm::Value* isDecided(llvm::IRBuilder<>& builder, const CellAccess& cells) {
    const SiteKind kind = cells.access.kind;
    llvm::Value *const cell = cells.found[0], *const own = cells.own;
    const auto isOne = [&](unsigned bit, auto make) {
      llvm::Value* const head = builder.CreateLShr(cell, bit);
      llvm::Value* result = builder.CreateICmpEQ(head, make(own));
      for (const std::size_t offset : {offsetof(RaceInterval, shared), offsetof(RaceInterval, allGroups)})
        if (!cells.isLocal || offset != offsetof(RaceInterval, allGroups))
          result = builder.CreateOr(result, builder.CreateICmpEQ(head, make(field(builder, offset))));
      return result;
    };
    if (kind == SiteKind::Read) return isOne(RaceCell::atomicBit, [](llvm::Value* twice) { return twice; });
    // Behind the segment: whether it was atomic, and a write.
    if (kind == SiteKind::Write)
      return builder.CreateICmpEQ(builder.CreateLShr(cell, RaceCell::writeBit),
                                  builder.CreateOr(builder.CreateShl(own, 1), 1));
    return isOne(RaceCell::writeBit,
                 [&](llvm::Value* twice) { return builder.CreateOr(builder.CreateShl(twice, 1), 3); });
  }

  void report(llvm::IRBuilder<>& builder, const Access& access, std::uint32_t site, llvm::Value* item) {
    llvm::Value* isSame = leavesValue(builder, access);
    if (!isSame) isSame = builder.getInt32(0);
    const unsigned space = access.pointer->getType()->getPointerAddressSpace();
    const std::uint32_t isLocal = space == localAddressSpace ? 1 : space == genericAddressSpace ? 2 : 0;
    const llvm::SmallVector<llvm::Value*, 6> arguments{builder.getInt32(site),
                                                       builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()),
                                                       access.bytes,
                                                       builder.CreateTrunc(item, builder.getInt32Ty()),
                                                       isSame,
                                                       builder.getInt32(isLocal)};
    llvm::SmallVector<llvm::Type*, 6> types;
    for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
    llvm::FunctionCallee hook = function_.getParent()->getOrInsertFunction(
        "__clarity_race_access", llvm::FunctionType::get(builder.getVoidTy(), types, false));
    auto* declared = llvm::cast<llvm::Function>(hook.getCallee());
    declared->setDoesNotThrow();
    declared->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    declared->addFnAttr(llvm::Attribute::WillReturn);
    builder.CreateCall(hook, arguments);
  }

  /// i64. The same number as RaceThread has for the work-item.
  static llvm::Value* linearId(llvm::IRBuilder<>& builder) {
    const auto local = [&](unsigned d) { return emitQuery(builder, Primitive::LocalId, d); };
    const auto size = [&](unsigned d) { return emitQuery(builder, Primitive::EnqueuedLocalSize, d); };
    llvm::Value* const plane = builder.CreateAdd(local(1), builder.CreateMul(size(1), local(2)));
    return builder.CreateAdd(local(0), builder.CreateMul(size(0), plane));
  }

  llvm::Value* field(llvm::IRBuilder<>& builder, std::size_t offset) {
    return builder.CreateAlignedLoad(builder.getInt64Ty(), builder.CreatePtrAdd(interval_, builder.getInt64(offset)),
                                     llvm::Align(8));
  }
  /// Not one that the optimiser may take for another: the runtime changes cells.
  static llvm::Value* loadCell(llvm::IRBuilder<>& builder, llvm::Value* place) {
    llvm::LoadInst* const load =
        builder.CreateAlignedLoad(builder.getInt64Ty(), place, llvm::Align(RaceCell::cellBytes));
    load->setAtomic(llvm::AtomicOrdering::Monotonic);
    return load;
  }
  static void storeCell(llvm::IRBuilder<>& builder, llvm::Value* cell, llvm::Value* place) {
    llvm::StoreInst* const store = builder.CreateAlignedStore(cell, place, llvm::Align(RaceCell::cellBytes));
    store->setAtomic(llvm::AtomicOrdering::Monotonic);
  }
  static llvm::Value* place(llvm::IRBuilder<>& builder, llvm::Value* begin, std::uint64_t offset) {
    return builder.CreateIntToPtr(builder.CreateAdd(begin, builder.getInt64(offset)),
                                  builder.getPtrTy(globalAddressSpace));
  }

  llvm::Function& function_;
  const InstrumentedPlaces& places_;
  RaceArguments arguments_;
  llvm::Value *mask_ = nullptr, *cells_ = nullptr, *interval_ = nullptr;
};

}  // namespace

void markRaces(llvm::Module& module, InstrumentedPlaces& places) {
  llvm::Type* const number = llvm::Type::getInt32Ty(module.getContext());
  for (llvm::Function& function : module) {
    std::vector<llvm::Instruction*> instructions;
    for (llvm::Instruction& instruction : llvm::instructions(function)) instructions.push_back(&instruction);
    for (llvm::Instruction* instruction : instructions) {
      llvm::SmallVector<Access, 2> accesses;
      addRaceAccesses(*instruction, accesses);
      llvm::SmallVector<llvm::Metadata*, 2> sites;
      for (const Access& access : accesses)
        sites.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(number, places.add(siteOf(access)))));
      if (!sites.empty()) instruction->setMetadata(raceMetadata, llvm::MDNode::get(module.getContext(), sites));
    }
  }
}

void checkRaces(llvm::Module& module, InstrumentedPlaces& places) {
  const bool isWhole = llvm::none_of(module, [](const llvm::Function& function) {
    return function.hasLocalLinkage() && !function.use_empty() &&
           llvm::any_of(llvm::instructions(function),
                        [](const llvm::Instruction& instruction) { return instruction.hasMetadata(raceMetadata); });
  });
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) RaceChecker(function, places, isWhole).run();
}

}  // namespace clarity::compiler
