// SPDX-License-Identifier: Apache-2.0
// This file chooses the form of every instruction.
#include "compiler/packets/packet_instructions.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/ir/attributes.h"
#include "compiler/packets/packet_obstacle.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

#include <tuple>
#include <utility>

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
  if (emitAccess(instruction)) return;
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
      extract && isStructureOfElements(*extract->getAggregateOperand()->getType()))
    return emitExtract(*extract);
  if (instruction.getType()->isVoidTy()) {  // a fence
    values_.defineUniform(instruction, 0);
    return;
  }
  const Form form = tile_.forms.form(instruction);
  const auto isVector = [&](const llvm::Use& operand) { return tile_.forms.form(*operand) == Form::Vector; };
  for (const unsigned cell : tile_.forms.cellsOf(instruction)) {
    if (form == Form::Uniform && llvm::any_of(instruction.operands(), isVector))
      values_.define(instruction, cell, uniformComparison(llvm::cast<llvm::ICmpInst>(instruction), cell));
    else if (form == Form::Uniform)
      values_.defineUniform(instruction, cell);
    else if (form == Form::Affine)
      emitAffine(instruction, cell);
    else if (hasVectorForm(instruction))
      emitVector(instruction, cell);
    else
      laneByLane_.emit(instruction, cell, masks_.of(instruction, cell));
  }
}

/// Loads and stores. Those whose addresses have an index that may wrap are generated twice: for the tiles in which it
/// does, lane by lane.
bool PacketInstructions::emitAccess(llvm::Instruction& access) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(access)) return false;
  const llvm::SmallVector<llvm::Instruction*, 4> accesses = groups_.accessesAt(access);
  llvm::Value* wraps = accesses.empty() ? nullptr : wrapsAt(access);
  if (!wraps) return emitInStep(access);
  for (const llvm::Instruction* each : accesses)
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(each))
      for (unsigned cell = 0; cell < tile_.shape.cells(); ++cell) values_.vector(*store->getValueOperand(), cell);
  llvm::BasicBlock *apart = tile_.newBlock("packet.wraps"), *inStep = tile_.newBlock("packet.in.step"),
                   *after = tile_.newBlock("packet.accessed");
  llvm::SmallVector<std::tuple<llvm::LoadInst*, unsigned, llvm::PHINode*>, 8> loaded;
  builder_.CreateCondBr(wraps, apart, inStep, llvm::MDBuilder(tile_.context).createUnlikelyBranchWeights());
  builder_.SetInsertPoint(after);
  for (llvm::Instruction* each : accesses)
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(each))
      for (const unsigned cell : tile_.forms.cellsOf(*load))
        loaded.emplace_back(load, cell, builder_.CreatePHI(tile_.vectorOf(load->getType()), 2, load->getName()));
  const auto way = [&](llvm::BasicBlock* block, llvm::function_ref<void()> emitAll) {
    const PacketValues::EdgeScope scope(values_);
    builder_.SetInsertPoint(block);
    emitAll();
    for (const auto& [load, cell, phi] : loaded)
      phi->addIncoming(values_.vector(*load, cell), builder_.GetInsertBlock());
    builder_.CreateBr(after);
  };
  way(apart, [&] {
    PacketNotes* notes = std::exchange(tile_.notes, nullptr);
    for (llvm::Instruction* each : accesses)
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(each))
        accesses_.emitLoadApart(*load, *llvm::getLoadStorePointerOperand(&access), groups_.offsetFrom(access, *load));
      else
        accesses_.emitStoreApart(llvm::cast<llvm::StoreInst>(*each));
    tile_.notes = notes;
  });
  way(inStep, [&] {
    const PacketValues::InStep none(values_);
    emitInStep(access);
  });
  after->moveAfter(&tile_.function.back());
  builder_.SetInsertPoint(after);
  for (const auto& [load, cell, phi] : loaded) values_.define(*load, cell, phi);
  return true;
}

bool PacketInstructions::emitInStep(llvm::Instruction& access) {
  if (groups_.emit(access)) return true;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access)) accesses_.emitLoad(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) accesses_.emitStore(*store);
  return true;
}

