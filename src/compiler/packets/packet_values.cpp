// SPDX-License-Identifier: Apache-2.0
// This file keeps the forms of every value: by cell, as scalar or vector, inside a block and between blocks.
#include "compiler/packets/packet_builder.h"

#include "compiler/analysis/wrapping.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace clarity::compiler {

llvm::AllocaInst* PacketBuilder::makeVariable(llvm::Type* type, const llvm::Twine& name) {
  llvm::IRBuilder<> builder(&allocas_, allocas_.begin());
  llvm::AllocaInst* variable = builder.CreateAlloca(type, nullptr, name);
  variables_.push_back(variable);
  return variable;
}

llvm::Type* PacketBuilder::vectorOf(llvm::Type* type) const { return llvm::FixedVectorType::get(type, lanes_); }

llvm::Type* PacketBuilder::storageOf(llvm::Type* type) const { return type->isIntegerTy(1) ? laneStorage() : vectorOf(type); }

// --- cells -----------------------------------------------------------------------------------------------------------

unsigned PacketBuilder::cellFor(const llvm::Value& value, unsigned cell) const {
  if (!llvm::isa<llvm::Instruction>(value)) return 0;
  return plan_.shape().cell(plan_.variesAcross(value) ? rowOf(cell) : 0, plan_.variesAlong(value) ? packetOf(cell) : 0);
}

llvm::SmallVector<unsigned, 8> PacketBuilder::cellsOf(const llvm::Value& value) const {
  llvm::SmallVector<unsigned, 8> cells;
  for (unsigned cell = 0; cell < plan_.shape().cells(); ++cell)
    if (cellFor(value, cell) == cell) cells.push_back(cell);
  return cells;
}

llvm::SmallVector<unsigned, 8> PacketBuilder::cellsOfOperands(const llvm::Instruction& instruction) const {
  bool along = false, across = false;
  for (const llvm::Use& operand : instruction.operands()) {
    if (!llvm::isa<llvm::Instruction>(operand)) continue;
    along |= plan_.variesAlong(*operand);
    across |= plan_.variesAcross(*operand);
  }
  llvm::SmallVector<unsigned, 8> cells;
  for (unsigned row = 0; row < (across ? plan_.shape().rows : 1); ++row)
    for (unsigned packet = 0; packet < (along ? plan_.shape().packets : 1); ++packet) cells.push_back(plan_.shape().cell(row, packet));
  return cells;
}

// --- definitions -----------------------------------------------------------------------------------------------------

bool PacketBuilder::usedElsewhere(const llvm::Instruction& value) const {
  for (const llvm::User* user : value.users()) {
    const auto* instruction = llvm::cast<llvm::Instruction>(user);
    if (instruction->getParent() != value.getParent() && !llvm::isa<llvm::PHINode>(instruction)) return true;
    // Phis read their values on the edge, which is made with the block that it leaves.
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (phi->getIncomingValue(i) == &value && phi->getIncomingBlock(i) != value.getParent()) return true;
  }
  return false;
}

void PacketBuilder::define(const llvm::Instruction& value, unsigned cell, llvm::Value* made) {
  local_[{&value, cell}] = made;
  if (!usedElsewhere(value)) return;
  const bool isVector = plan_.form(value) == Form::Vector;
  Carried& carried = carried_[{&value, cell}];
  if (!carried.variable) carried.variable = makeVariable(isVector ? storageOf(value.getType()) : value.getType(), value.getName());
  carried.vector = isVector;
  builder_.CreateStore(isVector && value.getType()->isIntegerTy(1) ? packLanes(made) : made, carried.variable);
}

llvm::Value* PacketBuilder::made(const llvm::Value& value, unsigned cell) {
  const Key key{&value, cell};
  if (const auto it = local_.find(key); it != local_.end()) return it->second;
  const auto it = carried_.find(key);
  if (it == carried_.end()) {
    // Defined in code that nothing leads to.
    const bool isVector = plan_.form(value) == Form::Vector;
    return llvm::PoisonValue::get(isVector ? vectorOf(value.getType()) : value.getType());
  }
  llvm::Value* loaded = builder_.CreateLoad(it->second.variable->getAllocatedType(), it->second.variable, value.getName());
  if (it->second.vector && value.getType()->isIntegerTy(1)) loaded = unpackLanes(loaded);
  return local_[key] = loaded;
}

