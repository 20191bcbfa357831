// SPDX-License-Identifier: Apache-2.0
// This file declares what all parts of PacketBuilder share while the code of one tile is generated.
#pragma once

#include "compiler/packets/memory_order.h"
#include "compiler/packets/packet_notes.h"
#include "compiler/packets/packet_plan.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <vector>

namespace clarity::compiler {

/// The work-items that a tile computes.
struct TileInput {
  std::array<llvm::Value*, 3> counter{};  ///< the tile's first work-item
  llvm::Value* lanes = nullptr;           ///< <lanes x i1>: which lanes exist; nullptr: all. Only with one cell
};

/// Counts what it inserts, except for accesses to variables of the tile: most of them go when these are promoted.
class CountingInserter final : public llvm::IRBuilderDefaultInserter {
public:
  explicit CountingInserter(PacketGrowth* growth) : growth_(growth) {}
  void InsertHelper(llvm::Instruction* instruction, const llvm::Twine& name,
                    llvm::BasicBlock::iterator at) const override {
    IRBuilderDefaultInserter::InsertHelper(instruction, name, at);
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(instruction);
    if (growth_ && !(pointer && llvm::isa<llvm::AllocaInst>(pointer))) ++growth_->created;
  }

private:
  PacketGrowth* growth_;
};

/// State that the parts of PacketBuilder share. Invariants:
/// - `builder` inserts at the end of the block in which the tile's control flow currently is. A part that creates
/// blocks leaves
///   it in a block without terminator, unless its name says that it ends the block (branches).
/// - Original instructions, blocks and levels are never changed: `plan` and `forms` describe them until the tile is
/// done.
/// - What is used outside the block that defines it travels in stack variables of `allocas`, which the caller promotes
/// to SSA form.
struct TileContext {
  TileContext(PacketPlan& plan, const VectorTarget& target, const PrivateLayouts& layouts, llvm::BasicBlock& allocas,
              PacketGrowth* growth)
      : plan(plan),
        forms(plan.forms()),
        shape(plan.shape()),
        target(target),
        layouts(layouts),
        allocas(allocas),
        function(*allocas.getParent()),
        context(function.getContext()),
        dataLayout(function.getDataLayout()),
        builder(context, llvm::ConstantFolder(), CountingInserter(growth)),
        lanes(shape.lanes),
        growth(growth) {}
  TileContext(const TileContext&) = delete;
  TileContext& operator=(const TileContext&) = delete;

  PacketPlan& plan;  ///< not const: selectForm() selects one of two forms of a loop
  const ValueForms& forms;
  const PacketShape& shape;
  const VectorTarget& target;
  const PrivateLayouts& layouts;
  llvm::BasicBlock& allocas;  ///< the function's entry block
  llvm::Function& function;
  llvm::LLVMContext& context;
  const llvm::DataLayout& dataLayout;
  llvm::IRBuilder<llvm::ConstantFolder, CountingInserter> builder;
  const unsigned lanes;
  PacketGrowth* const growth;                          ///< nullptr: without limit
  TileInput input;                                     ///< set once, before any code is generated
  llvm::BasicBlock* end = nullptr;                     ///< where the runs of all work-items end
  PacketNotes* notes = nullptr;                        ///< notes for the report; nullptr: none
  llvm::SmallVector<llvm::AllocaInst*, 64> variables;  ///< results of makeVariable()
  std::vector<MemberGroup> memberGroups;               ///< for keepMemoryOrder()

  /// Whether the code has outgrown its limit. From then on nothing is generated, and what there is may be malformed.
  bool outgrown() const { return growth && growth->outgrown(); }
  /// A block at the end of the function.
  llvm::BasicBlock* newBlock(const llvm::Twine& name) { return llvm::BasicBlock::Create(context, name, &function); }
  /// A stack variable that the caller of PacketBuilder promotes to SSA form.
  llvm::AllocaInst* makeVariable(llvm::Type* type, const llvm::Twine& name);
  llvm::Type* vectorOf(llvm::Type* element) const { return llvm::FixedVectorType::get(element, lanes); }
  std::int64_t bytesOf(llvm::Type* type) const {
    return static_cast<std::int64_t>(dataLayout.getTypeAllocSize(type).getFixedValue());
  }
  /// An address, or an integer of the type of `like`, plus a constant.
  llvm::Value* advance(llvm::Value* from, std::int64_t by, const llvm::Value& like);
  void note(const llvm::Instruction& instruction, Note note) {
    if (notes) notes->add(instruction, note);
  }
};

}  // namespace clarity::compiler
