// SPDX-License-Identifier: Apache-2.0
// This file chooses the form of every instruction.
#include "compiler/packets/packet_instructions.h"

#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/wrapping.h"
#include "compiler/packets/packet_obstacle.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {
namespace {

bool hasVectorForm(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::CastInst, llvm::SelectInst,
                   llvm::FreezeInst, llvm::GetElementPtrInst>(instruction);
}

/// Whether an instruction has an effect once for each work-item, and a result for each.
bool mustRunInEveryLane(const llvm::Instruction& instruction) {
  if (instruction.isAtomic()) return !llvm::isa<llvm::FenceInst>(instruction);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isVolatile();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isVolatile();
  return false;
}

}  // namespace

void PacketInstructions::emitBlock(llvm::BasicBlock& block) {
  values_.enterBlock();
  masks_.enter(block);
  groups_.enterBlock(block);
  for (llvm::PHINode& phi : block.phis()) edges_.emitPhi(phi);
  for (llvm::Instruction& instruction : block) {
    if (tile_.outgrown()) return;
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) continue;
    builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
    emit(instruction);
  }
  builder_.SetCurrentDebugLocation({});
  if (tile_.growth) tile_.growth->emitted += block.size();
}

void PacketInstructions::emit(llvm::Instruction& instruction) {
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return calls_.emit(*call);
  if (mustRunInEveryLane(instruction)) {
    const bool together = atomics_.isOneForAll(instruction);
    for (unsigned cell = 0; cell < tile_.shape.cells(); ++cell) {
      if (together)
        atomics_.emit(llvm::cast<llvm::AtomicRMWInst>(instruction), cell);
      else
        laneByLane_.emit(instruction, cell, masks_.ofCell(cell));
    }
    return;
  }
  if (groups_.emit(instruction)) return;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return accesses_.emitLoad(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return accesses_.emitStore(*store);
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
      extract && isStructureOfElements(*extract->getAggregateOperand()->getType()))
    return emitExtract(*extract);
  if (instruction.getType()->isVoidTy()) {  // a fence
    values_.defineUniform(instruction, 0);
    return;
  }
  const Form form = tile_.forms.form(instruction);
  for (const unsigned cell : tile_.forms.cellsOf(instruction)) {
    if (form == Form::Uniform)
      values_.defineUniform(instruction, cell);
    else if (form == Form::Affine)
      emitAffine(instruction, cell);
    else if (hasVectorForm(instruction))
      emitVector(instruction, cell);
    else
      laneByLane_.emit(instruction, cell, masks_.of(instruction, cell));
  }
}

void PacketInstructions::emitAffine(llvm::Instruction& instruction, unsigned cell) {
  if (tile_.shape.packetOf(cell))
    values_.defineFromFirstPacket(instruction, cell);
  else
    values_.define(instruction, cell, affineValue(instruction, cell));
}

/// The first lane's value.
llvm::Value* PacketInstructions::affineValue(llvm::Instruction& instruction, unsigned cell) {
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); address && memory_.interleaved(*address))
    return interleavedAddress(*address, cell);
  if (tile_.forms.mayWrap(instruction) && llvm::isa<llvm::ZExtInst>(instruction) && tile_.forms.stride(instruction) > 0)
    return extendNearZero(llvm::cast<llvm::CastInst>(instruction), cell);
  // What holds for all active lanes may not hold for a first lane that is inactive: there an `or` adds. Ids are ids in
  // all lanes.
  const bool byFewer = masks_.masked() || (tile_.forms.usedByFewer(instruction) && !isId(instruction));
  const bool adds = instruction.getOpcode() == llvm::Instruction::Or &&
                    llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint();
  if (adds && byFewer)
    return builder_.CreateAdd(values_.scalar(*instruction.getOperand(0), cell),
                              values_.scalar(*instruction.getOperand(1), cell), instruction.getName());
  llvm::Instruction* clone = instruction.clone();
  for (llvm::Use& operand : clone->operands()) operand.set(values_.scalar(*operand, cell));
  if (byFewer) clone->dropPoisonGeneratingFlags();
  builder_.Insert(clone, instruction.getName());
  return clone;
}

