// SPDX-License-Identifier: Apache-2.0
// This file builds the loops over planes, rows of tiles and tiles, and over what tiles leave.
#include "compiler/packets/nest_writer.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/loop_properties.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <utility>

namespace clarity::compiler {
namespace {

class NestWriter {
public:
  NestWriter(llvm::Function& function, const ItemNest& nest, const PacketShape& shape, unsigned lowRows)
      : function_(function),
        nest_(nest),
        shape_(shape),
        lowRows_(lowRows),
        builder_(function.getContext()),
        type_(nest.counter[0]->getType()) {}

  void write(const BuildVisit& build) {
    const unsigned v = shape_.along, u = shape_.across, o = 3 - v - u;
    builder_.SetInsertPoint(block("packets"));
    nest_.before->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(builder_.GetInsertBlock(), nest_.before);
    begin_ = nest_.begin[v];
    if (!byRow_) setEnd(nest_.end[v]);
    Loop outer = open("plane", nest_.begin[o]);
    Loop across = open("tile.row", nest_.begin[u]);
    llvm::BasicBlock* rest = block("rest");
    const auto visitRows = [&](Visit visit, unsigned rows) {
      if (byRow_) setEnd(endOf(add(across.counter, rows - 1)));  // the shortest of them
      visitTiles(build, visit, {u, across.counter}, {o, outer.counter}, rows, *rest);
    };
    const auto visitRowsIfWhole = [&](Visit visit, unsigned rows, llvm::Value* rowsLeft) {
      llvm::Value* whole = builder_.CreateICmpUGE(rowsLeft, constant(rows));
      llvm::BasicBlock* fewer = block("rows.fewer");
      llvm::BasicBlock* tiles = block("rows.whole");
      builder_.CreateCondBr(whole, tiles, fewer);
      builder_.SetInsertPoint(tiles);
      visitRows(visit, rows);
      builder_.SetInsertPoint(fewer);
    };
    if (shape_.rows == 1) {
      visitRows(Visit::Tile, 1);
    } else {
      llvm::Value* rowsLeft = builder_.CreateSub(nest_.end[u], across.counter);
      visitRowsIfWhole(Visit::Tile, shape_.rows, rowsLeft);
      if (lowRows_) visitRowsIfWhole(Visit::LowTile, lowRows_, rowsLeft);
      addEdge(builder_.GetInsertBlock(), begin_, nest_.end[u]);
      builder_.CreateBr(rest);
    }

    builder_.SetInsertPoint(rest);
    llvm::PHINode* left = builder_.CreatePHI(type_, 4);
    llvm::PHINode* rowsEnd = builder_.CreatePHI(type_, 4);
    for (const auto& [from, columns, rows] : rows_) {
      left->addIncoming(columns, from);
      rowsEnd->addIncoming(rows, from);
    }
    visitRest(build, {u, across.counter}, {o, outer.counter}, left, rowsEnd);
    closeAt(across, rowsEnd, nest_.end[u], false);
    close(outer, 1, nest_.end[o]);
    builder_.CreateBr(nest_.after);
    nest_.after->replacePhiUsesWith(nest_.latch, builder_.GetInsertBlock());
  }

private:
  struct Loop {
    llvm::BasicBlock* head = nullptr;
    llvm::PHINode* counter = nullptr;
  };
  using At = std::pair<unsigned, llvm::Value*>;

  llvm::BasicBlock* block(const llvm::Twine& name) {
    return llvm::BasicBlock::Create(function_.getContext(), name, &function_);
  }
  llvm::Constant* constant(std::uint64_t value) { return llvm::ConstantInt::get(type_, value); }
  llvm::Value* add(llvm::Value* value, std::uint64_t by) {
    return builder_.CreateAdd(value, constant(by), "", true, true);
  }

  void addEdge(llvm::BasicBlock* block, llvm::Value* left, llvm::Value* rowsEnd) {
    rows_.push_back({block, left, rowsEnd});
  }

  void setEnd(llvm::Value* end) {
    end_ = end;
    llvm::Value* columns = byRow_ ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, end_, begin_)
                                  : builder_.CreateSub(end_, begin_);
    llvm::Value* inTiles = builder_.CreateAnd(columns, constant(~std::uint64_t{shape_.width() - 1}));
    someTiles_ = builder_.CreateICmpNE(inTiles, constant(0));
    tilesEnd_ = builder_.CreateAdd(begin_, inTiles);
  }

