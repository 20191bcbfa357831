// SPDX-License-Identifier: Apache-2.0
// This file builds the loops: group values first, then one loop nest a region, then the ways between regions.
#include "compiler/passes/work_item_loops.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/variance.h"
#include "compiler/attributes.h"
#include "compiler/collectives.h"
#include "compiler/kernel_abi.h"
#include "compiler/packets/choose_shape.h"
#include "compiler/transforms/chunk_loops.h"
#include "compiler/transforms/scalar_nest_width.h"
#include "compiler/passes/save_live_values.h"
#include "compiler/primitives.h"
#include "compiler/remarks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <array>
#include <cstdint>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t atTheEnd = 0xffffffff;  // "next region" of a work-item that has returned
constexpr std::uint64_t rowRounding = 64;       // work-items; keeps every row aligned to a cache line
static_assert(maxChunkItems % rowRounding == 0);

/// Values that are the same for the whole group, computed once at its start.
struct GroupValues {
  std::array<llvm::Value*, 3> end{};     ///< work-items along each dimension: one past the last counter
  std::array<llvm::Value*, 3> base{};    ///< global id of counter 0, in the counter's type; made when needed
  std::array<llvm::Value*, 3> pieceAt{};  ///< where the piece begins in its box, in the counter's type
  llvm::Value* rowItems = nullptr;       ///< work-items of the group rounded up (i64)
  llvm::Value* kept = nullptr;           ///< kept memory
};

/// One region's loop nest.
struct Nest {
  llvm::BasicBlock* before = nullptr;  ///< runs once, ahead of the loops
  llvm::BasicBlock* latch = nullptr;   ///< where a work-item's run of the region ends
  llvm::BasicBlock* after = nullptr;   ///< runs once, behind the loops
  std::array<llvm::PHINode*, 3> counter{};
  llvm::Value* row = nullptr;          ///< index of the work-item in a row (i64), made when needed
  llvm::BasicBlock* body = nullptr;    ///< first block in which counters are known
  bool linear = false;                 ///< x counts all work-items of the group, y and z nothing (sub-groups)
  std::array<llvm::Value*, 3> id{};    ///< of a linear nest: local ids, made when needed
};

class LoopBuilder {
public:
  LoopBuilder(llvm::Function& function, const BarrierRegions& regions, llvm::ArrayRef<unsigned> lanes, unsigned along, WorkItemLoopsPass::Options options)
      : function_(function), lanes_(lanes), along_(along), module_(*function.getParent()), context_(function.getContext()), regions_(regions), options_(options),
        counterType_(options.wideIds ? llvm::Type::getInt64Ty(context_) : llvm::Type::getInt32Ty(context_)) {}

  void run() {
    makeGroupEntry();
    for (unsigned i = 0; i < regions_.regions().size(); ++i) makeNest(i);
    for (unsigned i = 0; i < regions_.regions().size(); ++i) redirectExits(i);
    placePrivateMemory();
    for (unsigned i = 0; i < regions_.regions().size(); ++i) lowerRegion(i);
    if (regions_.masked()) makeDispatcher();
    else connectRegions();
    llvm::IRBuilder<>(start_).CreateBr(regions_.masked() ? dispatcher_ : nests_[0].before);
    markIndependent();
    function_.addFnAttr(spillBytesAttribute, std::to_string(spillBytes_));
  }

private:
  llvm::IntegerType* i64() const { return llvm::Type::getInt64Ty(context_); }
  llvm::IntegerType* i32() const { return llvm::Type::getInt32Ty(context_); }
  llvm::BasicBlock* newBlock(const llvm::Twine& name, llvm::BasicBlock* before = nullptr) {
    return llvm::BasicBlock::Create(context_, name, &function_, before);
  }
  llvm::Value* narrow(llvm::IRBuilder<>& builder, llvm::Value* value) { return builder.CreateTrunc(value, counterType_); }

  // --- the group ----------------------------------------------------------------------------------------------------

