// SPDX-License-Identifier: Apache-2.0
// This file reads atomic instructions (SPIR-V 1.6, section 3.49.18) as calls of OpenCL C's atomic functions, which take
// generic pointers.
#include "compiler/ir/primitives.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/mangle.h"
#include "compiler/spirv/scopes.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

constexpr const char* atomicQualifiers = "VU7_Atomic";

llvm::Value* generic(FunctionReader& in, llvm::Value& pointer) {
  return in.builder().CreateAddrSpaceCast(&pointer, llvm::PointerType::get(in.context(), genericAddressSpace));
}

/// The type of the object: that of the result or, without one, of the value. LLVM's pointers do not say what they point
/// to, so its translator may write a pointer to bytes, or to a float that is exchanged as an integer.
llvm::Type& objectOf(FunctionReader& in) {
  const Type& pointer = in.typeOf(in.current()[0]);
  const Op op = in.current().op;
  // A flag is an int.
  llvm::Type& pointee = pointer.isUntyped && (op == Op::AtomicFlagTestAndSet || op == Op::AtomicFlagClear)
                            ? *in.builder().getInt32Ty()
                            : *in.pointeeOf(pointer);
  const bool isNumber = pointee.isIntegerTy() || pointee.isFloatingPointTy();
  require(isNumber, in.current(), "its object is not a number");
  llvm::Type& type = op == Op::AtomicFlagTestAndSet || op == Op::AtomicFlagClear ? pointee
                     : in.current().result != 0                                  ? *in.resultType().llvm
                                                                                 : *in.operand(3).getType();
  const bool isSame = pointee.isIntegerTy(8) || pointee.getScalarSizeInBits() == type.getScalarSizeInBits();
  require(isSame && (type.isIntegerTy() || type.isFloatingPointTy()), in.current(), "its object has another type");
  return type;
}

void requireObject(FunctionReader& in, const llvm::Value& value) {
  require(value.getType() == &objectOf(in), in.current(), "its value has another type than the object");
}

struct OrderAndScope {
  llvm::Value *order, *scope;  ///< OpenCL C's numbers
};

OrderAndScope orderAndScope(FunctionReader& in) { return {orderAt(in, 2), scopeAt(in, 1)}; }

/// LLVM's target writes atomic_load_explicit with OpenCL C's order in place of the scope and its scope in place of the
/// semantics, and other loads right: what is at least as strong as both.
OrderAndScope orderAndScopeOfLoad(FunctionReader& in) {
  if (!in.module().isOfLlvmsTarget()) return orderAndScope(in);
  constexpr unsigned allDevices = 3;
  const std::uint64_t first = in.number(1), second = in.number(2);
  const bool isSequential = first == sequentiallyConsistent || memoryOrder(second) == sequentiallyConsistent;
  const bool acquires = first == acquire || second != 0;
  return {in.builder().getInt32(isSequential ? sequentiallyConsistent
                                : acquires   ? acquire
                                             : relaxed),
          in.builder().getInt32(allDevices)};
}

/// atomic_NAME_explicit(object[, value], order, scope). Operands: pointer, scope, semantics, value.
llvm::Value* callAtomic(FunctionReader& in, std::string_view name, llvm::Value* value, bool isSigned,
                        llvm::Type* result, OrderAndScope how) {
  llvm::Type& object = objectOf(in);
  Mangled mangled(fmt::format("atomic_{}_explicit", name));
  mangled.addPointer(object, isSigned, genericAddressSpace, atomicQualifiers);
  llvm::SmallVector<llvm::Value*, 4> arguments = {generic(in, pointerAt(in, 0))};
  if (value) {
    requireObject(in, *value);
    mangled.add(object, isSigned);
    arguments.push_back(value);
  }
  mangled.addNamed("memory_order").addNamed("memory_scope");
  arguments.push_back(how.order);
  arguments.push_back(how.scope);
  return in.call(mangled.text(), result, arguments);
}

llvm::Value* callAtomic(FunctionReader& in, std::string_view name, llvm::Value* value, bool isSigned,
                        llvm::Type* result) {
  return callAtomic(in, name, value, isSigned, result, orderAndScope(in));
}

llvm::Value* callFlushed(FunctionReader& in, std::string_view name, llvm::Type& object) {
  llvm::Value& value = in.operand(3);
  requireObject(in, value);
  const std::string mangled = Mangled(fmt::format("__spirv_flushed_{}", name))
                                  .addPointer(object, true, genericAddressSpace, atomicQualifiers)
                                  .add(object, true)
                                  .addNamed("memory_order")
                                  .addNamed("memory_scope")
                                  .text();
  return in.call(mangled, &object, {generic(in, pointerAt(in, 0)), &value, orderAt(in, 2), scopeAt(in, 1)});
}