// --- forms -----------------------------------------------------------------------------------------------------------

llvm::Value* PacketBuilder::advance(llvm::Value* from, std::int64_t by, const llvm::Value& like) {
  if (by == 0) return from;
  if (like.getType()->isPointerTy()) return builder_.CreateGEP(builder_.getInt8Ty(), from, builder_.getInt64(static_cast<std::uint64_t>(by)));
  return builder_.CreateAdd(from, llvm::ConstantInt::getSigned(like.getType(), by));
}

llvm::Value* PacketBuilder::scalar(const llvm::Value& value, unsigned cell) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return const_cast<llvm::Value*>(&value);
  if (!plan_.contains(*instruction->getParent())) {
    for (unsigned d = 0; d < 3; ++d)
      if (&value == plan_.items().counter[d]) {
        const PacketShape& shape = plan_.shape();
        std::uint64_t by = 0;
        if (d == shape.along) by = std::uint64_t{packetOf(cell)} * lanes_;
        else if (d == shape.across) by = rowOf(cell);
        if (by == 0) return input_.counter[d];
        return builder_.CreateAdd(input_.counter[d], llvm::ConstantInt::get(value.getType(), by), "", true, true);
      }
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&value); variable && layouts_.contains(variable)) {
      const auto it = private_.find({&value, cell});
      if (it != private_.end()) return it->second;
      emitPrivateVariable(*variable);
      return private_[{&value, cell}];
    }
    return const_cast<llvm::Value*>(&value);  // the group's
  }
  return made(value, cellFor(value, cell));
}

llvm::Value* PacketBuilder::laneOffsets(llvm::Type* integer, std::int64_t stride) const {
  llvm::SmallVector<llvm::Constant*, 16> offsets;
  for (unsigned i = 0; i < lanes_; ++i) offsets.push_back(llvm::ConstantInt::getSigned(integer, wrappingProduct(stride, i), true));
  return llvm::ConstantVector::get(offsets);
}

llvm::Value* PacketBuilder::vector(const llvm::Value& value, unsigned cell) {
  const Form form = plan_.form(value);
  if (form == Form::Vector) return made(value, cellFor(value, cell));
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value))
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), const_cast<llvm::Constant*>(constant));
  const unsigned kind = llvm::isa<llvm::Instruction>(value) ? (plan_.contains(*llvm::cast<llvm::Instruction>(value).getParent()) ? cellFor(value, cell) : cell) : 0;
  llvm::Value*& known = localVectors_[{&value, kind}];
  if (known) return known;
  llvm::Value* first = scalar(value, cell);
  llvm::Value* made = nullptr;
  if (form == Form::Scalar) {
    made = builder_.CreateVectorSplat(lanes_, first);
  } else if (value.getType()->isPointerTy()) {
    made = builder_.CreateGEP(builder_.getInt8Ty(), first, laneOffsets(builder_.getInt64Ty(), plan_.stride(value)));
  } else {
    made = builder_.CreateAdd(builder_.CreateVectorSplat(lanes_, first), laneOffsets(value.getType(), plan_.stride(value)));
  }
  return localVectors_[{&value, kind}] = made;
}

llvm::Value* PacketBuilder::inLane(const llvm::Value& value, unsigned cell, llvm::Value* lane) {
  switch (plan_.form(value)) {
    case Form::Scalar: return scalar(value, cell);
    case Form::Vector: return builder_.CreateExtractElement(vector(value, cell), lane);
    case Form::Linear: break;
  }
  llvm::Value* first = scalar(value, cell);
  if (value.getType()->isPointerTy())
    return builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.CreateMul(lane, builder_.getInt64(static_cast<std::uint64_t>(plan_.stride(value)))));
  llvm::Value* offset = builder_.CreateMul(builder_.CreateZExtOrTrunc(lane, value.getType()), llvm::ConstantInt::getSigned(value.getType(), plan_.stride(value)));
  return builder_.CreateAdd(first, offset);
}

}  // namespace clarity::compiler
