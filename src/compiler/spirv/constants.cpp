// SPDX-License-Identifier: Apache-2.0
// This file reads constants and specialisation constants.
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/module_reader.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace clarity::compiler::spirv {
namespace {

/// Parts of a constant that one instruction repeats; each takes the compiler's memory.
constexpr std::uint64_t mostReplicated = 1 << 20;

/// A literal number, which is in as many words as it needs.
llvm::APInt literalNumber(const Instruction& instruction, unsigned bits) {
  const std::size_t words = wordsOf(bits);
  require(instruction.count() == words, instruction, "a number of {} bits takes {} words, it has {}", bits, words,
          instruction.count());
  return numberOf(instruction.from(0), bits);
}

/// The value that the application has given.
llvm::APInt givenNumber(const SpecializationValue& given, bool isBool, unsigned bits) {
  std::array<std::uint32_t, 4> words{};
  std::memcpy(words.data(), given.bytes.data(), std::min(given.bytes.size(), sizeof words));
  return isBool ? llvm::APInt(1, words[0] != 0) : numberOf(std::span(words).first(wordsOf(bits)), bits);
}

}  // namespace

std::size_t wordsOf(unsigned bits) { return (bits + 31) / 32; }

llvm::APInt numberOf(std::span<const std::uint32_t> words, unsigned bits) {
  llvm::SmallVector<std::uint64_t, 2> halves((words.size() + 1) / 2);
  for (std::size_t i = 0; i < words.size(); ++i) halves[i / 2] |= std::uint64_t{words[i]} << (i % 2 * 32);
  return llvm::APInt(static_cast<unsigned>(64 * halves.size()), halves).trunc(bits);
}

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
    case Op::ConstantCompositeReplicateEXT:
    case Op::SpecConstantCompositeReplicateEXT: return replicatedConstant(instruction);
    case Op::ConstantNull:
      // LLVM's target repeats the type of an event.
      require(!instruction.has(0) || instruction[0] == instruction.type, instruction, "it has an operand");
      return llvm::Constant::getNullValue(type.llvm);
    case Op::Undef: return llvm::UndefValue::get(type.llvm);
    case Op::PoisonKHR: return llvm::PoisonValue::get(type.llvm);
    case Op::SpecConstantOp: return computedConstant(instruction);
    case Op::ConstantPipeStorage: return pipeStorage(instruction);
    case Op::ConstantFunctionPointerINTEL: return functionPointer(instruction);
    default: refuse(instruction, "it is outside of a function");
  }
}

llvm::Constant* ModuleReader::scalarConstant(const Instruction& instruction) {
  const Type& type = types_.at(instruction.type, instruction);
  const bool isBool = type.op == Op::TypeBool;
  require(isBool || type.isInteger() || type.isFloat(), instruction, "its type {} is not a number", instruction.type);
  const unsigned bits = type.llvm->getScalarSizeInBits();
  llvm::APInt value(bits, instruction.op == Op::ConstantTrue || instruction.op == Op::SpecConstantTrue);
  const bool isNumber = instruction.op == Op::Constant || instruction.op == Op::SpecConstant;
  require(isNumber != isBool, instruction, "its type {} does not fit", instruction.type);
  if (isNumber) value = literalNumber(instruction, bits);
  if (const SpecializationValue* const given = specializationOf(instruction)) value = givenNumber(*given, isBool, bits);
  if (type.isFloat() && !type.isBFloat)
    return llvm::ConstantFP::get(type.llvm, llvm::APFloat(type.llvm->getFltSemantics(), value));
  return llvm::ConstantInt::get(type.llvm, value);
}

llvm::Constant* ModuleReader::compositeConstant(const Instruction& instruction) {
  llvm::SmallVector<llvm::Constant*, 16> parts;
  for (const std::uint32_t part : instruction.operands) parts.push_back(&constant(part, instruction));
  return constantOfParts(instruction, parts);
}

/// All parts are one constant.
llvm::Constant* ModuleReader::replicatedConstant(const Instruction& instruction) {
  const Type& type = types_.at(instruction.type, instruction);
  const std::uint64_t count = type.op == Op::TypeStruct ? type.members.size() : type.count;
  require(count <= mostReplicated, instruction, "it has {} parts, more than {}", count, mostReplicated);
  return constantOfParts(instruction,
                         llvm::SmallVector<llvm::Constant*, 16>(count, &constant(instruction[0], instruction)));
}

llvm::Constant* ModuleReader::constantOfParts(const Instruction& instruction, llvm::ArrayRef<llvm::Constant*> parts) {
  llvm::Type* const type = types_.at(instruction.type, instruction).llvm;
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

/// Pointers to functions are in LLVM's address space of functions, 0; others hold the same bits.
llvm::Constant* ModuleReader::functionPointer(const Instruction& instruction) {
  llvm::Type* const type = types_.at(instruction.type, instruction).llvm;
  require(type->isPointerTy(), instruction, "its type {} is not a pointer", instruction.type);
  const auto range = std::ranges::lower_bound(functions_, &definitionOf(instruction[0], instruction), {},
                                              &FunctionRange::definition);  // in the order of the module
  require(range != functions_.end() && range->definition->result == instruction[0], instruction,
          "the id {} is not a function", instruction[0]);
  llvm::Function& function = createFunction(*range);
  require(!function.isIntrinsic(), instruction, "the function {} has no address", instruction[0]);
  if (function.getType() == type) return &function;
  llvm::Type* const bits = llvm::Type::getInt64Ty(context());
  return llvm::ConstantExpr::getIntToPtr(llvm::ConstantExpr::getPtrToInt(&function, bits), type);
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
