// SPDX-License-Identifier: Apache-2.0
// This file materialises values in the packet value form in which they are used.
#include "compiler/packets/packet_values.h"

#include "compiler/analysis/wrapping.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler {

void PacketValues::enterBlock() {
  local_.clear();
  vectors_.clear();
  fields_.clear();
}

// --- definitions -----------------------------------------------------------------------------------------------------

bool PacketValues::usedElsewhere(const llvm::Instruction& value) const {
  if (tile_.forms.isWatched(value)) return true;  // where addresses that contain it are used
  for (const llvm::User* user : value.users()) {
    const auto* instruction = llvm::cast<llvm::Instruction>(user);
    if (instruction->getParent() != value.getParent() && !llvm::isa<llvm::PHINode>(instruction)) return true;
    // Phis read their values on the edge, which is generated with the block that it leaves.
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (phi->getIncomingValue(i) == &value && phi->getIncomingBlock(i) != value.getParent()) return true;
  }
  return false;
}

void PacketValues::define(const llvm::Instruction& value, unsigned cell, llvm::Value* computed) {
  local_[{&value, cell}] = computed;
  if (!usedElsewhere(value)) return;
  llvm::AllocaInst*& variable = variables_[{&value, cell}];
  if (!variable) variable = tile_.makeVariable(storageType(value), value.getName());
  builder_.CreateStore(toStorage(value, computed), variable);
}

void PacketValues::defineUniform(const llvm::Instruction& instruction, unsigned cell) {
  llvm::Instruction* clone = instruction.clone();
  for (llvm::Use& operand : clone->operands()) operand.set(scalar(*operand, cell));
  builder_.Insert(clone, instruction.getName());
  if (!instruction.getType()->isVoidTy()) define(instruction, cell, clone);
}

void PacketValues::defineFromFirstPacket(const llvm::Instruction& value, unsigned cell) {
  llvm::Value* first = computed(value, tile_.shape.cell(tile_.shape.rowOf(cell), 0));
  const std::int64_t by =
      wrappingProduct(tile_.forms.stride(value), std::int64_t{tile_.shape.packetOf(cell)} * tile_.lanes);
  define(value, cell, tile_.advance(first, by, value));
}

llvm::Type* PacketValues::storageType(const llvm::Value& value) const {
  if (!isVector(value)) return value.getType();
  return value.getType()->isIntegerTy(1) ? masks_.storageType() : tile_.vectorOf(value.getType());
}

llvm::Value* PacketValues::toStorage(const llvm::Value& value, llvm::Value* computed) {
  return isVector(value) && value.getType()->isIntegerTy(1) ? masks_.pack(computed) : computed;
}

llvm::Value* PacketValues::fromStorage(const llvm::Value& value, llvm::Value* stored) {
  return isVector(value) && value.getType()->isIntegerTy(1) ? masks_.unpack(stored) : stored;
}

// --- uses ------------------------------------------------------------------------------------------------------------

llvm::Value* PacketValues::computed(const llvm::Value& value, unsigned cell) {
  const Key key{&value, cell};
  if (const auto it = local_.find(key); it != local_.end()) return it->second;
  const auto it = variables_.find(key);
  // Without a variable it is defined in unreachable code.
  if (it == variables_.end())
    return llvm::PoisonValue::get(isVector(value) ? tile_.vectorOf(value.getType()) : value.getType());
  return local_[key] =
             fromStorage(value, builder_.CreateLoad(it->second->getAllocatedType(), it->second, value.getName()));
}

llvm::Value* PacketValues::scalar(const llvm::Value& value, unsigned cell) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return const_cast<llvm::Value*>(&value);
  if (!tile_.plan.contains(*instruction->getParent())) {
    for (unsigned d = 0; d < 3; ++d)
      if (&value == tile_.plan.items().counter[d]) {
        const PacketShape& shape = tile_.shape;
        std::uint64_t by = 0;
        if (d == shape.along)
          by = std::uint64_t{shape.packetOf(cell)} * tile_.lanes;
        else if (d == shape.across)
          by = shape.rowOf(cell);
        if (by == 0) return tile_.input.counter[d];
        return builder_.CreateAdd(tile_.input.counter[d], llvm::ConstantInt::get(value.getType(), by), "", true, true);
      }
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&value); variable && tile_.layouts.contains(variable))
      return memory_.copyOf(*variable, cell);
    return const_cast<llvm::Value*>(&value);  // the same for the whole work-group
  }
  return computed(value, tile_.forms.cellFor(value, cell));
}

llvm::Value* PacketValues::laneOffsets(llvm::Type* integer, std::int64_t stride) const {
  llvm::SmallVector<llvm::Constant*, 16> offsets;
  for (unsigned i = 0; i < tile_.lanes; ++i)
    offsets.push_back(llvm::ConstantInt::getSigned(integer, wrappingProduct(stride, i), true));
  return llvm::ConstantVector::get(offsets);
}