  /// Where a row ends.
  llvm::Value* endOf(llvm::Value* row) {
    llvm::ValueToValueMapTy map;
    map[nest_.counter[shape_.across]] = row;
    for (llvm::Instruction& instruction : *nest_.header[shape_.across]) {
      if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) continue;
      llvm::Instruction* copy = instruction.clone();
      llvm::RemapInstruction(copy, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      map[&instruction] = builder_.Insert(copy);
    }
    return map[nest_.end[shape_.along]];
  }

  /// Tiles side by side from the first column on, then to `rest`.
  void visitTiles(const BuildVisit& build, Visit visit, At across, At outer, unsigned rows, llvm::BasicBlock& rest) {
    llvm::Value* rowsEnd = add(across.second, rows);
    llvm::BasicBlock* tiles = block("tiles");
    addEdge(builder_.GetInsertBlock(), tilesEnd_, rowsEnd);  // without a tile, they end where they begin
    builder_.CreateCondBr(someTiles_, tiles, &rest);
    builder_.SetInsertPoint(tiles);
    Loop along = open("tile", begin_);
    run(build, {shape_.along, along.counter}, across, outer, nullptr, visit);
    addEdge(close(along, shape_.width(), tilesEnd_), tilesEnd_, rowsEnd);
    builder_.CreateBr(&rest);
  }

  /// Visits the rest that tiles leave, row by row.
  void visitRest(const BuildVisit& build, At across, At outer, llvm::Value* left, llvm::Value* rowsEnd) {
    llvm::BasicBlock* rowsDone = block("rows.done");
    if (!leavesNothing()) {
      llvm::BasicBlock* some = block(leavesOnePacket() ? "rest.packet" : "rest.rows");
      if (byRow_) end_ = endOf(across.second);  // the longest
      builder_.CreateCondBr(builder_.CreateICmpULT(left, end_), some, rowsDone);
      builder_.SetInsertPoint(some);
      if (shape_.rows == 1) {
        visitRestOfRow(build, across, outer, left);
      } else {
        Loop row = open("rest.row", across.second);
        llvm::BasicBlock* shorter = byRow_ ? passEmpty(row.counter, left) : nullptr;
        visitRestOfRow(build, {across.first, row.counter}, outer, left);
        if (shorter) {
          builder_.CreateBr(shorter);
          builder_.SetInsertPoint(shorter);
        }
        close(row, 1, rowsEnd);
      }
    }
    builder_.CreateBr(rowsDone);
    builder_.SetInsertPoint(rowsDone);
  }

  /// Visits one row from `left` on, of which at least one work-item is left.
  void visitRestOfRow(const BuildVisit& build, At across, At outer, llvm::Value* left) {
    Loop packet = leavesOnePacket() ? Loop() : open("rest.packet", left);
    llvm::Value* first = packet.counter ? packet.counter : left;
    // The number that is left, not the end: a vector of that would hold a register while tiles run.
    llvm::Value* count = builder_.CreateSub(end_, first);
    llvm::Value* lanes = builder_.CreateICmpULT(laneNumbers(), builder_.CreateVectorSplat(shape_.lanes, count));
    run(build, {shape_.along, first}, across, outer, lanes, Visit::Packet);
    if (packet.counter) close(packet, shape_.lanes, end_);
  }

  /// Tiles of one packet leave less than a packet of their row.
  bool leavesOnePacket() const { return shape_.rows == 1 && shape_.width() == shape_.lanes; }

  /// Some rows that end apart may have nothing left. Returns the block behind the row.
  llvm::BasicBlock* passEmpty(llvm::Value* row, llvm::Value* left) {
    end_ = endOf(row);
    llvm::BasicBlock *some = block("rest.some"), *behind = block("rest.behind");
    builder_.CreateCondBr(builder_.CreateICmpULT(left, end_), some, behind);
    builder_.SetInsertPoint(some);
    return behind;
  }

  llvm::Value* laneNumbers() {
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (unsigned i = 0; i < shape_.lanes; ++i) numbers.push_back(constant(i));
    return llvm::ConstantVector::get(numbers);
  }