llvm::Value* loadAtomic(FunctionReader& in) {
  return callAtomic(in, "load", nullptr, true, &objectOf(in), orderAndScopeOfLoad(in));
}

llvm::Value* storeAtomic(FunctionReader& in) {
  callAtomic(in, "store", &in.operand(3), true, in.builder().getVoidTy());
  return nullptr;
}

struct Name {
  const char* text;
  bool isSigned;
};

constexpr Name exchangeName = {"exchange", true}, addName = {"fetch_add", true}, subName = {"fetch_sub", true},
               andName = {"fetch_and", true}, orName = {"fetch_or", true}, xorName = {"fetch_xor", true},
               minName = {"fetch_min", true}, maxName = {"fetch_max", true}, uminName = {"fetch_min", false},
               umaxName = {"fetch_max", false};

/// OpenCL C's functions keep denormal numbers: the library has others (builtins/atomic/flushed.cl).
template <const Name& name>
llvm::Value* modify(FunctionReader& in) {
  llvm::Type& object = objectOf(in);
  if (in.flushes(object)) return callFlushed(in, name.text, object);
  return callAtomic(in, name.text, &in.operand(3), name.isSigned, &objectOf(in));
}

template <const Name& name>
llvm::Value* modifyByOne(FunctionReader& in) {
  llvm::Type& object = objectOf(in);
  require(object.isIntegerTy(), in.current(), "its object is not an integer");
  return callAtomic(in, name.text, llvm::ConstantInt::get(&object, 1), true, &object);
}

/// Operands: pointer, scope, semantics if equal, semantics if not, value, comparator. The result is the value before.
llvm::Value* compareExchange(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Type& object = objectOf(in);
  llvm::Value& value = in.operand(4);
  llvm::Value& comparator = in.operand(5);
  requireObject(in, value);
  requireObject(in, comparator);
  llvm::AllocaInst* const expected = in.variable(&object);
  builder.CreateStore(&comparator, expected);
  const std::string name = Mangled("atomic_compare_exchange_strong_explicit")
                               .addPointer(object, true, genericAddressSpace, atomicQualifiers)
                               .addPointer(object, true, genericAddressSpace)
                               .add(object, true)
                               .addNamed("memory_order")
                               .addNamed("memory_order")
                               .addNamed("memory_scope")
                               .text();
  in.call(
      name, builder.getInt1Ty(),
      {generic(in, pointerAt(in, 0)), generic(in, *expected), &value, orderAt(in, 2), orderAt(in, 3), scopeAt(in, 1)});
  return builder.CreateLoad(&object, expected);
}

/// A flag is an integer that is 0 if clear.
llvm::Value* flagTestAndSet(FunctionReader& in) {
  llvm::Value* const before =
      callAtomic(in, "exchange", llvm::ConstantInt::get(in.builder().getInt32Ty(), 1), true, in.builder().getInt32Ty());
  return in.builder().CreateIsNotNull(before);
}

llvm::Value* flagClear(FunctionReader& in) {
  callAtomic(in, "store", llvm::ConstantInt::get(in.builder().getInt32Ty(), 0), true, in.builder().getVoidTy());
  return nullptr;
}

}  // namespace

void addAtomics(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::AtomicLoad, loadAtomic);
  set(Op::AtomicStore, storeAtomic);
  set(Op::AtomicExchange, modify<exchangeName>);
  set(Op::AtomicCompareExchange, compareExchange);
  set(Op::AtomicCompareExchangeWeak, compareExchange);
  set(Op::AtomicIIncrement, modifyByOne<addName>);
  set(Op::AtomicIDecrement, modifyByOne<subName>);
  set(Op::AtomicIAdd, modify<addName>);
  set(Op::AtomicISub, modify<subName>);
  set(Op::AtomicSMin, modify<minName>);
  set(Op::AtomicUMin, modify<uminName>);
  set(Op::AtomicSMax, modify<maxName>);
  set(Op::AtomicUMax, modify<umaxName>);
  set(Op::AtomicAnd, modify<andName>);
  set(Op::AtomicOr, modify<orName>);
  set(Op::AtomicXor, modify<xorName>);
  set(Op::AtomicFAddEXT, modify<addName>);
  set(Op::AtomicFMinEXT, modify<minName>);
  set(Op::AtomicFMaxEXT, modify<maxName>);
  set(Op::AtomicFlagTestAndSet, flagTestAndSet);
  set(Op::AtomicFlagClear, flagClear);
}

}  // namespace clarity::compiler::spirv
