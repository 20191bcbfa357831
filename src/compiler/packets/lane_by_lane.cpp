// SPDX-License-Identifier: Apache-2.0
// This file copies instructions, or puts them into a loop over the active lanes.
#include "compiler/packets/lane_by_lane.h"

#include "compiler/ir/cost_model.h"
#include "compiler/ir/loop_properties.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
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

/// Processors add a base and an index as they access memory. Addresses of one base are not computed in vectors, which
/// takes twice the registers; and some processors expect the same place wherever one register holds the address, with
/// nothing added to it, so that each lane of a histogram would wait for what they undo (Zen 4).
LaneByLane::IndexedAddress LaneByLane::indexedAddress(const llvm::Use& operand) const {
  // Values of other blocks are known here only where they are used.
  const llvm::BasicBlock* block = llvm::cast<llvm::Instruction>(operand.getUser())->getParent();
  const auto isVectorHere = [&](const llvm::Value& value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && instruction->getParent() == block && tile_.forms.form(value) == Form::Vector;
  };
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(operand.get());
  if (!address || address->getNumIndices() != 1 || !isVectorHere(*address) ||
      tile_.forms.form(*address->getPointerOperand()) != Form::Uniform || !isVectorHere(*address->getOperand(1)))
    return {};
  const llvm::Value* index = address->getOperand(1);
  const auto* extension = llvm::dyn_cast<llvm::CastInst>(index);
  if (!llvm::isa_and_nonnull<llvm::ZExtInst, llvm::SExtInst>(extension) || !isVectorHere(*extension->getOperand(0)))
    return {.address = address, .index = index};
  return {.address = address, .index = extension->getOperand(0), .extension = extension};
}

/// Forms that a loop over lanes uses are materialised ahead of it.
void LaneByLane::prepareOperand(const llvm::Use& operand, unsigned cell) {
  if (!llvm::isa<llvm::Instruction>(operand)) return;
  if (const IndexedAddress indexed = indexedAddress(operand); indexed.address) {
    values_.scalar(*indexed.address->getPointerOperand(), cell);
    values_.vector(*indexed.index, cell);
  } else if (tile_.forms.form(*operand) == Form::Vector) {
    values_.vector(*operand, cell);
  } else {
    values_.scalar(*operand, cell);
  }
}

/// Extends an element of a vector without a sign to the bits of an address.
llvm::Value* LaneByLane::asIndex(llvm::Value* element, llvm::Type* type) {
  const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(element);
  // An element of a lane that is not known is read from memory.
  if (!tile_.target.guessesPlaces || !element->getType()->isIntegerTy(32) || !type->isIntegerTy(64) || !extract ||
      !llvm::isa<llvm::Constant>(extract->getIndexOperand()))
    return builder_.CreateZExt(element, type);
  // A copy of 32 bits clears the others of a register.
  llvm::FunctionType* function = llvm::FunctionType::get(type, {element->getType()}, false);
  return builder_.CreateCall(function, llvm::InlineAsm::get(function, "movl $1, ${0:k}", "=r,r", false), {element});
}

llvm::Value* LaneByLane::operandInLane(const llvm::Use& operand, unsigned cell, llvm::Value* lane) {
  if (!llvm::isa<llvm::Instruction>(operand)) return operand.get();
  const IndexedAddress indexed = indexedAddress(operand);
  if (!indexed.address) return values_.inLane(*operand, cell, lane);
  llvm::Value* index = values_.inLane(*indexed.index, cell, lane);
  if (indexed.extension)
    index = indexed.extension->getOpcode() == llvm::Instruction::ZExt
                ? asIndex(index, indexed.extension->getType())
                : builder_.CreateSExt(index, indexed.extension->getType());
  return builder_.CreateGEP(indexed.address->getSourceElementType(),
                            values_.scalar(*indexed.address->getPointerOperand(), cell), index);
}

/// All lanes are active: one copy after the other, whose lanes are constants.
void LaneByLane::emitCopies(llvm::Instruction& instruction, unsigned cell) {
  llvm::SmallVector<llvm::Value*, 2> results;
  for (llvm::Type* field : fieldsOf(instruction)) results.push_back(llvm::PoisonValue::get(tile_.vectorOf(field)));
  for (unsigned lane = 0; lane < tile_.lanes; ++lane) {
    llvm::Instruction* clone = instruction.clone();
    for (const llvm::Use& operand : instruction.operands())
      clone->setOperand(operand.getOperandNo(), operandInLane(operand, cell, builder_.getInt64(lane)));
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
  for (const llvm::Use& operand : instruction.operands()) prepareOperand(operand, cell);
  const llvm::SmallVector<llvm::Type*, 2> fields = fieldsOf(instruction);
  const auto run = [&](llvm::Value* lane) {
    llvm::Instruction* clone = instruction.clone();
    for (const llvm::Use& operand : instruction.operands())
      clone->setOperand(operand.getOperandNo(), operandInLane(operand, cell, lane));
    builder_.Insert(clone);
    Values parts;
    for (unsigned i = 0; i < fields.size(); ++i)
      parts.push_back(instruction.getType()->isStructTy() ? builder_.CreateExtractValue(clone, i) : clone);
    return parts;
  };
  defineFields(instruction, cell, forEachLane(here, fields, run));
}

LaneByLane::Values LaneByLane::forEachLane(llvm::Value* here, llvm::ArrayRef<llvm::Type*> types,
                                           llvm::function_ref<Values(llvm::Value* lane)> run) {
  llvm::Type* wide = builder_.getInt64Ty();
  llvm::Value* bits =
      llvm::ConstantInt::get(wide, tile_.lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << tile_.lanes) - 1);
  if (here) bits = builder_.CreateZExt(builder_.CreateBitCast(here, builder_.getIntNTy(tile_.lanes)), wide);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* loop = tile_.newBlock("packet.lane");
  llvm::BasicBlock* body = tile_.newBlock("packet.lane.run");
  llvm::BasicBlock* after = tile_.newBlock("packet.lanes.done");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* left = builder_.CreatePHI(wide, 2, "lanes.left");
  left->addIncoming(bits, before);
  Values results;
  for (llvm::Type* type : types) {
    llvm::PHINode* result = builder_.CreatePHI(tile_.vectorOf(type), 2);
    result->addIncoming(llvm::PoisonValue::get(tile_.vectorOf(type)), before);
    results.push_back(result);
  }
  builder_.CreateCondBr(builder_.CreateICmpNE(left, llvm::ConstantInt::get(wide, 0)), body, after);

  builder_.SetInsertPoint(body);
  llvm::Value* lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder_.getTrue());
  const Values parts = run(lane);
  for (unsigned i = 0; i < results.size(); ++i)
    llvm::cast<llvm::PHINode>(results[i])->addIncoming(builder_.CreateInsertElement(results[i], parts[i], lane), body);
  left->addIncoming(builder_.CreateAnd(left, builder_.CreateSub(left, llvm::ConstantInt::get(wide, 1))), body);
  // All lanes are a trip count that LLVM would unroll by.
  builder_.CreateBr(loop)->setMetadata(llvm::LLVMContext::MD_loop, notUnrolled(tile_.context));
  after->moveAfter(&tile_.function.back());
  builder_.SetInsertPoint(after);
  return results;
}

}  // namespace clarity::compiler
