// SPDX-License-Identifier: Apache-2.0
// This file reads variables, loads, stores and copies of memory (SPIR-V 1.6, section 3.49.8).
#include "compiler/spirv/aggregates.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/names.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

constexpr std::uint64_t mostPrivateBytes = 1ull << 30;  ///< in an array of a function

/// The memory operands of an instruction, or of one of its two accesses.
struct Access {
  bool isVolatile = false, isNontemporal = false;
  std::optional<llvm::Align> alignment;
  std::size_t words = 0;
};

/// LLVM's translator writes the alignment 0 for copies of bytes, where it is unknown.
Access accessAt(FunctionReader& in, std::size_t index, bool isCopy = false) {
  Access access;
  if (!in.current().has(index)) return access;
  const auto mask = in.current()[index];
  const auto has = [&](MemoryAccess bit) { return (mask & static_cast<std::uint32_t>(bit)) != 0; };
  access.words = 1;
  access.isVolatile = has(MemoryAccess::Volatile);
  access.isNontemporal = has(MemoryAccess::Nontemporal);
  if (has(MemoryAccess::Aligned)) {
    const std::uint32_t bytes = in.current()[index + access.words++];
    access.alignment = isCopy && bytes == 0 ? llvm::Align() : alignmentOf(bytes, in.current());
  }
  for (const MemoryAccess bit : {MemoryAccess::MakePointerAvailable, MemoryAccess::MakePointerVisible,
                                 MemoryAccess::AliasScopeINTELMask, MemoryAccess::NoAliasINTELMask})
    if (has(bit)) ++access.words;
  return access;
}

llvm::Align alignmentFor(FunctionReader& in, const Access& access, llvm::Type* type) {
  return access.alignment.value_or(in.module().layout().getABITypeAlign(type));
}

void mark(FunctionReader& in, const Access& access, llvm::Instruction& made) {
  if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&made)) load->setVolatile(access.isVolatile);
  if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&made)) store->setVolatile(access.isVolatile);
  if (access.isNontemporal)
    made.setMetadata(llvm::LLVMContext::MD_nontemporal,
                     llvm::MDNode::get(in.context(), llvm::ConstantAsMetadata::get(in.builder().getInt32(1))));
}

llvm::Value* variable(FunctionReader& in) {
  const Type& pointer = in.resultType();
  llvm::Type* const type = in.module().typeOfVariable(in.current());
  require(in.current().as<StorageClass>(0) == StorageClass::Function && pointer.storage == StorageClass::Function,
          in.current(), "variables of a function are in the storage class Function");
  llvm::AllocaInst* const made = in.variable(type);
  for (const DecorationOf& given : in.module().annotations().decorationsOf(in.current().result))
    if (given.decoration == Decoration::Alignment && !given.parameters.empty())
      made->setAlignment(std::max(made->getAlign(), alignmentOf(given.parameters[0], in.current())));
  if (const std::size_t place = initialOf(in.current()); in.current().has(place)) {
    llvm::Value& initial = in.operand(place);
    require(initial.getType() == type, in.current(), "its initial value has another type");
    storeParts(in.builder(), &initial, made, made->getAlign(), in.current(), [](llvm::Instruction&) {});
  }
  return made;
}

/// An array in private memory whose length is a specialisation constant, as SYCL's private_alloca makes it. Other
/// lengths would need a stack of each work-item.
llvm::Value* variableLengthArray(FunctionReader& in) {
  const Type& pointer = in.resultType();
  const bool isUntyped = in.current().op == Op::UntypedVariableLengthArrayINTEL;
  llvm::Type* const type = isUntyped ? in.module().types().sized(in.current()[0], in.current()) : in.pointeeOf(pointer);
  require(pointer.isPointer() && pointer.storage == StorageClass::Function, in.current(),
          "its result is not in the storage class Function");
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(&integerAt(in, isUntyped ? 1 : 0));
  require(length != nullptr, in.current(), "its length is not a constant");
  const std::uint64_t bytes = in.module().layout().getTypeAllocSize(type).getFixedValue();
  const std::uint64_t count = length->getValue().getLimitedValue();
  require(bytes == 0 || count <= mostPrivateBytes / bytes, in.current(), "its length {} is too large", count);
  return in.variable(llvm::ArrayType::get(type, count));
}