llvm::Value* PacketValues::vector(const llvm::Value& value, unsigned cell) {
  const Form form = tile_.forms.form(value);
  if (form == Form::Vector) return computed(value, tile_.forms.cellFor(value, cell));
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value))
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(tile_.lanes),
                                          const_cast<llvm::Constant*>(constant));
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const unsigned known = !instruction                                     ? 0
                         : tile_.plan.contains(*instruction->getParent()) ? tile_.forms.cellFor(value, cell)
                                                                          : cell;
  if (llvm::Value* vector = vectors_.lookup({&value, known})) return vector;
  llvm::Value* first = scalar(value, cell);
  if (form == Form::Uniform) return vectors_[{&value, known}] = builder_.CreateVectorSplat(tile_.lanes, first);
  return vectors_[{&value, known}] = corrected(value, plainVector(value, first), [&](const llvm::Instruction& index) {
           return builder_.CreateSub(indexOf(index, vector(*index.getOperand(0), cell)),
                                     plainVector(index, scalar(index, cell)));
         });
}

/// The lanes of an affine value from the first lane's, by the stride.
llvm::Value* PacketValues::plainVector(const llvm::Value& value, llvm::Value* first) {
  const std::int64_t stride = tile_.forms.stride(value);
  if (value.getType()->isPointerTy())
    return builder_.CreateGEP(builder_.getInt8Ty(), first, laneOffsets(builder_.getInt64Ty(), stride));
  return builder_.CreateAdd(builder_.CreateVectorSplat(tile_.lanes, first), laneOffsets(value.getType(), stride));
}

llvm::Value* PacketValues::plainLane(const llvm::Value& value, llvm::Value* first, llvm::Value* lane) {
  const std::int64_t stride = tile_.forms.stride(value);
  if (value.getType()->isPointerTy())
    return builder_.CreateGEP(builder_.getInt8Ty(), first,
                              builder_.CreateMul(lane, builder_.getInt64(static_cast<std::uint64_t>(stride))));
  return builder_.CreateAdd(first, builder_.CreateMul(builder_.CreateZExtOrTrunc(lane, value.getType()),
                                                      llvm::ConstantInt::getSigned(value.getType(), stride, true)));
}

// --- indices that wrap -----------------------------------------------------------------------------------------------

/// Computes an index that may wrap (VarianceInfo::mayWrap) from another operand: of one lane, or of all lanes.
llvm::Value* PacketValues::indexOf(const llvm::Instruction& index, llvm::Value* from) {
  llvm::Type* type = index.getType();
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(from->getType()))
    type = llvm::VectorType::get(type, vector->getElementCount());
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&index))
    return builder_.CreateCast(cast->getOpcode(), from, type);
  return builder_.CreateBinOp(
      llvm::cast<llvm::BinaryOperator>(index).getOpcode(), from,
      llvm::ConstantInt::get(type, llvm::cast<llvm::ConstantInt>(index.getOperand(1))->getValue()));
}

/// @param difference by how much an index differs from the one that its stride leads to
llvm::Value* PacketValues::corrected(const llvm::Value& value, llvm::Value* inStep,
                                     llvm::function_ref<llvm::Value*(const llvm::Instruction&)> difference) {
  if (inStep_) return inStep;
  for (const auto& [index, coefficient] : tile_.forms.wraps(value)) {
    llvm::Value* by = difference(*index);
    by = builder_.CreateMul(by, llvm::ConstantInt::getSigned(by->getType(), coefficient));
    inStep = value.getType()->isPointerTy() ? builder_.CreateGEP(builder_.getInt8Ty(), inStep, by)
                                            : builder_.CreateAdd(inStep, by);
  }
  return inStep;
}

/// Strides are so small (VarianceInfo) that an index wraps at most once in a row: then it does for the last lane.
llvm::Value* PacketValues::wrapsInRow(const llvm::Instruction& index, unsigned cell) {
  const llvm::Value& from = *index.getOperand(0);
  const unsigned first = tile_.shape.cell(tile_.shape.rowOf(cell), 0);
  const auto last = [&](const llvm::Value& value) {
    return tile_.advance(scalar(value, first), wrappingProduct(tile_.forms.stride(value), tile_.shape.width() - 1),
                         value);
  };
  return builder_.CreateICmpNE(indexOf(index, last(from)), last(index));
}

llvm::Value* PacketValues::wrapsAcross(const llvm::Instruction& index, unsigned cell) {
  const PacketShape& shape = tile_.shape;
  const unsigned below = shape.cell(shape.rows - 1, shape.packetOf(cell));
  const std::int64_t by = wrappingProduct(tile_.forms.strideAcross(index), shape.rows - 1);
  if (tile_.forms.form(index) == Form::Uniform)
    return builder_.CreateICmpNE(tile_.advance(scalar(index, cell), by, index), scalar(index, below));
  llvm::Value* expected = vector(index, cell);
  expected = builder_.CreateAdd(expected, llvm::ConstantInt::getSigned(expected->getType(), by));
  return masks_.any({builder_.CreateICmpNE(expected, vector(index, below))});
}

llvm::Value* PacketValues::inLane(const llvm::Value& value, unsigned cell, llvm::Value* lane) {
  switch (tile_.forms.form(value)) {
    case Form::Uniform: return scalar(value, cell);
    case Form::Vector: return builder_.CreateExtractElement(vector(value, cell), lane);
    case Form::Affine: break;
  }
  return corrected(value, plainLane(value, scalar(value, cell), lane), [&](const llvm::Instruction& index) {
    return builder_.CreateSub(indexOf(index, inLane(*index.getOperand(0), cell, lane)),
                              plainLane(index, scalar(index, cell), lane));
  });
}

}  // namespace clarity::compiler
