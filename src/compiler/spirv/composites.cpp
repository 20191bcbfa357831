// SPDX-License-Identifier: Apache-2.0
// This file reads what makes values of parts and takes them apart (SPIR-V 1.6, section 3.49.12).
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

/// The parts of an aggregate or vector; 0 for all else.
std::uint64_t partsOf(llvm::Type* whole) {
  if (const auto* const structure = llvm::dyn_cast<llvm::StructType>(whole)) return structure->getNumElements();
  if (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(whole)) return array->getNumElements();
  if (const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(whole)) return vector->getNumElements();
  return 0;
}

/// The type of a part of an aggregate or vector; refuses an index that it does not have.
llvm::Type* partOf(FunctionReader& in, llvm::Type* whole, std::uint32_t index) {
  require(index < partsOf(whole), in.current(), "there is no part {} among {}", index, partsOf(whole));
  return whole->isVectorTy() ? whole->getScalarType()
                             : llvm::GetElementPtrInst::getTypeAtIndex(whole, std::uint64_t{index});
}

llvm::Value* extractPart(FunctionReader& in, llvm::Value* whole, std::uint32_t index) {
  return whole->getType()->isVectorTy() ? in.builder().CreateExtractElement(whole, std::uint64_t(index))
                                        : in.builder().CreateExtractValue(whole, index);
}

llvm::Value* insertPart(FunctionReader& in, llvm::Value* whole, llvm::Value* part, std::uint32_t index) {
  require(part->getType() == partOf(in, whole->getType(), index), in.current(), "part {} has another type", index);
  return whole->getType()->isVectorTy() ? in.builder().CreateInsertElement(whole, part, std::uint64_t(index))
                                        : in.builder().CreateInsertValue(whole, part, index);
}

llvm::Value* extract(FunctionReader& in) {
  llvm::Value* value = &in.operand(0);
  for (const std::uint32_t index : in.current().from(1)) {
    partOf(in, value->getType(), index);
    value = extractPart(in, value, index);
  }
  return value;
}

llvm::Value* insertAt(FunctionReader& in, llvm::Value* whole, llvm::Value* part,
                      std::span<const std::uint32_t> indices) {
  if (indices.empty()) {
    require(whole->getType() == part->getType(), in.current(), "the part has another type");
    return part;
  }
  partOf(in, whole->getType(), indices[0]);
  llvm::Value* const inner = insertAt(in, extractPart(in, whole, indices[0]), part, indices.subspan(1));
  return insertPart(in, whole, inner, indices[0]);
}

llvm::Value* insert(FunctionReader& in) {
  require(in.current().count() <= 255, in.current(), "it has too many indices");
  return insertAt(in, &in.operand(1), &in.operand(0), in.current().from(2));
}

/// A vector may be made of shorter vectors.
llvm::Value* construct(FunctionReader& in) {
  llvm::Type* const type = in.resultType().llvm;
  require(type->isSized(), in.current(), "there are no values of its type");
  llvm::Value* made = llvm::PoisonValue::get(type);
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < in.current().count(); ++i) {
    llvm::Value& part = in.operand(i);
    const auto* const vector = type->isVectorTy() ? llvm::dyn_cast<llvm::FixedVectorType>(part.getType()) : nullptr;
    if (!vector) {
      made = insertPart(in, made, &part, at++);
      continue;
    }
    for (unsigned component = 0; component < vector->getNumElements(); ++component)
      made = insertPart(in, made, extractPart(in, &part, component), at++);
  }
  const std::uint64_t count = type->isVectorTy()   ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements()
                              : type->isArrayTy()  ? type->getArrayNumElements()
                              : type->isStructTy() ? type->getStructNumElements()
                                                   : 0;
  require(at == count, in.current(), "its type has {} parts, it gives {}", count, at);
  return made;
}

llvm::Value& vectorAt(FunctionReader& in, std::size_t index) {
  llvm::Value& vector = in.operand(index);
  require(vector.getType()->isVectorTy(), in.current(), "operand {} is not a vector", index + 1);
  return vector;
}

llvm::Value* extractDynamic(FunctionReader& in) {
  return in.builder().CreateExtractElement(&vectorAt(in, 0), &integerAt(in, 1));
}

llvm::Value* insertDynamic(FunctionReader& in) {
  llvm::Value& vector = vectorAt(in, 0);
  llvm::Value& part = in.operand(1);
  require(part.getType() == vector.getType()->getScalarType(), in.current(), "the component has another type");
  return in.builder().CreateInsertElement(&vector, &part, &integerAt(in, 2));
}

