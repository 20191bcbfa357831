// SPDX-License-Identifier: Apache-2.0
// This file reads constants and specialisation constants.
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/module_reader.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <cstring>

namespace clarity::compiler::spirv {
namespace {

/// The words of a literal number: narrow ones are in the low bits of one word.
std::uint64_t literalNumber(const Instruction& instruction, unsigned bits) {
  const std::size_t words = bits > 32 ? 2 : 1;
  require(instruction.count() == words, instruction, "a number of {} bits takes {} words, it has {}", bits, words,
          instruction.count());
  return words == 1 ? instruction[0] : instruction[0] | std::uint64_t(instruction[1]) << 32;
}

}  // namespace

const SpecializationValue* ModuleReader::specializationOf(const Instruction& instruction) const {
  const DecorationOf* const specId = annotations_.find(instruction.result, Decoration::SpecId);
  if (!specId) return nullptr;
  const auto found = std::ranges::lower_bound(specialization_, specId->parameters[0], {}, &SpecializationValue::id);
  return found != specialization_.end() && found->id == specId->parameters[0] ? &*found : nullptr;
}

void ModuleReader::readConstant(const Instruction& instruction) {
  const Type& type = types_.at(instruction.type, instruction);
  if (instruction.op == Op::ConstantSampler) return;  // a call in the functions that use it
  llvm::Constant* const constant = constantOf(instruction);
  require(constant->getType() == type.llvm, instruction, "its value has not the type {}", instruction.type);
  setValue(instruction.result, constant);
}

llvm::Constant* ModuleReader::constantOf(const Instruction& instruction) {
  const Type& type = types_.at(instruction.type, instruction);
  require(type.llvm->isSized(), instruction, "there are no constants of type {}", instruction.type);
  switch (instruction.op) {
    case Op::ConstantTrue:
    case Op::ConstantFalse:
    case Op::SpecConstantTrue:
    case Op::SpecConstantFalse:
    case Op::Constant:
    case Op::SpecConstant: return scalarConstant(instruction);
    case Op::ConstantComposite:
    case Op::SpecConstantComposite: return compositeConstant(instruction);
    case Op::ConstantNull: return llvm::Constant::getNullValue(type.llvm);
    case Op::Undef: return llvm::UndefValue::get(type.llvm);
    case Op::SpecConstantOp: return computedConstant(instruction);
    default: refuse(instruction, "it is outside of a function");
  }
}

llvm::Constant* ModuleReader::scalarConstant(const Instruction& instruction) {
  const Type& type = types_.at(instruction.type, instruction);
  const bool isBool = type.op == Op::TypeBool;
  require(isBool || type.isInteger() || type.isFloat(), instruction, "its type {} is not a number", instruction.type);
  const unsigned bits = type.llvm->getScalarSizeInBits();
  std::uint64_t value = instruction.op == Op::ConstantTrue || instruction.op == Op::SpecConstantTrue;
  const bool isNumber = instruction.op == Op::Constant || instruction.op == Op::SpecConstant;
  require(isNumber != isBool, instruction, "its type {} does not fit", instruction.type);
  if (isNumber) value = literalNumber(instruction, bits);
  if (const SpecializationValue* const given = specializationOf(instruction)) {
    value = 0;
    std::memcpy(&value, given->bytes.data(), std::min(given->bytes.size(), sizeof value));
    if (isBool) value = value != 0;
  }
  const llvm::APInt number(64, value);
  if (type.isFloat() && !type.isBFloat)
    return llvm::ConstantFP::get(type.llvm, llvm::APFloat(type.llvm->getFltSemantics(), number.trunc(bits)));
  return llvm::ConstantInt::get(type.llvm, number.trunc(bits));
}

llvm::Constant* ModuleReader::compositeConstant(const Instruction& instruction) {
  llvm::Type* const type = types_.at(instruction.type, instruction).llvm;
  llvm::SmallVector<llvm::Constant*, 16> parts;
  for (const std::uint32_t part : instruction.operands) parts.push_back(&constant(part, instruction));
  const auto haveTypes = [&](auto typeOfPart) {
    for (unsigned i = 0; i < parts.size(); ++i)
      require(parts[i]->getType() == typeOfPart(i), instruction, "part {} has another type", i);
  };
  if (auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
      vector && parts.size() == vector->getNumElements()) {
    haveTypes([&](unsigned) { return vector->getElementType(); });
    return llvm::ConstantVector::get(parts);
  }
  if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(type); array && parts.size() == array->getNumElements()) {
    haveTypes([&](unsigned) { return array->getElementType(); });
    return llvm::ConstantArray::get(array, parts);
  }
  if (auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
      structure && parts.size() == structure->getNumElements()) {
    haveTypes([&](unsigned i) { return structure->getElementType(i); });
    return llvm::ConstantStruct::get(structure, parts);
  }
  refuse(instruction, "its type {} does not have {} parts", instruction.type, parts.size());
}

/// The same handlers as of a function's instructions compute it, in a function that is thrown away.
llvm::Constant* ModuleReader::computedConstant(const Instruction& instruction) {
  Instruction inner = instruction;
  inner.op = instruction.as<Op>(0);
  inner.operands = instruction.from(1);
  llvm::Value* const value = evaluate(
      *this, inner, [&](llvm::Instruction& computed) { return llvm::ConstantFoldInstruction(&computed, layout()); });
  auto* const constant = llvm::dyn_cast_or_null<llvm::Constant>(value);
  require(constant != nullptr, instruction, "{} of its operands is not a constant", nameOf(inner.op));
  return constant;
}

}  // namespace clarity::compiler::spirv