/// An unsigned index that starts over at 0 somewhere in the row of packets counts as negative before that: only lanes
/// behind the jump can mean an address.
llvm::Value* PacketInstructions::extendNearZero(llvm::CastInst& extension, unsigned cell) {
  const llvm::Value& narrow = *extension.getOperand(0);
  llvm::Value* first = values_.scalar(narrow, cell);
  llvm::Value* last =
      tile_.advance(first, wrappingProduct(tile_.forms.stride(narrow), tile_.shape.width() - 1), narrow);
  llvm::Value* wide = builder_.CreateZExt(first, extension.getType(), extension.getName());
  const std::uint64_t all = std::uint64_t{1} << narrow.getType()->getIntegerBitWidth();
  llvm::Value* negative = builder_.CreateSub(wide, llvm::ConstantInt::get(extension.getType(), all));
  return builder_.CreateSelect(builder_.CreateICmpULT(last, first), negative, wide);
}

void PacketInstructions::emitVector(llvm::Instruction& instruction, unsigned cell) {
  if (instruction.isIntDivRem())
    if (llvm::Value* quotient = division_.emit(llvm::cast<llvm::BinaryOperator>(instruction), cell)) {
      values_.define(instruction, cell, quotient);
      return;
    }
  if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); address && memory_.interleaved(*address)) {
    values_.define(instruction, cell, interleavedAddress(*address, cell));
    return;
  }
  llvm::Instruction* clone = instruction.clone();
  clone->mutateType(tile_.vectorOf(instruction.getType()));
  const bool isAddress = llvm::isa<llvm::GetElementPtrInst>(instruction);
  bool anyVector = false;
  for (unsigned i = 0; i < clone->getNumOperands(); ++i) {
    const llvm::Value& operand = *instruction.getOperand(i);
    const bool keepScalar = (isAddress || (llvm::isa<llvm::SelectInst>(instruction) && i == 0)) &&
                            tile_.forms.form(operand) == Form::Uniform;
    clone->setOperand(i, keepScalar ? values_.scalar(operand, cell) : values_.vector(operand, cell));
    anyVector |= clone->getOperand(i)->getType()->isVectorTy();
  }
  if (isAddress && !anyVector) clone->setOperand(0, values_.vector(*instruction.getOperand(0), cell));
  builder_.Insert(clone, instruction.getName());
  values_.define(instruction, cell, clone);
}

/// The address that a getelementptr into interleaved private memory means: every offset counts for all lanes.
/// The result is the first lane's scalar if the indices are the same in all lanes, a vector otherwise.
llvm::Value* PacketInstructions::interleavedAddress(const llvm::Value& pointer, unsigned cell) {
  const auto& address = llvm::cast<llvm::GetElementPtrInst>(pointer);
  const bool isVector = tile_.forms.form(address) == Form::Vector;
  llvm::Value* offset = nullptr;
  const auto addOffset = [&](llvm::Value* more) { offset = offset ? builder_.CreateAdd(offset, more) : more; };
  std::uint64_t constant = 0;
  for (auto it = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); it != end; ++it) {
    const llvm::Value& index = *it.getOperand();
    if (llvm::StructType* structure = it.getStructTypeOrNull()) {
      constant += tile_.dataLayout.getStructLayout(structure)->getElementOffset(
          static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index).getZExtValue()));
      continue;
    }
    const std::uint64_t bytes = it.getSequentialElementStride(tile_.dataLayout).getFixedValue();
    llvm::Value* by = isVector ? values_.vector(index, cell) : values_.scalar(index, cell);
    llvm::Type* wide = isVector ? tile_.vectorOf(builder_.getInt64Ty()) : builder_.getInt64Ty();
    addOffset(builder_.CreateMul(builder_.CreateSExtOrTrunc(by, wide),
                                 llvm::ConstantInt::get(wide, bytes * tile_.shape.width())));
  }
  llvm::Type* wide = isVector ? tile_.vectorOf(builder_.getInt64Ty()) : builder_.getInt64Ty();
  if (constant || !offset) addOffset(llvm::ConstantInt::get(wide, constant * tile_.shape.width()));
  llvm::Value* base = isVector ? values_.vector(*address.getPointerOperand(), cell)
                               : values_.scalar(*address.getPointerOperand(), cell);
  return builder_.CreateGEP(builder_.getInt8Ty(), base, offset);
}

void PacketInstructions::emitExtract(llvm::ExtractValueInst& extract) {
  const llvm::Value& structure = *extract.getAggregateOperand();
  if (tile_.forms.form(structure) == Form::Uniform) {
    for (const unsigned cell : tile_.forms.cellsOf(extract)) values_.defineUniform(extract, cell);
    return;
  }
  for (const unsigned cell : tile_.forms.cellsOf(extract))
    values_.define(extract, cell,
                   values_.field(structure, tile_.forms.cellFor(structure, cell), extract.getIndices()[0]));
}

}  // namespace clarity::compiler
