// SPDX-License-Identifier: Apache-2.0
// This file reads arithmetic and casts of pointers (SPIR-V 1.6, sections 3.49.8 and 3.49.11).
#include "compiler/ir/primitives.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/mangle.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

/// A pointer to a part: indices from `first` on lead from what the base points to, a leading element index excepted.
/// For untyped pointers, an operand ahead of the base is the type of what it points to.
llvm::Value* chain(FunctionReader& in, std::size_t first, bool hasElement, bool isUntyped, llvm::GEPNoWrapFlags flags) {
  llvm::Value& pointer = pointerAt(in, isUntyped ? 1 : 0);
  const Type* type = &in.type(isUntyped ? in.current()[0] : in.typeOf(in.current()[0]).element);
  llvm::Type* const start = in.module().types().sized(type->id, in.current());
  llvm::SmallVector<llvm::Value*, 6> indices;
  if (hasElement)
    indices.push_back(&integerAt(in, first - 1));
  else
    indices.push_back(in.builder().getInt64(0));
  for (std::size_t i = first; i < in.current().count(); ++i) {
    llvm::Value& index = integerAt(in, i);
    require(index.getType()->isIntegerTy(), in.current(), "operand {} is not an integer", i + 1);
    if (type->op == Op::TypeStruct) {
      const std::uint64_t member = in.number(i);
      require(member < type->members.size(), in.current(), "the structure {} has no member {}", type->id, member);
      indices.push_back(in.builder().getInt32(static_cast<std::uint32_t>(member)));
      type = &in.type(type->members[member]);
    } else {
      require(type->op == Op::TypeArray || type->op == Op::TypeVector, in.current(), "the type {} has no parts",
              type->id);
      indices.push_back(&index);
      type = &in.type(type->element);
    }
  }
  require(indices[0]->getType()->isIntegerTy(), in.current(), "operand {} is not an integer", first);
  const Type& result = in.resultType();
  require(result.isPointer() && (isUntyped ? result.isUntyped : result.element == type->id), in.current(),
          "its result does not point to the type {}", type->id);
  return in.builder().CreateGEP(start, &pointer, indices, "", flags);
}

/// LLVM's target writes `&variable.member` as the address of a byte, and counts bytes where SPIR-V counts members.
bool isOfBytes(FunctionReader& in) {
  if (!in.isConstant() || !in.module().isOfLlvmsTarget() || in.current().count() != 3) return false;
  const Type& result = in.resultType();
  if (!result.isPointer() || result.element == 0 || !in.type(result.element).llvm->isIntegerTy(8)) return false;
  const auto* const element = llvm::dyn_cast<llvm::ConstantInt>(&in.operand(1));
  return element && element->isZero();
}

llvm::Value* accessChain(FunctionReader& in) {
  const bool isOfElements = in.current().op == Op::PtrAccessChain || in.current().op == Op::InBoundsPtrAccessChain;
  if (isOfElements && isOfBytes(in))
    return in.builder().CreateGEP(in.builder().getInt8Ty(), &pointerAt(in, 0), {&integerAt(in, 2)});
  switch (in.current().op) {
    case Op::AccessChain: return chain(in, 1, false, false, llvm::GEPNoWrapFlags::none());
    case Op::InBoundsAccessChain: return chain(in, 1, false, false, llvm::GEPNoWrapFlags::inBounds());
    case Op::PtrAccessChain: return chain(in, 2, true, false, llvm::GEPNoWrapFlags::none());
    case Op::InBoundsPtrAccessChain: return chain(in, 2, true, false, llvm::GEPNoWrapFlags::inBounds());
    case Op::UntypedAccessChainKHR: return chain(in, 2, false, true, llvm::GEPNoWrapFlags::none());
    case Op::UntypedInBoundsAccessChainKHR: return chain(in, 2, false, true, llvm::GEPNoWrapFlags::inBounds());
    case Op::UntypedPtrAccessChainKHR: return chain(in, 3, true, true, llvm::GEPNoWrapFlags::none());
    default: return chain(in, 3, true, true, llvm::GEPNoWrapFlags::inBounds());
  }
}

llvm::Value* difference(FunctionReader& in) {
  llvm::Value& left = pointerAt(in, 0);
  llvm::Value& right = sameAt(in, 1, left);
  require(!in.typeOf(in.current()[0]).isUntyped, in.current(), "its pointers are untyped");
  llvm::Value* const made = in.builder().CreatePtrDiff(in.pointeeOf(in.typeOf(in.current()[0])), &left, &right);
  require(in.resultType().llvm->isIntegerTy(), in.current(), "its result is not an integer");
  return in.builder().CreateIntCast(made, in.resultType().llvm, true);
}

/// The bytes of what a pointer points to; LLVM's translator takes the pointer's type in place of a pointer.
llvm::Value* sizeOf(FunctionReader& in) {
  const std::uint32_t operand = in.current()[0];
  const Type* const given = in.module().types().find(operand);
  const Type& pointer = given ? *given : in.typeOf(operand);
  require(!pointer.isUntyped, in.current(), "its pointer is untyped");
  llvm::Type* const type = in.pointeeOf(pointer);
  require(in.resultType().llvm->isIntegerTy(32), in.current(), "its result is not an int");
  const std::uint64_t bytes = in.module().layout().getTypeAllocSize(type).getFixedValue();
  require(bytes <= 0xffffffff, in.current(), "the size {} is not an int", bytes);
  return in.builder().getInt32(static_cast<std::uint32_t>(bytes));
}

