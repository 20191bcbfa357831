// SPDX-License-Identifier: Apache-2.0
// This file splits the index set of a nest: a copy, the interior version, for the interior of each row; the nest as it
// was, the general version, for both ends.
#include "compiler/passes/split_interior.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/packets/packet_shape.h"
#include "compiler/transforms/interior_range.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

/// Rows of a band where no row is cut: so many that there is one band.
constexpr std::uint64_t allRows = std::uint64_t{1} << 30;

/// GuardDivisionPass compares dividends with the least number: that alone is not worth a copy.
bool guardsDivision(const BoundaryOperation& operation) {
  const llvm::APInt* bound;
  return operation.kind == BoundaryOperation::Kind::Comparison &&
         match(operation.bound, llvm::PatternMatch::m_APInt(bound)) && bound->isMinSignedValue();
}

class InteriorSplitter {
public:
  InteriorSplitter(ItemNest& nest, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution, unsigned along,
                   bool hasMaskRegisters)
      : nest_(nest),
        loops_(loops),
        evolution_(evolution),
        along_(along),
        hasMaskRegisters_(hasMaskRegisters),
        function_(*nest.before->getParent()),
        forms_(nest, blocks_, loops),
        builder_(nest.before->getContext(), llvm::InstSimplifyFolder(nest.before->getDataLayout())) {}

  /// Whether anything depends on the boundaries; then the interior of a row is computed before the nest. Leaves all
  /// loops as they are.
  bool solve() {
    auto blocks = blocksToCopy(nest_, loops_);
    if (!blocks) return false;
    blocks_ = *std::move(blocks);
    operations_ = BoundaryOperations(nest_, forms_, loops_, evolution_, along_).find();
    if (llvm::all_of(operations_, guardsDivision)) return false;
    builder_.SetInsertPoint(nest_.before->getTerminator());
    InteriorRange range(nest_, forms_, blocks_, loops_, evolution_, along_, builder_);
    for (BoundaryOperation& operation : operations_) range.restrictTo(operation);
    const std::uint64_t items = mostItems(nest_, along_);
    small_ = items > 0 && items <= cost::interior::mostRowTogether;
    if (small_)
      checkWhole(range);
    else
      cutAtUnits(range);
    if (match(some_, llvm::PatternMatch::m_Zero())) return false;
    for (const BoundaryOperation& operation : operations_)
      remark(*operation.instruction, RemarkKind::Version,
             "loop split into interior and boundary: no bounds check in the interior");
    return true;
  }

  /// Whether solve() has computed the ends of an interior, if only to find that there is none.
  bool hasLooked() const { return some_ != nullptr; }

  /// Makes the two versions. Analyses of the function's loops do not hold from here on.
  void split() {
    if (small_)
      chooseVersion();
    else
      cutRows();
  }

private:
  llvm::Value* constant(std::int64_t value) { return builder_.getInt64(static_cast<std::uint64_t>(value)); }

  /// Short rows are not cut: the whole row must be interior.
  void checkWhole(InteriorRange& range) {
    llvm::Value* whole = builder_.CreateAnd(builder_.CreateICmpSLE(range.low(), range.begin()),
                                            builder_.CreateICmpSGE(range.high(), range.end()));
    some_ = builder_.CreateAnd(range.exists(), whole);
  }

  /// The interior of a row, cut at multiples of a cache line, or an empty range.
  void cutAtUnits(InteriorRange& range) {
    llvm::Value *exists = range.exists(), *begin = range.begin(), *end = range.end();
    const std::int64_t unit = unitOf();
    const auto units = [&](llvm::Value* items) { return builder_.CreateAnd(items, constant(-unit)); };
    llvm::Value* low = builder_.CreateAdd(
        begin, units(builder_.CreateAdd(builder_.CreateSub(range.low(), begin), constant(unit - 1))));
    llvm::Value* high = builder_.CreateAdd(begin, units(builder_.CreateSub(range.high(), begin)));
    high = builder_.CreateSelect(builder_.CreateICmpEQ(range.high(), end), end, high);
    const bool known = llvm::isa<llvm::ConstantInt>(low) && llvm::isa<llvm::ConstantInt>(high);
    const std::int64_t least = leastItems(known);
    some_ = builder_.CreateAnd(exists, builder_.CreateICmpSGE(builder_.CreateSub(high, low), constant(least)));
    llvm::Type* type = nest_.counter[along_]->getType();
    low_ = builder_.CreateTrunc(builder_.CreateSelect(some_, low, end), type);
    high_ = builder_.CreateTrunc(builder_.CreateSelect(some_, high, end), type);
  }