/// LLVM's two vectors have one size, SPIR-V's may differ.
llvm::Value* shuffleVectors(FunctionReader& in) {
  constexpr std::uint32_t undefined = 0xffffffff;
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* left = &vectorAt(in, 0);
  llvm::Value* right = &vectorAt(in, 1);
  // LLVM's target writes a vector of another type where no component of it is taken.
  const unsigned leftCount = llvm::cast<llvm::FixedVectorType>(left->getType())->getNumElements();
  if (llvm::all_of(in.current().from(2), [&](std::uint32_t index) { return index == undefined || index < leftCount; }))
    right = llvm::PoisonValue::get(left->getType());
  require(left->getType()->getScalarType() == right->getType()->getScalarType(), in.current(),
          "its vectors have different components");
  const unsigned rightCount = llvm::cast<llvm::FixedVectorType>(right->getType())->getNumElements();
  const unsigned count = std::max(leftCount, rightCount);
  const auto widen = [&](llvm::Value* vector, unsigned has) -> llvm::Value* {
    if (has == count) return vector;
    llvm::SmallVector<int, 16> mask(count, -1);
    for (unsigned i = 0; i < has; ++i) mask[i] = static_cast<int>(i);
    return builder.CreateShuffleVector(vector, mask);
  };
  llvm::SmallVector<int, 16> mask;
  for (const std::uint32_t index : in.current().from(2)) {
    require(index == undefined || index < leftCount + rightCount, in.current(), "there is no component {} among {}",
            index, leftCount + rightCount);
    mask.push_back(index == undefined  ? -1
                   : index < leftCount ? static_cast<int>(index)
                                       : static_cast<int>(index - leftCount + count));
  }
  require(!mask.empty() && mask.size() <= 16, in.current(), "its result has {} components", mask.size());
  return builder.CreateShuffleVector(widen(left, leftCount), widen(right, rightCount), mask);
}

llvm::Value* copy(FunctionReader& in) { return &in.operand(0); }

/// The value with another layout, such as that of a packed structure: what is no aggregate stays the same.
llvm::Value* relaid(FunctionReader& in, llvm::Value* value, llvm::Type* to) {
  llvm::Type* const from = value->getType();
  if (from == to) return value;
  const bool areAlike = (from->isStructTy() && to->isStructTy()) || (from->isArrayTy() && to->isArrayTy());
  require(areAlike && partsOf(from) == partsOf(to), in.current(), "its types differ");
  llvm::Value* made = llvm::PoisonValue::get(to);
  for (std::uint32_t i = 0; i < partsOf(to); ++i)
    made = insertPart(in, made, relaid(in, extractPart(in, value, i), partOf(in, to, i)), i);
  return made;
}

/// OpCopyLogical: between types of the same structure.
llvm::Value* copyLogical(FunctionReader& in) { return relaid(in, &in.operand(0), in.resultType().llvm); }

/// All parts are one value.
llvm::Value* constructOfOne(FunctionReader& in) {
  llvm::Type* const type = in.resultType().llvm;
  require(partsOf(type) > 0, in.current(), "its result has no parts");
  llvm::Value* made = llvm::PoisonValue::get(type);
  for (std::uint32_t i = 0; i < partsOf(type); ++i) made = insertPart(in, made, &in.operand(0), i);
  return made;
}

llvm::Value* poison(FunctionReader& in) {
  require(in.resultType().llvm->isSized(), in.current(), "there are no values of its type");
  return llvm::PoisonValue::get(in.resultType().llvm);
}

llvm::Value* frozen(FunctionReader& in) { return in.builder().CreateFreeze(&in.operand(0)); }

llvm::Value* undefined(FunctionReader& in) {
  require(in.resultType().llvm->isSized(), in.current(), "there are no values of its type");
  return llvm::UndefValue::get(in.resultType().llvm);
}

}  // namespace

void addComposites(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::CompositeExtract, extract);
  set(Op::CompositeInsert, insert);
  set(Op::CompositeConstruct, construct);
  set(Op::VectorExtractDynamic, extractDynamic);
  set(Op::VectorInsertDynamic, insertDynamic);
  set(Op::VectorShuffle, shuffleVectors);
  set(Op::CopyObject, copy);
  set(Op::CopyLogical, copyLogical);
  set(Op::CompositeConstructReplicateEXT, constructOfOne);
  set(Op::PoisonKHR, poison);
  set(Op::FreezeKHR, frozen);
  set(Op::FPGARegINTEL, copy);
  set(Op::ExpectKHR, copy);
  set(Op::ArithmeticFenceEXT, copy);
  set(Op::Undef, undefined);
}

}  // namespace clarity::compiler::spirv