/// i1: whether the addresses of an access are not those that their strides lead to; nullptr: they never are. Those of
/// its group are computed from its own.
llvm::Value* PacketInstructions::wrapsAt(const llvm::Instruction& access) {
  llvm::SmallVector<llvm::Value*, 4> wraps;
  const PacketShape& shape = tile_.shape;
  const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
  for (const auto& [index, coefficient] : tile_.forms.wraps(pointer))
    for (unsigned row = 0; row < shape.rows; ++row)
      if (const unsigned cell = shape.cell(row, 0); tile_.forms.cellFor(*index, cell) == cell)
        wraps.push_back(values_.wrapsInRow(*index, cell));
  if (accesses_.isAcross(access))
    for (const llvm::Instruction* index : *tile_.forms.indicesAcross(pointer))
      for (unsigned packet = 0; packet < shape.packets; ++packet)
        if (const unsigned cell = shape.cell(0, packet); tile_.forms.cellFor(*index, cell) == cell)
          wraps.push_back(values_.wrapsAcross(*index, cell));
  return wraps.empty() ? nullptr : builder_.CreateOr(wraps);
}

/// i1: of values that differ between lanes, though all lanes that compute it have the same answer (VarianceInfo knows
/// the strides of both sides): that of any active one.
llvm::Value* PacketInstructions::uniformComparison(llvm::ICmpInst& comparison, unsigned cell) {
  const auto answers = [&](unsigned at) {
    return builder_.CreateFreeze(builder_.CreateICmp(comparison.getPredicate(),
                                                     values_.vector(*comparison.getOperand(0), at),
                                                     values_.vector(*comparison.getOperand(1), at)));
  };
  if (!masks_.masked()) return builder_.CreateExtractElement(answers(cell), std::uint64_t{0}, comparison.getName());
  llvm::SmallVector<llvm::Value*, 8> yes;
  for (unsigned other = 0; other < tile_.shape.cells(); ++other)
    if (tile_.forms.cellFor(comparison, other) == cell)
      yes.push_back(builder_.CreateAnd(answers(other), masks_.ofCell(other)));
  return masks_.any(yes);
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
  // A fact of all active lanes may not hold for a first lane that is inactive: there an `or` adds, and an `and`
  // has no effect. Ids are ids in all lanes.
  const bool byFewer = masks_.masked() || (tile_.forms.usedByFewer(instruction) && !isId(instruction));
  if (byFewer && !instruction.getMetadata(inStepMetadata))
    if (const auto bits = affineBitOperationOf(instruction, tile_.dataLayout)) {
      llvm::Value* left = values_.scalar(*bits->terms[0].operand, cell);
      if (bits->terms.size() == 1) return left;
      return builder_.CreateAdd(left, values_.scalar(*bits->terms[1].operand, cell), instruction.getName());
    }
  if (const auto terms = tile_.forms.termsOf(instruction)) return extended(*terms, *instruction.getType(), cell);
  // In a first lane that is inactive it may be negative.
  if (const auto* extended = llvm::dyn_cast<llvm::ZExtInst>(&instruction); extended && extended->hasNonNeg() && byFewer)
    return builder_.CreateSExt(values_.scalar(*extended->getOperand(0), cell), extended->getType());
  llvm::Instruction* clone = instruction.clone();
  for (llvm::Use& operand : clone->operands()) operand.set(values_.scalar(*operand, cell));
  if (byFewer) clone->dropPoisonGeneratingFlags();
  builder_.Insert(clone, instruction.getName());
  return clone;
}

llvm::Value* PacketInstructions::extended(const ExactSum& sum, llvm::Type& type, unsigned cell) {
  llvm::Value* total = nullptr;
  for (const auto& [value, factor] : sum.terms) {
    llvm::Value* term = builder_.CreateSExtOrTrunc(values_.scalar(*value, cell), &type);
    if (factor != 1) term = builder_.CreateMul(term, llvm::ConstantInt::getSigned(&type, factor, true));
    total = total ? builder_.CreateAdd(total, term) : term;
  }
  llvm::Constant* constant = llvm::ConstantInt::getSigned(&type, sum.constant, true);
  if (!total) return constant;
  return sum.constant == 0 ? total : builder_.CreateAdd(total, constant);
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