  /// The smallest interior that repays splitting, which visits a row three times. Gathers, and tests in loops, cost
  /// more than that; masks for single accesses in short rows cost less, the least where the processor has mask
  /// registers.
  std::int64_t leastItems(bool endsKnown) const {
    if (!isLight()) return cost::interior::leastItems;
    const std::int64_t least = hasMaskRegisters_ ? cost::interior::leastLightItems : cost::interior::leastUnmaskedItems;
    return endsKnown ? std::min(least, cost::interior::leastKnownLines * itemsOfLine()) : least;
  }

  /// Whether the interior saves only single masks.
  bool isLight() const {
    return llvm::all_of(operations_, [&](const BoundaryOperation& operation) {
      const bool alone = loops_.getLoopFor(operation.instruction->getParent()) == loops_.getLoopFor(nest_.header[0]);
      return alone && operation.kind == BoundaryOperation::Kind::Comparison &&
             llvm::none_of(operation.instruction->users(),
                           [](const llvm::User* user) { return llvm::isa<llvm::SelectInst>(user); });
    });
  }

  /// Work-items whose widest elements fill a line of the cache.
  std::int64_t itemsOfLine() const {
    std::uint64_t bytes = 1;
    for (const llvm::BasicBlock* block : blocks_)
      for (const llvm::Instruction& instruction : *block)
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
          bytes = std::max<std::uint64_t>(
              bytes, function_.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
    return static_cast<std::int64_t>(std::bit_floor(std::max<std::uint64_t>(cost::cacheLine / bytes, 1)));
  }

  /// Packets of the interior begin where the row's cache lines do.
  std::int64_t unitOf() const {
    return std::clamp<std::int64_t>(itemsOfLine(), cost::interior::leastUnit, cost::interior::mostUnit);
  }

  llvm::BasicBlock* block(const char* name, llvm::BasicBlock* before) {
    return llvm::BasicBlock::Create(function_.getContext(), name, &function_, before);
  }

  /// The copy of the nest for the interior; returns its outermost header.
  llvm::BasicBlock* makeInterior(llvm::ValueToValueMapTy& copies) {
    llvm::BasicBlock* header = copyNest(nest_, blocks_, copies);
    simplify(copies);
    llvm::cast<llvm::BasicBlock>(copies[nest_.latch])
        ->getTerminator()
        ->setMetadata(interiorMetadata, llvm::MDNode::get(function_.getContext(), {}));
    for (const llvm::BasicBlock* block : blocks_)
      llvm::ConstantFoldTerminator(llvm::cast<llvm::BasicBlock>(copies[block]), /*DeleteDeadConditions=*/true);
    return header;
  }

  void simplify(llvm::ValueToValueMapTy& copies) {
    llvm::SmallVector<llvm::WeakTrackingVH, 32> work;
    for (const BoundaryOperation& operation : operations_) {
      auto* old = llvm::cast<llvm::Instruction>(copies[operation.instruction]);
      // The results take the place of the operations in this map, too.
      llvm::Value* affine = &copyOf(*operation.affine, copies);
      llvm::Value* result = operation.interior;
      if (operation.kind == BoundaryOperation::Kind::Minimum || operation.kind == BoundaryOperation::Kind::Maximum)
        result = operation.takesBound ? &copyOf(*operation.bound, copies) : affine;
      if (operation.kind == BoundaryOperation::Kind::Remainder)
        result = llvm::IRBuilder<>(old).CreateSub(affine, operation.interior);
      for (llvm::User* user : old->users()) work.emplace_back(user);
      old->replaceAllUsesWith(result);
      copies[operation.instruction] = result;
      old->eraseFromParent();
    }
    // `x > 0 && y > 0` is the second alone.
    while (!work.empty()) {
      auto* user = llvm::dyn_cast_or_null<llvm::Instruction>(static_cast<llvm::Value*>(work.pop_back_val()));
      if (!user || user->use_empty()) continue;
      llvm::Value* simple = llvm::simplifyInstruction(user, llvm::SimplifyQuery(function_.getDataLayout(), user));
      if (!simple || simple == user) continue;
      for (llvm::User* next : user->users()) work.emplace_back(next);
      user->replaceAllUsesWith(simple);
    }
  }

  /// Short rows: the whole row runs the interior version or the general version.
  void chooseVersion() {
    llvm::ValueToValueMapTy copies;
    llvm::BasicBlock* copied = makeInterior(copies);
    enterOneOf(nest_, *some_, {*copied, "interior"}, {*nest_.header[2], "boundary"});
  }

  /// The loops of a version run over a part of the work-items along a dimension.
  struct Part {
    llvm::Value *begin = nullptr, *end = nullptr;
  };

  /// A loop over the bands of a dimension, around the loops over work-items: `open` begins an iteration, `close` leads
  /// to the next one. A band is a few rows, or one plane.
  struct Bands {
    llvm::BasicBlock *open = nullptr, *close = nullptr;
    Part part;
  };

  /// Where it is known to be one band, there is no loop.
  std::optional<Bands> makeBands(unsigned dimension, std::uint64_t rows, llvm::BasicBlock& from,
                                 llvm::BasicBlock& after) {
    if (const std::uint64_t items = mostItems(nest_, dimension); items > 0 && items <= rows) return std::nullopt;
    Bands bands{block("band", nest_.header[2]), block("band.next", nest_.after), {}};
    llvm::Type* type = nest_.counter[dimension]->getType();
    // Rows that are not cut run as they did.
    llvm::Value* all =
        builder_.CreateSelect(some_, llvm::ConstantInt::get(type, rows), llvm::ConstantInt::get(type, allRows));
    llvm::IRBuilder<> builder(bands.open);
    llvm::PHINode* first = builder.CreatePHI(type, 2);
    llvm::Value* next = builder.CreateNUWAdd(first, all);
    next = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, next, nest_.end[dimension]);
    first->addIncoming(nest_.begin[dimension], &from);
    first->addIncoming(next, bands.close);
    bands.part = {first, next};
    builder.SetInsertPoint(bands.close);
    builder.CreateCondBr(builder.CreateICmpULT(next, nest_.end[dimension]), bands.open, &after);
    return bands;
  }

