// SPDX-License-Identifier: Apache-2.0
// This file copies instructions, or puts them into a loop over the active lanes.
#include "compiler/packets/lane_by_lane.h"

#include "compiler/ir/cost_model.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

/// The results of an instruction that runs lane by lane: its fields, or the one value.
llvm::SmallVector<llvm::Type*, 2> LaneByLane::fieldsOf(const llvm::Instruction& instruction) {
  llvm::Type* type = instruction.getType();
  llvm::SmallVector<llvm::Type*, 2> fields;
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    fields.append(structure->element_begin(), structure->element_end());
  else if (!type->isVoidTy())
    fields.push_back(type);
  return fields;
}

void LaneByLane::defineFields(llvm::Instruction& instruction, unsigned cell, llvm::ArrayRef<llvm::Value*> fields) {
  if (instruction.getType()->isStructTy())
    for (unsigned i = 0; i < fields.size(); ++i) values_.defineField(instruction, cell, i, fields[i]);
  else if (!fields.empty())
    values_.define(instruction, cell, fields[0]);
}

/// All lanes are active: one copy after the other, whose lanes are constants.
void LaneByLane::emitCopies(llvm::Instruction& instruction, unsigned cell) {
  llvm::SmallVector<llvm::Value*, 2> results;
  for (llvm::Type* field : fieldsOf(instruction)) results.push_back(llvm::PoisonValue::get(tile_.vectorOf(field)));
  for (unsigned lane = 0; lane < tile_.lanes; ++lane) {
    llvm::Instruction* clone = instruction.clone();
    for (llvm::Use& operand : clone->operands())
      if (llvm::isa<llvm::Instruction>(operand)) operand.set(values_.inLane(*operand, cell, builder_.getInt64(lane)));
    builder_.Insert(clone);
    for (unsigned i = 0; i < results.size(); ++i) {
      llvm::Value* part = instruction.getType()->isStructTy() ? builder_.CreateExtractValue(clone, i) : clone;
      results[i] = builder_.CreateInsertElement(results[i], part, lane);
    }
  }
  defineFields(instruction, cell, results);
}

void LaneByLane::emit(llvm::Instruction& instruction, unsigned cell, llvm::Value* here) {
  tile_.note(instruction, {.how = How::EachLane, .masked = here != nullptr});
  if (!here && !llvm::isa<llvm::CallInst>(instruction) && tile_.lanes * tile_.shape.cells() <= cost::mostLaneCopies)
    return emitCopies(instruction, cell);
  const auto* structure = llvm::dyn_cast<llvm::StructType>(instruction.getType());
  const llvm::SmallVector<llvm::Type*, 2> fields = fieldsOf(instruction);
  llvm::Type* wide = builder_.getInt64Ty();
  llvm::Value* bits =
      llvm::ConstantInt::get(wide, tile_.lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << tile_.lanes) - 1);
  if (here) bits = builder_.CreateZExt(builder_.CreateBitCast(here, builder_.getIntNTy(tile_.lanes)), wide);
  // Forms that the loop uses are materialised ahead of it.
  for (const llvm::Use& operand : instruction.operands()) {
    if (!llvm::isa<llvm::Instruction>(operand)) continue;
    if (tile_.forms.form(*operand) == Form::Vector)
      values_.vector(*operand, cell);
    else
      values_.scalar(*operand, cell);
  }
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* loop = tile_.newBlock("packet.lane");
  llvm::BasicBlock* run = tile_.newBlock("packet.lane.run");
  llvm::BasicBlock* after = tile_.newBlock("packet.lanes.done");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* left = builder_.CreatePHI(wide, 2, "lanes.left");
  left->addIncoming(bits, before);
  llvm::SmallVector<llvm::Value*, 2> results;
  for (llvm::Type* field : fields) {
    llvm::PHINode* result = builder_.CreatePHI(tile_.vectorOf(field), 2);
    result->addIncoming(llvm::PoisonValue::get(tile_.vectorOf(field)), before);
    results.push_back(result);
  }
  builder_.CreateCondBr(builder_.CreateICmpNE(left, llvm::ConstantInt::get(wide, 0)), run, after);

  builder_.SetInsertPoint(run);
  llvm::Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder_.getTrue());
  llvm::Instruction* clone = instruction.clone();
  for (llvm::Use& operand : clone->operands())
    if (llvm::isa<llvm::Instruction>(operand)) operand.set(values_.inLane(*operand, cell, lane));
  builder_.Insert(clone);
  for (unsigned i = 0; i < results.size(); ++i) {
    llvm::Value* part = structure ? builder_.CreateExtractValue(clone, i) : clone;
    llvm::cast<llvm::PHINode>(results[i])->addIncoming(builder_.CreateInsertElement(results[i], part, lane), run);
  }
  left->addIncoming(builder_.CreateAnd(left, builder_.CreateSub(left, llvm::ConstantInt::get(wide, 1))), run);
  builder_.CreateBr(loop);
  after->moveAfter(&tile_.function.back());
  builder_.SetInsertPoint(after);
  defineFields(instruction, cell, results);
}

}  // namespace clarity::compiler