  void makeGroupEntry() {
    llvm::BasicBlock& oldEntry = function_.getEntryBlock();
    entry_ = newBlock("group", &oldEntry);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(oldEntry))
      if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && llvm::isa<llvm::Constant>(slot->getArraySize()))
        slot->moveBefore(*entry_, entry_->end());
    start_ = entry_;
    end_ = newBlock("group.end");
    llvm::IRBuilder<> builder(entry_);
    for (unsigned d = 0; d < 3; ++d) group_.end[d] = narrow(builder, sizeOfBox(builder, d));
    llvm::ReturnInst::Create(context_, end_);
    // A box of any size whose work-items meet (InterchangeLoopsPass) is taken piece by piece: from here on the group is a piece.
    if ((!options_.groupAgnostic && !merged_) || regions_.regions().size() == 1) return;
    const Piece piece = makePieceLoops(builder, group_.end, maxChunkItems, *end_);
    group_.end = piece.size;
    group_.pieceAt = piece.at;
    start_ = piece.start;
    end_ = piece.next;
    function_.addFnAttr(chunksAttribute, "yes");
  }

  /// Of what one run executes: a slice of work-items, of whole groups side by side, or one group.
  llvm::Value* sizeOfBox(llvm::IRBuilder<>& builder, unsigned d) {
    if (!options_.groupAgnostic && !merged_) return localSize(builder, d);
    llvm::Value* slice = builder.CreateSub(emitQuery(builder, Primitive::SliceEnd, d), emitQuery(builder, Primitive::SliceBegin, d));
    return options_.groupAgnostic ? slice : builder.CreateMul(slice, localSize(builder, d));
  }

  llvm::Value* localSize(llvm::IRBuilder<>& builder, unsigned d) {
    // An exact shape has left its size in the function's attributes (SpecializeShapePass).
    if (const auto exact = knownLocalSize(function_, d)) return builder.getInt64(*exact);
    return emitQuery(builder, Primitive::LocalSize, d);
  }

  llvm::Value* groupItems(llvm::IRBuilder<>& builder) {
    llvm::Value* items = builder.getInt64(1);
    for (unsigned d = 0; d < 3; ++d) items = builder.CreateMul(items, builder.CreateZExt(group_.end[d], i64()));
    return items;
  }

  llvm::Value* rowItems() {
    if (group_.rowItems) return group_.rowItems;
    llvm::IRBuilder<> builder(start_, startEnd());
    llvm::Value* items = builder.CreateAdd(groupItems(builder), builder.getInt64(rowRounding - 1));
    return group_.rowItems = builder.CreateAnd(items, builder.getInt64(~(rowRounding - 1)), "row.items");
  }

  llvm::Value* keptMemory() {
    if (group_.kept) return group_.kept;
    llvm::IRBuilder<> builder(start_, startEnd());
    return group_.kept = builder.CreateCall(&declarePrimitive(module_, Primitive::KeptMemory), {}, "kept");
  }

  llvm::Value* base(unsigned d) {
    if (group_.base[d]) return group_.base[d];
    llvm::IRBuilder<> builder(start_, startEnd());
    llvm::Value* first = narrow(builder, emitQuery(builder, options_.groupAgnostic || merged_ ? Primitive::SliceBegin : Primitive::GroupId, d));
    if (!options_.groupAgnostic) {
      // Code for an exact size runs for whole work-groups only.
      llvm::Value* items = merged_ || knownLocalSize(function_, d) ? localSize(builder, d) : emitQuery(builder, Primitive::EnqueuedLocalSize, d);
      first = builder.CreateMul(first, narrow(builder, items), "", true, true);
    }
    llvm::Value* base = builder.CreateAdd(narrow(builder, emitQuery(builder, Primitive::GlobalOffset, d)), first, "", true, true);
    return group_.base[d] = group_.pieceAt[d] ? builder.CreateAdd(base, group_.pieceAt[d], "", true, true) : base;
  }

  llvm::BasicBlock::iterator startEnd() { return start_->getTerminator() ? start_->getTerminator()->getIterator() : start_->end(); }

  // --- one region's loops -------------------------------------------------------------------------------------------

  void makeNest(unsigned index) {
    Nest nest;
    nest.linear = asksSubGroup(regions_.regions()[index]) && !rowsAreWholeSubGroups();
    llvm::BasicBlock* head = regions_.regions()[index].head;
    const std::string name = "region" + std::to_string(index);
    nest.before = newBlock(name + ".before", head);
    std::array<llvm::BasicBlock*, 3> header, latch;
    for (const unsigned d : {2u, 1u, 0u}) header[d] = newBlock(name + "." + "xyz"[d], head);
    for (const unsigned d : {0u, 1u, 2u}) latch[d] = newBlock(name + "." + "xyz"[d] + ".next");
    nest.after = newBlock(name + ".after");
    nest.latch = latch[0];
    nest.body = header[0];

    llvm::IRBuilder<> builder(nest.before);
    builder.CreateBr(header[2]);
    for (const unsigned d : {2u, 1u, 0u}) {
      builder.SetInsertPoint(header[d]);
      nest.counter[d] = builder.CreatePHI(counterType_, 2, std::string(1, "xyz"[d]));
      nest.counter[d]->addIncoming(llvm::ConstantInt::get(counterType_, 0), d == 2 ? nest.before : header[d + 1]);
      nest.counter[d]->setMetadata(counterMetadata, dimensionNode(d));
      if (d > 0) builder.CreateBr(header[d - 1]);
    }
    for (const unsigned d : {0u, 1u, 2u}) {
      builder.SetInsertPoint(latch[d]);
      llvm::Value* next = builder.CreateAdd(nest.counter[d], llvm::ConstantInt::get(counterType_, 1), "", true, true);
      nest.counter[d]->addIncoming(next, latch[d]);
      llvm::Value* more = builder.CreateICmpULT(next, nest.linear ? linearEnd(d) : group_.end[d]);
      llvm::BranchInst* back = builder.CreateCondBr(more, header[d], d == 2 ? nest.after : latch[d + 1]);
      back->setMetadata(itemLoopMetadata, dimensionNode(d));
      if (d == 0) innermost_.push_back(back);
    }
    builder.SetInsertPoint(header[0]);
    if (!regions_.masked()) {
      // A block of its own ahead of a region that begins with a loop.
      llvm::BasicBlock* begin = newBlock(name + ".begin", head);
      builder.CreateBr(begin);
      builder.SetInsertPoint(begin);
      builder.CreateBr(head);
      nest.body = begin;
    } else {
      llvm::BasicBlock* check = newBlock(name + ".check", head);
      builder.CreateBr(check);
      builder.SetInsertPoint(check);
      nest.row = makeRow(builder, nest);
      llvm::Value* waitsHere = builder.CreateICmpEQ(builder.CreateLoad(i32(), nextOf(builder, nest)), builder.getInt32(index));
      builder.CreateCondBr(waitsHere, head, nest.latch);
      nest.body = check;
    }
    nests_.push_back(nest);
  }

  static bool asksSubGroup(const Region& region) {
    return llvm::any_of(region.blocks, [](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [](const llvm::Instruction& instruction) { return collectiveOf(instruction, subGroupPrefix).has_value(); });
    });
  }

  /// Whether packets of consecutive work-items, a sub-group each, are neighbours along x everywhere.
  bool rowsAreWholeSubGroups() const {
    const auto* x = llvm::dyn_cast<llvm::ConstantInt>(group_.end[0]);
    const unsigned size = subGroupSizeOf(function_);
    return (isOne(1) && isOne(2)) || (x && size && x->getZExtValue() % size == 0);
  }

  bool isOne(unsigned d) const {
    const auto* end = llvm::dyn_cast<llvm::ConstantInt>(group_.end[d]);
    return end && end->isOne();
  }

  llvm::Value* linearEnd(unsigned d) {
    if (d > 0) return llvm::ConstantInt::get(counterType_, 1);
    if (linearEnd_) return linearEnd_;
    llvm::IRBuilder<> builder(start_, startEnd());
    return linearEnd_ = narrow(builder, groupItems(builder));
  }

  /// The local id of a work-item along a dimension, in the counters' type.
  llvm::Value* localId(Nest& nest, unsigned d) {
    if (!nest.linear) return nest.counter[d];
    if (nest.id[d]) return nest.id[d];
    llvm::IRBuilder<> builder(nest.body->getTerminator());
    llvm::Value* id = nest.counter[0];
    llvm::Value* zero = llvm::ConstantInt::get(counterType_, 0);
    if (d == 0 && !(isOne(1) && isOne(2))) id = isOne(0) ? zero : builder.CreateURem(id, group_.end[0]);
    if (d == 1) {
      if (!isOne(0)) id = builder.CreateUDiv(id, group_.end[0]);
      if (!isOne(2)) id = builder.CreateURem(id, group_.end[1]);
      if (isOne(1)) id = zero;
    }
    if (d == 2) id = isOne(2) ? zero : builder.CreateUDiv(id, builder.CreateMul(group_.end[0], group_.end[1]));
    return nest.id[d] = id;
  }

  llvm::MDNode* dimensionNode(unsigned d) { return llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(i32(), d))); }

  llvm::Value* makeRow(llvm::IRBuilder<>& builder, const Nest& nest) {
    auto wide = [&](llvm::Value* value) { return builder.CreateZExt(value, i64()); };
    if (nest.linear) return wide(nest.counter[0]);
    const unsigned near = along_, far = 1 - along_;
    llvm::Value* row = builder.CreateAdd(builder.CreateMul(wide(nest.counter[2]), wide(group_.end[far])), wide(nest.counter[far]));
    return builder.CreateAdd(builder.CreateMul(row, wide(group_.end[near])), wide(nest.counter[near]), "item", true, true);
  }

  llvm::Value* rowOf(Nest& nest) {
    if (nest.row) return nest.row;
    llvm::IRBuilder<> builder(nest.body->getTerminator());
    return nest.row = makeRow(builder, nest);
  }

  /// Memory of a kept variable for all work-items: `bytes` each, at the next free place.
  std::uint64_t allocateRow(std::uint64_t bytes) {
    const std::uint64_t offset = spillBytes_;
    spillBytes_ += bytes;
    return offset;
  }

  /// The start of a row, ahead of a nest.
  llvm::Value* rowFor(Nest& nest, std::uint64_t offset) {
    llvm::IRBuilder<> builder(nest.before->getTerminator());
    return builder.CreateGEP(builder.getInt8Ty(), keptMemory(), builder.CreateMul(rowItems(), builder.getInt64(offset)), "row");
  }

  llvm::Value* inRow(llvm::IRBuilder<>& builder, Nest& nest, std::uint64_t offset, std::uint64_t bytes) {
    llvm::Value* start = builder.CreateMul(rowItems(), builder.getInt64(offset));
    llvm::Value* at = builder.CreateMul(rowOf(nest), builder.getInt64(bytes), "", true, true);
    llvm::Value* row = builder.CreateGEP(builder.getInt8Ty(), keptMemory(), start);
    return builder.CreateGEP(builder.getInt8Ty(), row, at);
  }

  llvm::Value* nextOf(llvm::IRBuilder<>& builder, Nest& nest) {
    if (!nextRow_) nextRow_ = allocateRow(4);
    return inRow(builder, nest, *nextRow_, 4);
  }

  // --- ways out of a region -----------------------------------------------------------------------------------------

  void redirectExits(unsigned index) {
    const Region& region = regions_.regions()[index];
    const bool choose = regions_.masked() || region.next.size() + region.mayReturn > 1;
    for (llvm::BasicBlock* block : region.blocks) {
      llvm::Instruction* terminator = block->getTerminator();
      if (const llvm::Instruction* last = terminator->getPrevNode(); last && primitiveOf(*last) == Primitive::Barrier)
        terminator->getPrevNode()->eraseFromParent();
      terminator->setMetadata(regionHeadMetadata, nullptr);
      if (llvm::isa<llvm::ReturnInst>(terminator)) {
        llvm::BasicBlock* exit = exitBlock(index, atTheEnd, choose);
        terminator->eraseFromParent();
        llvm::IRBuilder<>(block).CreateBr(exit);
        continue;
      }
      for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
        llvm::BasicBlock* successor = terminator->getSuccessor(i);
        const auto next = regions_.regionOf(*successor);
        if (!next || regions_.regions()[*next].head != successor) continue;
        terminator->setSuccessor(i, exitBlock(index, *next, choose));
      }
    }
  }

  llvm::BasicBlock* exitBlock(unsigned index, std::uint32_t next, bool choose) {
    if (!choose) return nests_[index].latch;
    llvm::BasicBlock*& exit = exits_[{index, next}];
    if (exit) return exit;
    llvm::BasicBlock* block = newBlock("region" + llvm::Twine(index) + ".exit", nests_[index].latch);
    llvm::IRBuilder<> builder(block);
    if (regions_.masked()) {
      builder.CreateStore(builder.getInt32(next), nextOf(builder, nests_[index]));
    } else {
      if (!choice_) {
        choice_ = llvm::IRBuilder<>(entry_, entry_->begin()).CreateAlloca(i32(), nullptr, "next.region");
        choice_->setMetadata(uniformSlotMetadata, llvm::MDNode::get(context_, {}));
      }
      builder.CreateStore(builder.getInt32(next), choice_);
    }
    builder.CreateBr(nests_[index].latch);
    return exits_[{index, next}] = block;
  }

  llvm::BasicBlock* startOf(std::uint32_t region) { return region == atTheEnd ? end_ : nests_[region].before; }

  void connectRegions() {
    for (unsigned i = 0; i < regions_.regions().size(); ++i) {
      const Region& region = regions_.regions()[i];
      llvm::SmallVector<std::uint32_t, 3> next(region.next.begin(), region.next.end());
      if (region.mayReturn || next.empty()) next.push_back(atTheEnd);
      llvm::IRBuilder<> builder(nests_[i].after);
      if (next.size() == 1) {
        builder.CreateBr(startOf(next[0]));
        continue;
      }
      llvm::SwitchInst* branch = builder.CreateSwitch(builder.CreateLoad(i32(), choice_), startOf(next[0]));
      for (const std::uint32_t target : llvm::ArrayRef(next).drop_front()) branch->addCase(builder.getInt32(target), startOf(target));
    }
  }

  /// Finds the lowest region that a work-item waits for.
  void makeDispatcher() {
    llvm::IRBuilder<> builder(start_);
    llvm::Value* row = builder.CreateGEP(builder.getInt8Ty(), keptMemory(), builder.CreateMul(rowItems(), builder.getInt64(*nextRow_)));
    // Items of the row beyond the group's never run: they must not wait for region 0.
    builder.CreateMemSet(row, builder.getInt8(0xff), builder.CreateMul(rowItems(), builder.getInt64(4)), llvm::MaybeAlign(64));
    llvm::Value* items = groupItems(builder);
    builder.CreateMemSet(row, builder.getInt8(0), builder.CreateMul(items, builder.getInt64(4)), llvm::MaybeAlign(64));

    dispatcher_ = newBlock("dispatch");
    llvm::BasicBlock* scan = newBlock("dispatch.scan");
    llvm::BasicBlock* go = newBlock("dispatch.go");
    builder.SetInsertPoint(dispatcher_);
    builder.CreateBr(scan);
    builder.SetInsertPoint(scan);
    llvm::PHINode* item = builder.CreatePHI(i64(), 2);
    llvm::PHINode* lowest = builder.CreatePHI(i32(), 2);
    item->addIncoming(builder.getInt64(0), dispatcher_);
    lowest->addIncoming(builder.getInt32(atTheEnd), dispatcher_);
    llvm::Value* next = builder.CreateLoad(i32(), builder.CreateGEP(i32(), row, item));
    llvm::Value* lower = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lowest, next);
    llvm::Value* following = builder.CreateAdd(item, builder.getInt64(1), "", true, true);
    item->addIncoming(following, scan);
    lowest->addIncoming(lower, scan);
    builder.CreateCondBr(builder.CreateICmpULT(following, rowItems()), scan, go);
    builder.SetInsertPoint(go);
    llvm::SwitchInst* branch = builder.CreateSwitch(lower, end_);
    for (unsigned i = 0; i < nests_.size(); ++i) {
      branch->addCase(builder.getInt32(i), nests_[i].before);
      llvm::IRBuilder<>(nests_[i].after).CreateBr(dispatcher_);
    }
  }

  // --- private memory -----------------------------------------------------------------------------------------------

  /// Private variables of one run of one region share a place on the stack; those that other regions see, or the
  /// next run of the same region, have one for each work-item.
  void placePrivateMemory() {
    llvm::SmallVector<llvm::AllocaInst*, 16> slots;
    for (llvm::Instruction& instruction : *entry_)
      if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && slot != choice_ && !slot->getMetadata(uniformSlotMetadata))
        slots.push_back(slot);
    for (llvm::AllocaInst* slot : slots)
      if (regions_.outlivesRegion(*slot)) keepForEachItem(*slot);
  }

  void keepForEachItem(llvm::AllocaInst& slot) {
    const llvm::DataLayout& layout = module_.getDataLayout();
    const std::uint64_t bytes = llvm::alignTo(layout.getTypeAllocSize(slot.getAllocatedType()).getFixedValue() *
                                                  llvm::cast<llvm::ConstantInt>(slot.getArraySize())->getZExtValue(), slot.getAlign());
    const std::uint64_t offset = allocateRow(bytes);
    remarkKept(slot, bytes);
    llvm::DenseMap<unsigned, llvm::Value*> places;
    for (llvm::Use& use : llvm::make_early_inc_range(slot.uses())) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user); intrinsic && intrinsic->isLifetimeStartOrEnd()) {
        user->eraseFromParent();
        continue;
      }
      if (primitiveOf(*user) == Primitive::Collective) {
        use.set(rowFor(nests_[*regions_.regionOf(*user->getParent())], offset));
        continue;
      }
      const llvm::BasicBlock* block = user->getParent();
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) block = phi->getIncomingBlock(use);
      const unsigned region = regions_.regionOf(*block).value_or(0);
      llvm::Value*& place = places[region];
      if (!place) {
        rowOf(nests_[region]);
        llvm::IRBuilder<> builder(nests_[region].body->getTerminator());
        place = inRow(builder, nests_[region], offset, bytes);
        place->setName(slot.getName());
        if (llvm::MDNode* known = slot.getMetadata(variableMetadata)) llvm::cast<llvm::Instruction>(place)->setMetadata(variableMetadata, known);
      }
      use.set(place);
    }
    slot.eraseFromParent();
  }

  // --- a region's instructions --------------------------------------------------------------------------------------

  void lowerRegion(unsigned index) {
    Nest& nest = nests_[index];
    for (llvm::BasicBlock* block : regions_.regions()[index].blocks)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
          const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
          // Read ahead of the loops: work-items of this run store the value for the next one.
          if (slot && slot->getMetadata(uniformSlotMetadata)) load->moveBefore(nest.before->getTerminator()->getIterator());
          continue;
        }
        const auto primitive = primitiveOf(instruction);
        if (primitive == Primitive::SubGroup) lowerSubGroup(llvm::cast<llvm::CallInst>(instruction), nest);
        else if (primitive == Primitive::Collective) askOnce(llvm::cast<llvm::CallInst>(instruction), nest);
        else if (primitive == Primitive::Barrier) instruction.eraseFromParent();  // values may be stored behind it
        else if (primitive == Primitive::LocalId || primitive == Primitive::GlobalId)
          lowerId(llvm::cast<llvm::CallInst>(instruction), *primitive, nest);
      }
  }

  /// The number of a work-item's sub-group follows from its linear id. All else is left to the packets.
  void lowerSubGroup(llvm::CallInst& query, Nest& nest) {
    if (collectiveOf(query, subGroupPrefix)->kind != Collective::Kind::Id || query.arg_size() > 0) return;
    llvm::Value* item = rowOf(nest);
    llvm::IRBuilder<> builder(&query);
    llvm::FunctionCallee numbered = module_.getOrInsertFunction((llvm::StringRef(subGroupPrefix) + "id_of").str(), i32(), i32());
    llvm::CallInst* id = builder.CreateCall(numbered, {builder.CreateTrunc(item, i32())}, query.getName());
    id->setDoesNotAccessMemory();
    id->setDoesNotThrow();
    query.replaceAllUsesWith(id);
    query.eraseFromParent();
  }

  /// What the group computes together it computes once, ahead of the region's loops.
  void askOnce(llvm::CallInst& question, Nest& nest) {
    llvm::IRBuilder<> builder(nest.before->getTerminator());
    question.setArgOperand(1, groupItems(builder));
    question.moveBefore(nest.before->getTerminator()->getIterator());
  }

  void lowerId(llvm::CallInst& query, Primitive primitive, Nest& nest) {
    llvm::IRBuilder<> builder(&query);
    llvm::Value* id = nullptr;
    if (const auto d = dimensionOf(query)) {
      id = idOf(builder, primitive, *d, nest);
    } else {
      // A dimension that is only known when running: pick among the three.
      id = builder.getInt64(0);
      for (unsigned d = 0; d < 3; ++d)
        id = builder.CreateSelect(builder.CreateICmpEQ(query.getArgOperand(0), builder.getInt32(d)), idOf(builder, primitive, d, nest), id);
    }
    query.replaceAllUsesWith(id);
    query.eraseFromParent();
  }

  llvm::Value* idOf(llvm::IRBuilder<>& builder, Primitive primitive, unsigned d, Nest& nest) {
    llvm::Value* id = localId(nest, d);
    if (primitive == Primitive::GlobalId) id = builder.CreateAdd(base(d), bundled_ ? inBundle(builder, d, nest) : id, "", true, true);
    return builder.CreateZExt(id, i64());
  }

  /// Work-groups of a bundle, side by side along x, are counted by y.
  llvm::Value* inBundle(llvm::IRBuilder<>& builder, unsigned d, Nest& nest) {
    if (d != 0) return llvm::ConstantInt::get(counterType_, 0);
    return builder.CreateAdd(builder.CreateMul(nest.counter[1], group_.end[0], "", true, true), nest.counter[0], "", true, true);
  }

  /// Tells LLVM that work-items do not depend on each other between barriers.
  void markIndependent() {
    for (unsigned i = 0; i < regions_.regions().size(); ++i) {
      llvm::MDNode* group = llvm::MDNode::getDistinct(context_, {});
      for (llvm::BasicBlock* block : regions_.regions()[i].blocks)
        for (llvm::Instruction& instruction : *block)
          if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction); pointer && !inSharedStack(*pointer))
            instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
      if (llvm::BasicBlock* check = nests_[i].body; regions_.masked())
        for (llvm::Instruction& instruction : *check)
          if (instruction.mayReadOrWriteMemory()) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
      for (const auto& [key, exit] : exits_)
        if (key.first == i && regions_.masked())
          for (llvm::Instruction& instruction : *exit)
            if (instruction.mayReadOrWriteMemory()) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
      llvm::Metadata* parallel[] = {llvm::MDString::get(context_, "llvm.loop.parallel_accesses"), group};
      llvm::Metadata* progress[] = {llvm::MDString::get(context_, "llvm.loop.mustprogress")};
      llvm::SmallVector<llvm::Metadata*, 4> properties{nullptr, llvm::MDNode::get(context_, parallel), llvm::MDNode::get(context_, progress)};
      if (lanes_[i]) {
        llvm::Metadata* width[] = {llvm::MDString::get(context_, "llvm.loop.vectorize.width"),
                                   llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(i32(), lanes_[i]))};
        properties.push_back(llvm::MDNode::get(context_, width));
      }
      llvm::MDNode* loop = llvm::MDNode::getDistinct(context_, properties);
      loop->replaceOperandWith(0, loop);
      innermost_[i]->setMetadata(llvm::LLVMContext::MD_loop, loop);
    }
  }

  static bool inSharedStack(const llvm::Value& pointer) {
    const llvm::Value* base = llvm::getUnderlyingObject(&pointer, 0);
    if (llvm::isa<llvm::AllocaInst>(base)) return true;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(base)) return !primitiveOf(*call);
    return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::LoadInst, llvm::IntToPtrInst>(base) && base->getType()->getPointerAddressSpace() % 4 == 0;
  }

  llvm::Function& function_;
  const llvm::ArrayRef<unsigned> lanes_;  ///< by region: how many work-items a vector should hold; 0: LLVM decides
  const unsigned along_;  ///< dimension whose neighbours lie side by side in rows
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const BarrierRegions& regions_;
  const WorkItemLoopsPass::Options options_;
  const bool merged_ = function_.hasFnAttribute(mergedGroupsAttribute);  ///< groups side by side run as one
  const bool bundled_ = interleavedGroups(function_) > 1;
  llvm::Type* const counterType_;
  llvm::BasicBlock* entry_ = nullptr;   ///< of the function: places on the stack
  llvm::BasicBlock* start_ = nullptr;   ///< of the group, or of a piece of the box: its values
  llvm::BasicBlock* end_ = nullptr;
  llvm::BasicBlock* dispatcher_ = nullptr;
  llvm::AllocaInst* choice_ = nullptr;
  GroupValues group_;
  llvm::Value* linearEnd_ = nullptr;  ///< work-items of the group, in the counters' type
  llvm::SmallVector<Nest, 4> nests_;
  llvm::SmallVector<llvm::BranchInst*, 4> innermost_;
  llvm::DenseMap<std::pair<unsigned, std::uint32_t>, llvm::BasicBlock*> exits_;
  std::optional<std::uint64_t> nextRow_;
  std::uint64_t spillBytes_ = 0;
};

