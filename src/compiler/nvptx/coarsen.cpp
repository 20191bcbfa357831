// SPDX-License-Identifier: Apache-2.0
// This file copies a kernel's instructions for the work-items of a thread.
#include "compiler/nvptx/coarsen.h"

#include "compiler/analysis/variance.h"
#include "compiler/cost_model.h"
#include "compiler/primitives.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <memory>
#include <utility>

namespace clarity::compiler::nvptx {
namespace {

using PerCell = llvm::SmallVector<llvm::Value*, 4>;

/// A box of cells: along each dimension one or all.
struct Box {
  static constexpr int every = -1;
  std::array<int, 3> at{every, every, every};
};

struct Context;

/// An edge of the new code: from which block of the old kernel, and where the values of its phis are found.
struct Edge {
  const llvm::BasicBlock* from = nullptr;  ///< nullptr: `values` has them
  llvm::BasicBlock* block = nullptr;
  const Context* context = nullptr;
  llvm::DenseMap<const llvm::PHINode*, PerCell> values{};
};

/// A part of the kernel that some cells execute together.
struct Context {
  const Context* parent = nullptr;
  Box box;
  const llvm::BasicBlock* exit = nullptr;    ///< of the old kernel: where others are met again
  llvm::BasicBlock* end = nullptr;           ///< stands for it
  const llvm::BasicBlock* agreed = nullptr;  ///< at its branch all cells are known to agree
  unsigned versions = 0;                     ///< how many agreements around it
  const llvm::Loop* together = nullptr;      ///< a loop that its cells are in together, until the first leaves
  Edge left{};                               ///< where all have left it
  std::vector<Edge> exitEdges{};
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> blocks{};
  std::map<const llvm::BasicBlock*, std::vector<Edge>> edges{};
  std::map<unsigned, const llvm::BasicBlock*> pending{};  ///< by place in reverse post-order
  llvm::DenseMap<const llvm::Value*, PerCell> values{};
};

class Coarsener {
public:
  Coarsener(llvm::Function& kernel, const Cells& cells)
      : kernel_(kernel), cells_(cells), variance_(kernel), dominators_(kernel), loops_(dominators_), after_(kernel) {
    for (unsigned d = 0; d < 3; ++d)
      if (cells.count[d] > 1) tiled_ = tiled_ | Dimensions::only(d);
    all_ = cells.count[0] * cells.count[1] * cells.count[2];
    unsigned place = 0;
    for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&kernel))
      place_[block] = place++;
  }

  bool run(std::string& why) {
    if (!check(why)) return false;
    Context whole;
    llvm::SmallVector<llvm::BasicBlock*, 16> old;
    for (llvm::BasicBlock& block : kernel_) old.push_back(&block);
    llvm::BasicBlock* entry = blockOf(whole, &kernel_.getEntryBlock());
    entry->moveBefore(&kernel_.getEntryBlock());
    emitPending(whole);
    for (llvm::BasicBlock* block : old) block->dropAllReferences();
    for (llvm::BasicBlock* block : old) block->eraseFromParent();
    return true;
  }

private:
  // --- what is possible ----------------------------------------------------------------------------------------------

  bool check(std::string& why) {
    for (const llvm::BasicBlock& block : kernel_) {
      if (!place_.contains(&block)) return refuse(why, "it has code that is never reached");
      for (const llvm::Instruction& instruction : block)
        if (!isPossible(instruction, why)) return false;
      const Dimensions parting = partingOf(block);
      if (!anyTiled(parting)) continue;
      const llvm::BasicBlock* meeting = meetingOf(block);
      if (!meeting) return refuse(why, "work-items diverge and never meet again");
      for (const llvm::Loop* loop = loops_.getLoopFor(&block); loop && !loop->contains(meeting);
           loop = loop->getParentLoop())
        loopParting_[loop] = loopParting_[loop] | parting;
    }
    for (const auto& [loop, parting] : loopParting_) {
      const llvm::BasicBlock* end = loop->getLoopPreheader() ? endOf(*loop) : nullptr;
      const llvm::Loop* around = loop->getParentLoop();
      if (!end ||
          (around && !around->contains(end) && (loopParting_.lookup(around).bits() & parting.bits()) != parting.bits()))
        return refuse(why, "a loop has no single place behind it");
    }
    return true;
  }