  /// Long rows: the general version runs twice, for the left and the right end; the interior version once. This is done
  /// for a few rows at a time (a band), so that they stay in the caches.
  void cutRows() {
    const unsigned across = 1 - along_;
    llvm::BasicBlock *from = nest_.before, *after = nest_.after;
    std::array<Part, 3> parts;
    for (unsigned d = 0; d < 3; ++d) parts[d] = {nest_.begin[d], nest_.end[d]};
    llvm::BranchInst* leave = llvm::cast<llvm::BranchInst>(nest_.before->getTerminator());
    for (const auto& [dimension, rows] : {std::pair(2U, std::uint64_t{1}), std::pair(across, cost::interior::bandRows)})
      if (const auto bands = makeBands(dimension, rows, *from, *after)) {
        leave->setSuccessor(0, bands->open);
        leave = llvm::BranchInst::Create(nest_.header[2], bands->open);
        parts[dimension] = bands->part;
        from = bands->open;
        after = bands->close;
      }

    llvm::BasicBlock *between = block("between", nest_.after), *interior = block("interior", nest_.after);
    llvm::ValueToValueMapTy copies;
    llvm::BasicBlock* copied = makeInterior(copies);
    const Part inner{low_, high_};
    const Ends outer = makeEnds(*leave, *from, *between, parts[along_]);
    for (unsigned d = 0; d < 3; ++d) {
      const Part &general = d == along_ ? outer.part : parts[d], &special = d == along_ ? inner : parts[d];
      setCounterRange(*nest_.counter[d], *nest_.latches[d], general.begin, general.end);
      setCounterRange(*llvm::cast<llvm::PHINode>(copies[nest_.counter[d]]),
                      *llvm::cast<llvm::BasicBlock>(copies[nest_.latches[d]]), special.begin, special.end);
    }
    enterNest(*nest_.header[2], nest_, *outer.open);
    enterNest(*copied, nest_, *interior);
    llvm::cast<llvm::BranchInst>(nest_.latches[2]->getTerminator())->setSuccessor(1, outer.close);
    llvm::cast<llvm::BranchInst>(llvm::cast<llvm::BasicBlock>(copies[nest_.latches[2]])->getTerminator())
        ->setSuccessor(1, after);
    builder_.SetInsertPoint(between);
    builder_.CreateCondBr(builder_.CreateICmpULT(low_, high_), interior, after);
    llvm::ConstantFoldTerminator(between);
  }