/// Whether rows must hold values in the order of the work-items' linear ids, because scans and sums go by it. Along y it is the same.
bool inWorkItemOrder(llvm::Function& function, const std::array<std::uint64_t, 3>& items) {
  return items[0] != 1 && llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto primitive = primitiveOf(instruction);
    return primitive == Primitive::Collective || primitive == Primitive::SubGroup;
  });
}

}  // namespace

llvm::PreservedAnalyses WorkItemLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const BarrierRegions regions = analyses.getResult<BarrierRegionsAnalysis>(function);
  const VarianceInfo& variance = analyses.getResult<VarianceAnalysis>(function);
  llvm::SmallVector<unsigned, 4> lanes;
  for (const Region& region : regions.regions()) lanes.push_back(scalarNestWidth(region, variance, options.vectorBits));
  std::array<std::uint64_t, 3> items{};
  for (unsigned d = 0; d < 3 && !function.hasFnAttribute(mergedGroupsAttribute); ++d)
    items[d] = knownLocalSize(function, d).value_or(0);
  // A bundle goes through memory along x, and may be of few groups: along y most lanes would be empty.
  const bool alongX = interleavedGroups(function) > 1 || inWorkItemOrder(function, items);
  const unsigned along = alongX ? 0 : chooseDimension(function, variance, analyses.getResult<llvm::LoopAnalysis>(function), items);
  function.addFnAttr(lanesAlongAttribute, std::to_string(along));
  LoopBuilder(function, regions, lanes, along, options).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