  /// Sizes that are known and whole tiles leave nothing for the masked packet.
  bool leavesNothing() const {
    const auto known = [&](unsigned d) {
      const auto* begin = llvm::dyn_cast<llvm::ConstantInt>(nest_.begin[d]);
      return begin && begin->isZero() ? llvm::dyn_cast<llvm::ConstantInt>(nest_.end[d]) : nullptr;
    };
    const auto* along = known(shape_.along);
    const auto* across = known(shape_.across);
    return along && along->getZExtValue() % shape_.width() == 0 &&
           (shape_.rows == 1 || (across && across->getZExtValue() % shape_.rows == 0));
  }

  Loop open(const llvm::Twine& name, llvm::Value* begin) {
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    Loop loop;
    loop.head = block(name);
    builder_.CreateBr(loop.head);
    builder_.SetInsertPoint(loop.head);
    loop.counter = builder_.CreatePHI(type_, 2, name);
    loop.counter->addIncoming(begin, before);
    return loop;
  }

  llvm::BasicBlock* close(Loop& loop, std::uint64_t step, llvm::Value* end) {
    return closeAt(loop, add(loop.counter, step), end, hasShortTripCount(loop, step, end));
  }

  /// Returns the block that the loop is left from; the builder stands behind it.
  llvm::BasicBlock* closeAt(Loop& loop, llvm::Value* next, llvm::Value* end, bool isShort) {
    llvm::BasicBlock* latch = builder_.GetInsertBlock();
    llvm::BasicBlock* after = block("done");
    loop.counter->addIncoming(next, latch);
    llvm::BranchInst* back = builder_.CreateCondBr(builder_.CreateICmpULT(next, end), loop.head, after);
    llvm::LLVMContext& context = function_.getContext();
    llvm::SmallVector<llvm::Metadata*, 3> properties{loopProperty(context, "llvm.loop.mustprogress"),
                                                     loopProperty(context, "llvm.loop.isvectorized", 1)};
    if (!isShort) properties.push_back(loopProperty(context, "llvm.loop.unroll.disable"));
    back->setMetadata(llvm::LLVMContext::MD_loop, loopProperties(context, properties));
    builder_.SetInsertPoint(after);
    return after;
  }

  /// LLVM may fully unroll short loops of a known trip count: a processor that does not predict their end stops
  /// fetching instructions of the next work-group ahead.
  static bool hasShortTripCount(const Loop& loop, std::uint64_t step, llvm::Value* end) {
    const auto* begin = llvm::dyn_cast<llvm::ConstantInt>(loop.counter->getIncomingValue(0));
    const auto* last = llvm::dyn_cast<llvm::ConstantInt>(end);
    if (!begin || !last || last->getZExtValue() <= begin->getZExtValue()) return false;
    return llvm::divideCeil(last->getZExtValue() - begin->getZExtValue(), step) <= cost::mostStraightIterations;
  }

  void run(const BuildVisit& build, At along, At across, At outer, llvm::Value* lanes, Visit visit) {
    TileInput input;
    for (const At& at : {along, across, outer}) input.counter[at.first] = at.second;
    input.lanes = lanes;
    builder_.SetInsertPoint(build(builder_.GetInsertBlock(), input, visit));
  }

  llvm::Function& function_;
  const ItemNest& nest_;
  const PacketShape& shape_;
  const unsigned lowRows_;
  llvm::IRBuilder<> builder_;
  llvm::Type* type_;
  llvm::Value* begin_ = nullptr;     ///< along the lanes
  llvm::Value* end_ = nullptr;       ///< along the lanes
  llvm::Value* tilesEnd_ = nullptr;  ///< along the lanes
  llvm::Value* someTiles_ = nullptr;
  const bool byRow_ = endsByRow(nest_);
  struct Edge {
    llvm::BasicBlock* from;
    llvm::Value* left;  ///< first column that no tile has taken
    llvm::Value* rowsEnd;
  };
  llvm::SmallVector<Edge, 5> rows_;  ///< edges to the code for what is left of some rows
};

}  // namespace

void writeNest(llvm::Function& function, const ItemNest& nest, const PacketShape& shape, unsigned lowRows,
               const BuildVisit& build) {
  NestWriter(function, nest, shape, lowRows).write(build);
}

}  // namespace clarity::compiler