llvm::Value* toInteger(FunctionReader& in) {
  require(in.resultType().llvm->isIntegerTy(), in.current(), "its result is not an integer");
  return in.builder().CreatePtrToInt(&pointerAt(in, 0), in.resultType().llvm);
}

llvm::Value* fromInteger(FunctionReader& in) {
  llvm::Value& value = integerAt(in, 0);
  require(value.getType()->isIntegerTy() && in.resultType().isPointer(), in.current(), "it does not make a pointer");
  return in.builder().CreateIntToPtr(&value, in.resultType().llvm);
}

/// Whether a pointer is to a function: its bits are the same in all address spaces.
bool isToFunction(FunctionReader& in, const Type& pointer) {
  if (pointer.storage == StorageClass::CodeSectionINTEL) return true;
  return pointer.element != 0 && in.type(pointer.element).op == Op::TypeFunction;
}

llvm::Value* sameBits(FunctionReader& in, llvm::Value& pointer) {
  return in.builder().CreateIntToPtr(in.builder().CreatePtrToInt(&pointer, in.builder().getInt64Ty()),
                                     in.resultType().llvm);
}

llvm::Value* toGeneric(FunctionReader& in) {
  llvm::Value& pointer = pointerAt(in, 0);
  require(in.resultType().isPointer() && in.resultType().storage == StorageClass::Generic, in.current(),
          "its result is not a generic pointer");
  if (isToFunction(in, in.typeOf(in.current()[0]))) return sameBits(in, pointer);
  return in.builder().CreateAddrSpaceCast(&pointer, in.resultType().llvm);
}

llvm::Value* fromGeneric(FunctionReader& in) {
  llvm::Value& pointer = pointerAt(in, 0);
  require(pointer.getType()->getPointerAddressSpace() == genericAddressSpace && in.resultType().isPointer(),
          in.current(), "it is not from a generic pointer to another");
  if (isToFunction(in, in.resultType())) return sameBits(in, pointer);
  return in.builder().CreateAddrSpaceCast(&pointer, in.resultType().llvm);
}

/// OpenCL C's to_global() and its like give null for an address of another space.
llvm::Value* fromGenericExplicit(FunctionReader& in) {
  llvm::Value& pointer = pointerAt(in, 0);
  require(pointer.getType()->getPointerAddressSpace() == genericAddressSpace && in.resultType().isPointer(),
          in.current(), "it is not from a generic pointer to another");
  const StorageClass storage = in.resultType().storage;
  const char* const name = storage == StorageClass::CrossWorkgroup ? "__to_global"
                           : storage == StorageClass::Workgroup    ? "__to_local"
                           : storage == StorageClass::Function     ? "__to_private"
                                                                   : nullptr;
  require(name != nullptr, in.current(), "its result is not in global, local or private memory");
  return in.call(name, in.resultType().llvm, {&pointer});
}

/// get_fence() as bits of memory semantics: SubgroupMemory 0x80, WorkgroupMemory 0x100, CrossWorkgroupMemory 0x200.
llvm::Value* memorySemantics(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value& pointer = pointerAt(in, 0);
  require(pointer.getType()->getPointerAddressSpace() == genericAddressSpace, in.current(),
          "its pointer is not generic");
  const std::string name = Mangled("get_fence").addVoidPointer(genericAddressSpace).text();
  llvm::Value* const fence = in.call(name, builder.getInt32Ty(), {&pointer});  // local 1, global 2
  llvm::Value* const result = builder.CreateShl(fence, 8);
  require(in.resultType().llvm == builder.getInt32Ty(), in.current(), "its result is not an int");
  return result;
}

/// Also between pointers to different types, which LLVM does not tell apart, and between pointers and integers.
llvm::Value* bitcast(FunctionReader& in) {
  llvm::Value& value = in.operand(0);
  llvm::Type* const from = value.getType();
  llvm::Type* const to = in.resultType().llvm;
  if (from == to) return &value;
  if (from->isPointerTy() && to->isIntegerTy()) return in.builder().CreatePtrToInt(&value, to);
  if (from->isIntegerTy() && to->isPointerTy()) return in.builder().CreateIntToPtr(&value, to);
  llvm::Type* const address = in.builder().getInt64Ty();
  if (from->isPointerTy() && llvm::CastInst::isBitCastable(address, to))
    return in.builder().CreateBitCast(in.builder().CreatePtrToInt(&value, address), to);
  if (to->isPointerTy() && llvm::CastInst::isBitCastable(from, address))
    return in.builder().CreateIntToPtr(in.builder().CreateBitCast(&value, address), to);
  require(llvm::CastInst::isBitCastable(from, to), in.current(), "its types have different sizes");
  return in.builder().CreateBitCast(&value, to);
}

}  // namespace

void addPointers(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  for (const Op op : {Op::AccessChain, Op::InBoundsAccessChain, Op::PtrAccessChain, Op::InBoundsPtrAccessChain,
                      Op::UntypedAccessChainKHR, Op::UntypedInBoundsAccessChainKHR, Op::UntypedPtrAccessChainKHR,
                      Op::UntypedInBoundsPtrAccessChainKHR})
    set(op, accessChain);
  set(Op::PtrDiff, difference);
  set(Op::SizeOf, sizeOf);
  set(Op::ConvertPtrToU, toInteger);
  set(Op::ConvertUToPtr, fromInteger);
  set(Op::PtrCastToGeneric, toGeneric);
  set(Op::GenericCastToPtr, fromGeneric);
  set(Op::GenericCastToPtrExplicit, fromGenericExplicit);
  set(Op::GenericPtrMemSemantics, memorySemantics);
  set(Op::Bitcast, bitcast);
}

}  // namespace clarity::compiler::spirv
