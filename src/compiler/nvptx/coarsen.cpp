// SPDX-License-Identifier: Apache-2.0
// This file copies a kernel's instructions for the work-items of a thread.
#include "compiler/nvptx/coarsen.h"

#include "compiler/guard/limits.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/loop_properties.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/nvptx/coarsen_plan.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <memory>
#include <utility>

namespace clarity::compiler::nvptx {
namespace {

using PerCell = llvm::SmallVector<llvm::Value*, 4>;

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
  const llvm::BasicBlock* exit = nullptr;    ///< the old kernel's exit, where others are met again
  llvm::BasicBlock* end = nullptr;           ///< stands for it
  const llvm::BasicBlock* agreed = nullptr;  ///< at its branch all cells are known to agree
  unsigned versions = 0;                     ///< how many agreements around it
  bool isRare = false;                       ///< where cells do not agree: small code is worth more than quick code
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
      : kernel_(kernel), cells_(cells), plan_(kernel, cells, VarianceInfo(kernel)), all_(plan_.cellCount()) {}

  bool run(std::string& why) {
    if (!plan_.check(CoarsenPlan::Form::Ready, why)) return false;
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
  // --- values --------------------------------------------------------------------------------------------------------

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
    plan_.forTwins(context.box, along, cell, [&](const auto& twin) { values[plan_.indexOf(twin)] = made; });
  }

  // --- blocks --------------------------------------------------------------------------------------------------------

  llvm::BasicBlock* newBlock(const llvm::Twine& name) const {
    return llvm::BasicBlock::Create(kernel_.getContext(), name, &kernel_);
  }

  llvm::BasicBlock* blockOf(Context& context, const llvm::BasicBlock* old) {
    llvm::BasicBlock*& made = context.blocks[old];
    if (!made) {
      made = newBlock(old->getName());
      context.pending[plan_.placeOf(*old)] = old;
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
      checkLimits();
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
    const Dimensions along = plan_.freeOf(context.box, plan_.copiesOf(old));
    plan_.forCells(context.box, along, [&](const auto& cell) {
      auto* phi = llvm::cast<llvm::PHINode>(known->second[plan_.indexOf(cell)]);
      for (const Edge& edge : edges) phi->addIncoming(valueOn(edge, old, plan_.indexOf(cell)), edge.block);
    });
  }

  static llvm::Value* valueOn(const Edge& edge, const llvm::PHINode& old, unsigned cell) {
    if (!edge.from) return edge.values.lookup(&old)[cell];
    return find(*edge.context, old.getIncomingValueForBlock(edge.from), cell);
  }

  void emit(Context& context, const llvm::BasicBlock& old) {
    llvm::IRBuilder<> builder(context.blocks.lookup(&old));
    if (const llvm::Loop* loop = plan_.loopFrom(old)) {
      const Dimensions parting = plan_.freeOf(context.box, plan_.partingOf(*loop));
      if (!parting.empty() && context.together != loop)
        return plan_.runsTogether(*loop) ? emitLoopTogether(context, *loop, builder)
                                         : emitLoopByParts(context, *loop, parting, builder);
    }
    for (const llvm::PHINode& phi : old.phis()) {
      const Dimensions along = plan_.freeOf(context.box, plan_.copiesOf(phi));
      plan_.forCells(context.box, along, [&](const auto& cell) {
        set(context, phi, along, cell, builder.CreatePHI(phi.getType(), phi.getNumIncomingValues(), phi.getName()));
      });
    }
    for (const llvm::Instruction& instruction : old)
      if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator()) copy(context, instruction, builder);
    emitEnd(context, old, builder);
  }

  void copy(Context& context, const llvm::Instruction& old, llvm::IRBuilder<>& builder) {
    const Dimensions along = plan_.freeOf(context.box, plan_.copiesOf(old));
    const auto primitive = primitiveOf(old);
    if (primitive == Primitive::GlobalId || primitive == Primitive::LocalId)
      return copyId(context, llvm::cast<llvm::CallInst>(old), *primitive, builder);
    plan_.forCells(context.box, along, [&](const auto& cell) {
      llvm::Instruction* made = old.clone();
      builder.Insert(made, old.getName());
      for (llvm::Use& operand : made->operands())
        if (!llvm::isa<llvm::BasicBlock>(operand)) operand.set(find(context, operand, plan_.indexOf(cell)));
      if (!old.getType()->isVoidTy()) set(context, old, along, cell, made);
    });
  }

  void copyId(Context& context, const llvm::CallInst& old, Primitive primitive, llvm::IRBuilder<>& builder) {
    const unsigned d = *dimensionOf(old);
    llvm::Value* first = builder.Insert(old.clone(), old.getName());
    const bool ofGroups = cells_.globalApart && primitive == Primitive::GlobalId && d == 0;
    const bool isNarrow = llvm::all_of(old.users(), llvm::IsaPred<llvm::TruncInst>);
    const Dimensions along =
        plan_.freeOf(Box(), Dimensions::only(d) | (ofGroups ? Dimensions::only(cells_.counted) : Dimensions()));
    plan_.forCells(context.box, along, [&](const auto& cell) {
      std::uint64_t distance = std::uint64_t{cell[d]} * cells_.apart[d];
      if (ofGroups) distance += cell[cells_.counted] * cells_.globalApart;
      llvm::Value* id = first;
      if (distance && !isNarrow) {
        id = builder.CreateAdd(first, builder.getInt64(distance), old.getName(), true, true);
      } else if (distance) {
        // Ids of coarsened launches are below 2^31: where a kernel takes them for int they are still a constant apart.
        llvm::Value* narrow = builder.CreateTrunc(first, builder.getInt32Ty());
        narrow = builder.CreateAdd(narrow, builder.getInt32(static_cast<std::uint32_t>(distance)), "", true, true);
        id = builder.CreateZExt(narrow, first->getType(), old.getName(), true);
      }
      set(context, old, plan_.freeOf(context.box, along), cell, id);
    });
  }