  static bool refuse(std::string& why, const char* text) {
    why = text;
    return false;
  }

  bool isPossible(const llvm::Instruction& instruction, std::string& why) const {
    if (llvm::isa<llvm::SwitchInst, llvm::IndirectBrInst, llvm::InvokeInst, llvm::CallBrInst>(instruction))
      return refuse(why, "it has a branch of many ways");
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        slot && !(slot->isStaticAlloca() && slot->getParent() == &kernel_.getEntryBlock()))
      return refuse(why, "it has a private variable of variable size");
    if (instruction.getType()->isTokenTy()) return refuse(why, "it has a token");
    if (waits(instruction) && loops_.getLoopFor(instruction.getParent()))
      return refuse(why, "it may wait for another work-item");
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call) return true;
    if (call->isInlineAsm() || !call->getCalledFunction()) return refuse(why, "it calls code that is not known");
    const auto primitive = primitiveOf(instruction);
    if (!primitive) {
      if (!call->getCalledFunction()->isDeclaration()) return refuse(why, "it calls a function that was not inlined");
      return !call->isConvergent() || refuse(why, "it calls a function that work-items call together");
    }
    switch (*primitive) {
      case Primitive::GlobalId:
      case Primitive::LocalId: return dimensionOf(*call) || refuse(why, "it asks for an id of a dimension that varies");
      case Primitive::Barrier:
        return !anyTiled(variance_.divergence(*call->getParent())) ||
               refuse(why, "its work-items may diverge ahead of a barrier");
      case Primitive::WorkGroupCollective:
      case Primitive::SubGroup:
      case Primitive::Collective: return refuse(why, "its work-items compute together");
      default: return true;
    }
  }

  static bool waits(const llvm::Instruction& instruction) {
    return (instruction.isAtomic() || instruction.isVolatile()) && !instruction.use_empty();
  }

  // --- what differs
  // ---------------------------------------------------------------------------------------------------

  bool anyTiled(Dimensions dimensions) const { return (dimensions.bits() & tiled_.bits()) != 0; }

  /// The dimensions along which work-items may leave a block in different ways.
  Dimensions partingOf(const llvm::BasicBlock& block) const {
    const llvm::Instruction* terminator = block.getTerminator();
    if (terminator->getNumSuccessors() < 2) return {};
    return variance_.of(*terminator->getOperand(0)).dims | variance_.of(*terminator).dims;
  }

  /// The dimensions along which an instruction is copied.
  Dimensions copiesOf(const llvm::Instruction& instruction) const {
    if (llvm::isa<llvm::AllocaInst>(instruction) || variance_.privateAddress(instruction)) return Dimensions::all();
    const auto primitive = primitiveOf(instruction);
    if (primitive == Primitive::Barrier) return {};
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && !primitive && !llvm::isa<llvm::IntrinsicInst>(call) && call->mayHaveSideEffects())
      return Dimensions::all();
    if (instruction.isVolatile()) return Dimensions::all();
    Dimensions dims = variance_.of(instruction).dims;
    if (!instruction.getType()->isVoidTy() && !instruction.mayHaveSideEffects()) return dims;
    for (const llvm::Use& operand : instruction.operands())
      dims = dims | (variance_.privateAddress(*operand) ? Dimensions::all() : variance_.of(*operand).dims);
    return dims;
  }

  // --- cells
  // ----------------------------------------------------------------------------------------------------------

  template <class Body>
  void forCells(const Box& box, Dimensions along, Body body) const {
    std::array<unsigned, 3> from{}, to{};
    for (unsigned d = 0; d < 3; ++d) {
      from[d] = box.at[d] == Box::every ? 0 : static_cast<unsigned>(box.at[d]);
      to[d] = box.at[d] == Box::every && along.has(d) ? cells_.count[d] : from[d] + 1;
    }
    for (unsigned z = from[2]; z < to[2]; ++z)
      for (unsigned y = from[1]; y < to[1]; ++y)
        for (unsigned x = from[0]; x < to[0]; ++x) body(std::array<unsigned, 3>{x, y, z});
  }

  unsigned indexOf(const std::array<unsigned, 3>& cell) const {
    return (cell[2] * cells_.count[1] + cell[1]) * cells_.count[0] + cell[0];
  }

  /// The cells of `box` whose values are those of `cell`, for something that differs along `along`.
  template <class Body>
  void forTwins(const Box& box, Dimensions along, const std::array<unsigned, 3>& cell, Body body) const {
    Box twins = box;
    for (unsigned d = 0; d < 3; ++d)
      if (along.has(d)) twins.at[d] = static_cast<int>(cell[d]);
    forCells(twins, Dimensions::all(), body);
  }

  Dimensions freeOf(const Box& box, Dimensions dimensions) const {
    Dimensions result;
    for (unsigned d = 0; d < 3; ++d)
      if (box.at[d] == Box::every && tiled_.has(d) && dimensions.has(d)) result = result | Dimensions::only(d);
    return result;
  }

  std::vector<Box> partsOf(const Box& box, Dimensions parting) const {
    std::vector<Box> parts;
    forCells(box, parting, [&](const std::array<unsigned, 3>& cell) {
      Box part = box;
      for (unsigned d = 0; d < 3; ++d)
        if (parting.has(d)) part.at[d] = static_cast<int>(cell[d]);
      parts.push_back(part);
    });
    return parts;
  }

  // --- the old kernel's form
  // ------------------------------------------------------------------------------------------

  const llvm::BasicBlock* meetingOf(const llvm::BasicBlock& block) const {
    const auto* node = after_.getNode(&block);
    node = node ? node->getIDom() : nullptr;
    return node ? node->getBlock() : nullptr;
  }

  /// Where work-items that leave a loop in any way are together again.
  const llvm::BasicBlock* endOf(const llvm::Loop& loop) const {
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop.getExitBlocks(exits);
    const llvm::BasicBlock* end = exits.empty() ? nullptr : exits[0];
    for (const llvm::BasicBlock* exit : exits)
      if (end) end = after_.findNearestCommonDominator(end, exit);
    return end && place_.contains(end) && !loop.contains(end) ? end : nullptr;
  }

  /// Whether the code from a branch to where its ways meet deserves a copy for cells that agree.
  bool deservesVersion(const llvm::BasicBlock& branch, const llvm::BasicBlock* meeting) const {
    llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&branch));
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    bool deserves = false;
    std::size_t size = 0;
    while (!work.empty()) {
      const llvm::BasicBlock* block = work.pop_back_val();
      if (block == meeting || !seen.insert(block).second) continue;
      size += block->size();
      deserves |= loops_.getLoopDepth(block) > loops_.getLoopDepth(&branch) ||
                  llvm::any_of(*block, [](const llvm::Instruction& instruction) {
                    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
                    return load && load->getPointerAddressSpace() != localAddressSpace;
                  });
      work.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return deserves && size <= cost::coarsen::mostInVersion;
  }

  // --- values
  // ---------------------------------------------------------------------------------------------------------

  static llvm::Value* find(const Context& context, const llvm::Value* value, unsigned cell) {
    if (!llvm::isa<llvm::Instruction>(value)) return const_cast<llvm::Value*>(value);
    for (const Context* at = &context; at; at = at->parent)
      if (const auto known = at->values.find(value); known != at->values.end() && known->second[cell])
        return known->second[cell];
    llvm_unreachable("a value is used ahead of its definition");
  }

  void set(Context& context, const llvm::Value& old, Dimensions along, const std::array<unsigned, 3>& cell,
           llvm::Value* made) {
    PerCell& values = context.values.try_emplace(&old, PerCell(all_, nullptr)).first->second;
    forTwins(context.box, along, cell, [&](const auto& twin) { values[indexOf(twin)] = made; });
  }

  // --- blocks
  // ---------------------------------------------------------------------------------------------------------

  llvm::BasicBlock* newBlock(const llvm::Twine& name) const {
    return llvm::BasicBlock::Create(kernel_.getContext(), name, &kernel_);
  }

  llvm::BasicBlock* blockOf(Context& context, const llvm::BasicBlock* old) {
    llvm::BasicBlock*& made = context.blocks[old];
    if (!made) {
      made = newBlock(old->getName());
      context.pending[place_.lookup(old)] = old;
    }
    return made;
  }

  /// Where an edge of the old kernel leads in a context; it is noted for the phis there.
  llvm::BasicBlock* follow(Context& context, const llvm::BasicBlock* to, Edge edge) {
    if (to == context.exit) {
      context.exitEdges.push_back(std::move(edge));
      return context.end;
    }
    llvm::BasicBlock* made = blockOf(context, to);
    context.edges[to].push_back(std::move(edge));
    return made;
  }

  void emitPending(Context& context) {
    while (!context.pending.empty()) {
      const llvm::BasicBlock* old = context.pending.begin()->second;
      context.pending.erase(context.pending.begin());
      emit(context, *old);
    }
    for (const auto& [old, edges] : context.edges)
      for (const llvm::PHINode& phi : old->phis()) fill(context, phi, edges);
  }

  void fill(Context& context, const llvm::PHINode& old, const std::vector<Edge>& edges) {
    const auto known = context.values.find(&old);
    if (known == context.values.end()) return;  // of a loop that cells run one after the other
    const Dimensions along = freeOf(context.box, copiesOf(old));
    forCells(context.box, along, [&](const auto& cell) {
      auto* phi = llvm::cast<llvm::PHINode>(known->second[indexOf(cell)]);
      for (const Edge& edge : edges) phi->addIncoming(valueOn(edge, old, indexOf(cell)), edge.block);
    });
  }

  static llvm::Value* valueOn(const Edge& edge, const llvm::PHINode& old, unsigned cell) {
    if (!edge.from) return edge.values.lookup(&old)[cell];
    return find(*edge.context, old.getIncomingValueForBlock(edge.from), cell);
  }

  void emit(Context& context, const llvm::BasicBlock& old) {
    llvm::IRBuilder<> builder(context.blocks.lookup(&old));
    if (const llvm::Loop* loop = loops_.getLoopFor(&old); loop && loop->getHeader() == &old) {
      const Dimensions parting = freeOf(context.box, loopParting_.lookup(loop));
      if (!parting.empty() && context.together != loop)
        return runsTogether(*loop) ? emitLoopTogether(context, *loop, builder)
                                   : emitLoopByParts(context, *loop, parting, builder);
    }
    for (const llvm::PHINode& phi : old.phis()) {
      const Dimensions along = freeOf(context.box, copiesOf(phi));
      forCells(context.box, along, [&](const auto& cell) {
        set(context, phi, along, cell, builder.CreatePHI(phi.getType(), phi.getNumIncomingValues(), phi.getName()));
      });
    }
    for (const llvm::Instruction& instruction : old)
      if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator()) copy(context, instruction, builder);
    emitEnd(context, old, builder);
  }

  void copy(Context& context, const llvm::Instruction& old, llvm::IRBuilder<>& builder) {
    const Dimensions along = freeOf(context.box, copiesOf(old));
    const auto primitive = primitiveOf(old);
    if (primitive == Primitive::GlobalId || primitive == Primitive::LocalId)
      return copyId(context, llvm::cast<llvm::CallInst>(old), *primitive, builder);
    forCells(context.box, along, [&](const auto& cell) {
      llvm::Instruction* made = old.clone();
      builder.Insert(made, old.getName());
      for (llvm::Use& operand : made->operands())
        if (!llvm::isa<llvm::BasicBlock>(operand)) operand.set(find(context, operand, indexOf(cell)));
      if (!old.getType()->isVoidTy()) set(context, old, along, cell, made);
    });
  }

  void copyId(Context& context, const llvm::CallInst& old, Primitive primitive, llvm::IRBuilder<>& builder) {
    const unsigned d = *dimensionOf(old);
    llvm::Value* first = builder.Insert(old.clone(), old.getName());
    const bool ofGroups = cells_.globalApart && primitive == Primitive::GlobalId && d == 0;
    const Dimensions along = freeOf(Box(), Dimensions::only(d) | (ofGroups ? Dimensions::only(1) : Dimensions()));
    forCells(context.box, along, [&](const auto& cell) {
      std::uint64_t distance = std::uint64_t{cell[d]} * cells_.apart[d];
      if (ofGroups) distance += cell[1] * cells_.globalApart;
      llvm::Value* id =
          distance ? builder.CreateAdd(first, builder.getInt64(distance), old.getName(), true, true) : first;
      set(context, old, freeOf(context.box, along), cell, id);
    });
  }

  void emitEnd(Context& context, const llvm::BasicBlock& old, llvm::IRBuilder<>& builder) {
    const Dimensions parting = freeOf(context.box, partingOf(old));
    if (context.together && context.together->getHeader() == &old) return leaveLoop(context, parting, builder);
    if (parting.empty() || context.agreed == &old) return branch(context, context, old, builder);
    const llvm::BasicBlock* meeting = meetingOf(old);
    const auto enter = [&](Context& part, llvm::IRBuilder<>& from) { branch(part, context, old, from); };
    if (context.versions >= cost::coarsen::mostVersions || !deservesVersion(old, meeting)) {
      Edge edge = emitByParts(context, meeting, parting, builder, enter);
      llvm::BasicBlock* from = edge.block;
      llvm::IRBuilder<>(from).CreateBr(follow(context, meeting, std::move(edge)));
      return;
    }
    llvm::BasicBlock *together = newBlock(old.getName() + ".together"), *apart = newBlock(old.getName() + ".apart"),
                     *met = newBlock(old.getName() + ".met");
    builder.CreateCondBr(agree(context, *old.getTerminator()->getOperand(0), parting, builder), together, apart);
    ++context.versions;
    Context common = child(context, context.box, meeting);
    common.agreed = &old;
    llvm::IRBuilder<> at(together);
    branch(common, context, old, at);
    Edge one = leave(common);
    llvm::IRBuilder<>(one.block).CreateBr(met);
    --context.versions;
    at.SetInsertPoint(apart);
    const unsigned versions = std::exchange(context.versions, cost::coarsen::mostVersions);
    Edge other = emitByParts(context, meeting, parting, at, enter);
    context.versions = versions;
    llvm::IRBuilder<>(other.block).CreateBr(met);
    Edge both{.block = met};
    at.SetInsertPoint(met);
    for (const llvm::PHINode& phi : meeting->phis()) {
      PerCell& values = both.values.try_emplace(&phi, PerCell(all_, nullptr)).first->second;
      const Dimensions along = freeOf(context.box, copiesOf(phi) | parting);
      forCells(context.box, along, [&](const auto& cell) {
        llvm::PHINode* made = at.CreatePHI(phi.getType(), 2, phi.getName());
        made->addIncoming(one.values[&phi][indexOf(cell)], one.block);
        made->addIncoming(other.values[&phi][indexOf(cell)], other.block);
        forTwins(context.box, along, cell, [&](const auto& twin) { values[indexOf(twin)] = made; });
      });
    }
    at.CreateBr(follow(context, meeting, std::move(both)));
  }

  llvm::Value* agree(const Context& context, const llvm::Value& condition, Dimensions parting,
                     llvm::IRBuilder<>& builder) const {
    llvm::Value *every = nullptr, *any = nullptr;
    forCells(context.box, parting, [&](const auto& cell) {
      llvm::Value* own = find(context, &condition, indexOf(cell));
      every = every ? builder.CreateAnd(every, own) : own;
      any = any ? builder.CreateOr(any, own) : own;
    });
    return builder.CreateOr(every, builder.CreateNot(any), "agree");
  }

  /// The old block's branch, taken as the first cell of `part` takes it.
  void branch(Context& part, const Context& values, const llvm::BasicBlock& old, llvm::IRBuilder<>& builder) {
    llvm::Instruction* made = old.getTerminator()->clone();
    llvm::BasicBlock* from = builder.GetInsertBlock();
    builder.Insert(made);
    unsigned cell = 0;
    forCells(part.box, Dimensions(), [&](const auto& first) { cell = indexOf(first); });
    for (llvm::Use& operand : made->operands())
      if (!llvm::isa<llvm::BasicBlock>(operand)) operand.set(find(values, operand, cell));
    for (unsigned i = 0; i < made->getNumSuccessors(); ++i)
      made->setSuccessor(i, follow(part, old.getTerminator()->getSuccessor(i), {&old, from, &values}));
    if (&part != &values) emitPending(part);
  }

  Context child(const Context& parent, const Box& box, const llvm::BasicBlock* exit) const {
    Context part;
    part.parent = &parent;
    part.box = box;
    part.exit = exit;
    part.end = newBlock(exit->getName() + ".end");
    part.versions = parent.versions;
    return part;
  }

  /// Completes a context's end: the values of the phis of its exit.
  Edge leave(Context& part) {
    Edge edge{.block = part.end};
    part.end->moveAfter(&kernel_.back());
    llvm::IRBuilder<> builder(part.end);
    for (const llvm::PHINode& phi : part.exit->phis()) {
      PerCell& values = edge.values.try_emplace(&phi, PerCell(all_, nullptr)).first->second;
      const Dimensions along = freeOf(part.box, copiesOf(phi));
      forCells(part.box, along, [&](const auto& cell) {
        llvm::Value* made = llvm::PoisonValue::get(phi.getType());
        if (!part.exitEdges.empty()) {
          llvm::PHINode* merged = builder.CreatePHI(phi.getType(), 2, phi.getName());
          for (const Edge& from : part.exitEdges) merged->addIncoming(valueOn(from, phi, indexOf(cell)), from.block);
          made = merged;
        }
        forTwins(part.box, along, cell, [&](const auto& twin) { values[indexOf(twin)] = made; });
      });
    }
    return edge;
  }

  /// Parts of the cells, one after the other, up to where they meet. The end of `builder`'s block is open; so is that
  /// of the edge that comes back.
  template <class Enter>
  Edge emitByParts(const Context& context, const llvm::BasicBlock* meeting, Dimensions parting,
                   llvm::IRBuilder<>& builder, Enter enter) {
    Edge all;
    for (const Box& box : partsOf(context.box, parting)) {
      Context part = child(context, box, meeting);
      enter(part, builder);
      Edge edge = leave(part);
      for (auto& [phi, values] : edge.values) {
        PerCell& known = all.values.try_emplace(phi, PerCell(all_, nullptr)).first->second;
        for (unsigned cell = 0; cell < all_; ++cell)
          if (values[cell]) known[cell] = values[cell];
      }
      all.block = edge.block;
      builder.SetInsertPoint(edge.block);
    }
    return all;
  }

  /// Whether all ways out of a loop that cells may take differently begin in its header, which can be executed again.
  bool runsTogether(const llvm::Loop& loop) const {
    const llvm::BasicBlock* header = loop.getHeader();
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
    if (!branch || loop.getExitingBlock() != header) return false;
    std::size_t size = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
    return size <= cost::coarsen::mostInVersion && llvm::none_of(*header, [](const llvm::Instruction& instruction) {
             return instruction.mayHaveSideEffects() || instruction.isVolatile() || instruction.isAtomic();
           });
  }

  /// The loop for all cells while none leaves it; then for one after the other what is left to do.
  void emitLoopTogether(Context& context, const llvm::Loop& loop, llvm::IRBuilder<>& builder) {
    const llvm::BasicBlock *before = loop.getLoopPreheader(), *end = endOf(loop);
    Context common = child(context, context.box, end);
    common.end->eraseFromParent();
    common.together = &loop;
    llvm::BasicBlock* block = builder.GetInsertBlock();
    builder.CreateBr(follow(common, loop.getHeader(), {before, block, &context}));
    emitPending(common);
    llvm::BasicBlock* from = common.left.block;
    llvm::IRBuilder<>(from).CreateBr(follow(context, end, std::move(common.left)));
  }

  /// The branch of the header of a loop that all cells are in together.
  void leaveLoop(Context& context, Dimensions parting, llvm::IRBuilder<>& builder) {
    const llvm::Loop& loop = *context.together;
    const llvm::BasicBlock* header = loop.getHeader();
    const auto& old = llvm::cast<llvm::BranchInst>(*header->getTerminator());
    const bool staysIfTrue = loop.contains(old.getSuccessor(0));
    llvm::Value* every = nullptr;
    forCells(context.box, parting, [&](const auto& cell) {
      llvm::Value* own = find(context, old.getCondition(), indexOf(cell));
      if (!staysIfTrue) own = builder.CreateNot(own);
      every = every ? builder.CreateAnd(every, own) : own;
    });
    llvm::BasicBlock *from = builder.GetInsertBlock(), *apart = newBlock(header->getName() + ".apart");
    builder.CreateCondBr(every, follow(context, old.getSuccessor(staysIfTrue ? 0 : 1), {header, from, &context}),
                         apart);
    builder.SetInsertPoint(apart);
    context.left = emitByParts(context, context.exit, parting, builder, [&](Context& part, llvm::IRBuilder<>& at) {
      Edge edge{.block = at.GetInsertBlock()};
      for (const llvm::PHINode& phi : header->phis()) edge.values[&phi] = context.values.lookup(&phi);
      at.CreateBr(follow(part, header, std::move(edge)));
      emitPending(part);
    });
  }

  /// The loop as often as it has parts. Its header's clone in the context is where that begins.
  void emitLoopByParts(Context& context, const llvm::Loop& loop, Dimensions parting, llvm::IRBuilder<>& builder) {
    const llvm::BasicBlock *header = loop.getHeader(), *before = loop.getLoopPreheader(), *end = endOf(loop);
    Edge edge = emitByParts(context, end, parting, builder, [&](Context& part, llvm::IRBuilder<>& from) {
      llvm::BasicBlock* block = from.GetInsertBlock();
      from.CreateBr(follow(part, header, {before, block, &context}));
      emitPending(part);
    });
    llvm::BasicBlock* from = edge.block;
    llvm::IRBuilder<>(from).CreateBr(follow(context, end, std::move(edge)));
  }

  llvm::Function& kernel_;
  const Cells& cells_;
  const VarianceInfo variance_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::PostDominatorTree after_;
  Dimensions tiled_;
  unsigned all_ = 1;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> place_;
  llvm::DenseMap<const llvm::Loop*, Dimensions> loopParting_;
};

/// What one work-item leaves open must not decide for another: `phi [undef, ...]` counts as uniform.
void settleUndefined(llvm::Function& kernel) {
  for (llvm::BasicBlock& block : kernel)
    for (llvm::PHINode& phi : block.phis())
      for (llvm::Use& incoming : phi.incoming_values())
        if (llvm::isa<llvm::UndefValue>(incoming)) incoming.set(llvm::Constant::getNullValue(phi.getType()));
}

}  // namespace

bool coarsen(llvm::Function& kernel, const Cells& cells, std::string& why) {
  settleUndefined(kernel);
  return Coarsener(kernel, cells).run(why);
}

}  // namespace clarity::compiler::nvptx