  /// The ends of a row: a loop over the left and the right one, or one of them where the other is known to be empty.
  struct Ends {
    llvm::BasicBlock *open = nullptr, *close = nullptr;
    Part part;
  };

  Ends makeEnds(llvm::BranchInst& leave, llvm::BasicBlock& from, llvm::BasicBlock& between, const Part& row) {
    llvm::BasicBlock *ends = block("ends", nest_.header[2]), *end = block("end", nest_.header[2]);
    leave.setSuccessor(0, ends);
    builder_.SetInsertPoint(ends);
    if (low_ == row.begin || high_ == row.end) {
      const Part part = high_ == row.end ? Part{row.begin, low_} : Part{high_, row.end};
      builder_.CreateCondBr(builder_.CreateICmpULT(part.begin, part.end), end, &between);
      llvm::ConstantFoldTerminator(ends);
      return {end, &between, part};
    }
    llvm::BasicBlock* next = block("end.next", &between);
    llvm::PHINode* second = builder_.CreatePHI(builder_.getInt1Ty(), 2, "second");
    second->addIncoming(builder_.getFalse(), &from);
    second->addIncoming(builder_.getTrue(), next);
    const Part part{builder_.CreateSelect(second, high_, row.begin), builder_.CreateSelect(second, row.end, low_)};
    builder_.CreateCondBr(builder_.CreateICmpULT(part.begin, part.end), end, next);
    builder_.SetInsertPoint(next);
    builder_.CreateCondBr(second, &between, ends);
    return {end, next, part};
  }

  ItemNest& nest_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  const unsigned along_;
  const bool hasMaskRegisters_;
  llvm::Function& function_;
  NestBlocks blocks_;
  AffineForms forms_;
  AheadBuilder builder_;
  llvm::SmallVector<BoundaryOperation, 8> operations_;
  llvm::Value *low_ = nullptr, *high_ = nullptr;  ///< bounds of the interior
  llvm::Value* some_ = nullptr;                   ///< whether there is an interior
  bool small_ = false;                            ///< no row is cut: it runs one of the two versions
};

}  // namespace

llvm::PreservedAnalyses SplitInteriorPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const unsigned along = lanesAlong(function);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  // Only with mask registers can x86 mask bytes.
  const bool hasMaskRegisters = analyses.getResult<llvm::TargetIRAnalysis>(function).isLegalMaskedLoad(
      llvm::Type::getInt8Ty(function.getContext()), llvm::Align(1), globalAddressSpace);
  auto nests = findItemNests(function);
  bool looked = false;
  std::vector<std::unique_ptr<InteriorSplitter>> splitters;
  for (ItemNest& nest : nests) {
    if (asksSubGroup(nest)) continue;
    auto splitter = std::make_unique<InteriorSplitter>(nest, loops, evolution, along, hasMaskRegisters);
    const bool pays = splitter->solve();
    looked |= splitter->hasLooked();
    if (pays) splitters.push_back(std::move(splitter));
  }
  if (splitters.empty()) return looked ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  for (const auto& splitter : splitters) splitter->split();
  llvm::EliminateUnreachableBlocks(function);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