  void emitEnd(Context& context, const llvm::BasicBlock& old, llvm::IRBuilder<>& builder) {
    const Dimensions parting = plan_.freeOf(context.box, plan_.partingOf(old));
    if (context.together && context.together->getHeader() == &old) return leaveLoop(context, parting, builder);
    if (parting.empty() || context.agreed == &old) return branch(context, context, old, builder);
    const llvm::BasicBlock* meeting = plan_.meetingOf(old);
    const auto enter = [&](Context& part, llvm::IRBuilder<>& from) { branch(part, context, old, from); };
    if (context.versions >= cost::coarsen::mostVersions || !plan_.deservesVersion(old, meeting)) {
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
    const bool wasRare = std::exchange(context.isRare, true);
    Edge other = emitByParts(context, meeting, parting, at, enter);
    context.versions = versions;
    context.isRare = wasRare;
    llvm::IRBuilder<>(other.block).CreateBr(met);
    Edge both{.block = met};
    at.SetInsertPoint(met);
    for (const llvm::PHINode& phi : meeting->phis()) {
      PerCell& values = both.values.try_emplace(&phi, PerCell(all_, nullptr)).first->second;
      const Dimensions along = plan_.freeOf(context.box, plan_.copiesOf(phi) | parting);
      plan_.forCells(context.box, along, [&](const auto& cell) {
        llvm::PHINode* made = at.CreatePHI(phi.getType(), 2, phi.getName());
        made->addIncoming(one.values[&phi][plan_.indexOf(cell)], one.block);
        made->addIncoming(other.values[&phi][plan_.indexOf(cell)], other.block);
        plan_.forTwins(context.box, along, cell, [&](const auto& twin) { values[plan_.indexOf(twin)] = made; });
      });
    }
    at.CreateBr(follow(context, meeting, std::move(both)));
  }

  llvm::Value* agree(const Context& context, const llvm::Value& condition, Dimensions parting,
                     llvm::IRBuilder<>& builder) const {
    llvm::Value *every = nullptr, *any = nullptr;
    plan_.forCells(context.box, parting, [&](const auto& cell) {
      llvm::Value* own = find(context, &condition, plan_.indexOf(cell));
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
    if (part.isRare && plan_.endsLoop(old))
      made->setMetadata(llvm::LLVMContext::MD_loop, notUnrolled(kernel_.getContext()));
    unsigned cell = 0;
    plan_.forCells(part.box, Dimensions(), [&](const auto& first) { cell = plan_.indexOf(first); });
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
    part.isRare = parent.isRare;
    return part;
  }

  /// Completes a context's end: the values of the phis of its exit.
  Edge leave(Context& part) {
    Edge edge{.block = part.end};
    part.end->moveAfter(&kernel_.back());
    llvm::IRBuilder<> builder(part.end);
    for (const llvm::PHINode& phi : part.exit->phis()) {
      PerCell& values = edge.values.try_emplace(&phi, PerCell(all_, nullptr)).first->second;
      const Dimensions along = plan_.freeOf(part.box, plan_.copiesOf(phi));
      plan_.forCells(part.box, along, [&](const auto& cell) {
        llvm::Value* made = llvm::PoisonValue::get(phi.getType());
        if (!part.exitEdges.empty()) {
          llvm::PHINode* merged = builder.CreatePHI(phi.getType(), 2, phi.getName());
          for (const Edge& from : part.exitEdges)
            merged->addIncoming(valueOn(from, phi, plan_.indexOf(cell)), from.block);
          made = merged;
        }
        plan_.forTwins(part.box, along, cell, [&](const auto& twin) { values[plan_.indexOf(twin)] = made; });
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
    for (const Box& box : plan_.partsOf(context.box, parting)) {
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

  /// The loop for all cells while none leaves it; then for one after the other what is left to do.
  void emitLoopTogether(Context& context, const llvm::Loop& loop, llvm::IRBuilder<>& builder) {
    const llvm::BasicBlock *before = loop.getLoopPreheader(), *end = plan_.endOf(loop);
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
    plan_.forCells(context.box, parting, [&](const auto& cell) {
      llvm::Value* own = find(context, old.getCondition(), plan_.indexOf(cell));
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
    const llvm::BasicBlock *header = loop.getHeader(), *before = loop.getLoopPreheader(), *end = plan_.endOf(loop);
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
  CoarsenPlan plan_;
  unsigned all_;
};

}  // namespace

bool canCoarsen(llvm::Function& kernel, const Cells& cells, const VarianceInfo& variance, std::string& why) {
  return CoarsenPlan(kernel, cells, variance).check(CoarsenPlan::Form::Any, why);
}

bool coarsen(llvm::Function& kernel, const Cells& cells, std::string& why) { return Coarsener(kernel, cells).run(why); }

llvm::PreservedAnalyses CoarsenPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager&) {
  std::string why;
  if (coarsen(kernel, cells, why)) return llvm::PreservedAnalyses::none();
  remark(kernel, {}, RemarkKind::Order, why);
  return llvm::PreservedAnalyses::all();
}

}  // namespace clarity::compiler::nvptx