/// Such arrays live as long as their function, so there is nothing to save.
llvm::Value* savedMemory(FunctionReader& in) {
  require(in.resultType().isPointer(), in.current(), "its result is not a pointer");
  return llvm::Constant::getNullValue(in.resultType().llvm);
}

llvm::Value* load(FunctionReader& in) {
  llvm::Type* const type = in.resultType().llvm;
  require(type->isSized(), in.current(), "there are no values of its type");
  require(in.mayAccess(in.typeOf(in.current()[0]), type), in.current(), "its pointer points to another type");
  llvm::Value& pointer = pointerAt(in, 0);
  const Access access = accessAt(in, 1);
  return loadParts(in.builder(), type, &pointer, alignmentFor(in, access, type), in.current(),
                   [&](llvm::Instruction& made) { mark(in, access, made); });
}

llvm::Value* store(FunctionReader& in) {
  llvm::Value& pointer = pointerAt(in, 0);
  llvm::Value& value = in.operand(1);
  require(value.getType()->isSized(), in.current(), "there are no values of its type");
  require(in.mayAccess(in.typeOf(in.current()[0]), value.getType()), in.current(),
          "its pointer points to another type");
  const Access access = accessAt(in, 2);
  storeParts(in.builder(), &value, &pointer, alignmentFor(in, access, value.getType()), in.current(),
             [&](llvm::Instruction& made) { mark(in, access, made); });
  return nullptr;
}

/// The accesses of target and source; one stands for both.
std::pair<Access, Access> accessesAt(FunctionReader& in, std::size_t index) {
  const Access target = accessAt(in, index, true);
  const bool hasSource = in.current().has(index + target.words) && target.words > 0;
  return {target, hasSource ? accessAt(in, index + target.words, true) : target};
}

/// A typed pointer, of which there must be one, says how much is copied.
llvm::Value* copyMemory(FunctionReader& in) {
  llvm::Value& to = pointerAt(in, 0);
  llvm::Value& from = pointerAt(in, 1);
  const Type& read = in.typeOf(in.current()[1]);
  const Type& typed = read.isUntyped ? in.typeOf(in.current()[0]) : read;
  require(!typed.isUntyped, in.current(), "both of its pointers are untyped");
  llvm::Type* const type = in.pointeeOf(typed);
  const auto [target, source] = accessesAt(in, 2);
  in.builder().CreateMemCpy(&to, alignmentFor(in, target, type), &from, alignmentFor(in, source, type),
                            in.module().layout().getTypeAllocSize(type).getFixedValue(),
                            target.isVolatile || source.isVolatile);
  return nullptr;
}

/// Without word of an alignment, the pointers' types say one; it is that of bytes for pointers to bytes.
llvm::Value* copyMemorySized(FunctionReader& in) {
  llvm::Value& to = pointerAt(in, 0);
  llvm::Value& from = pointerAt(in, 1);
  llvm::Value& size = integerAt(in, 2);
  require(size.getType()->isIntegerTy(), in.current(), "its size is not a number");
  const auto [target, source] = accessesAt(in, 3);
  in.builder().CreateMemCpy(&to, alignmentFor(in, target, in.pointeeOf(in.typeOf(in.current()[0]))), &from,
                            alignmentFor(in, source, in.pointeeOf(in.typeOf(in.current()[1]))),
                            in.builder().CreateZExtOrTrunc(&size, in.builder().getInt64Ty()),
                            target.isVolatile || source.isVolatile);
  return nullptr;
}

}  // namespace

void addMemory(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::Variable, variable);
  set(Op::UntypedVariableKHR, variable);
  set(Op::VariableLengthArrayINTEL, variableLengthArray);
  set(Op::UntypedVariableLengthArrayINTEL, variableLengthArray);
  set(Op::SaveMemoryINTEL, savedMemory);
  set(Op::Load, load);
  set(Op::Store, store);
  set(Op::CopyMemory, copyMemory);
  set(Op::CopyMemorySized, copyMemorySized);
}

}  // namespace clarity::compiler::spirv
