// SPDX-License-Identifier: Apache-2.0
// This file reads calls of functions, and what helps an optimiser.
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/typed_operands.h"

namespace clarity::compiler::spirv {
namespace {

llvm::Value* callFunction(FunctionReader& in) {
  llvm::Function* const callee = in.module().functionOf(in.current()[0]);
  require(callee != nullptr, in.current(), "the id {} is not a function", in.current()[0]);
  const std::size_t count = in.current().count() - 1;
  require(count == callee->arg_size(), in.current(), "it gives {} arguments, the function takes {}", count,
          callee->arg_size());
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value& argument = in.operand(i + 1);
    require(argument.getType() == callee->getArg(i)->getType(), in.current(), "argument {} has another type", i);
    arguments.push_back(&argument);
  }
  llvm::CallInst* const call = in.builder().CreateCall(callee, arguments);
  call->setCallingConv(callee->getCallingConv());
  call->setAttributes(callee->getAttributes().removeFnAttributes(in.context()));
  if (!callee->isIntrinsic()) call->setConvergent();
  call->setDoesNotThrow();
  return call;
}

/// lower-function-pointers finds what the pointer may point to. Its type in the module may be any.
llvm::Value* callThroughPointer(FunctionReader& in) {
  require(in.current().has(0), in.current(), "it has no pointer to a function");
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* pointer = &pointerAt(in, 0);
  llvm::Type* const ofFunctions = llvm::PointerType::get(in.context(), 0);
  if (pointer->getType() != ofFunctions)
    pointer = builder.CreateIntToPtr(builder.CreatePtrToInt(pointer, builder.getInt64Ty()), ofFunctions);
  llvm::SmallVector<llvm::Value*, 8> arguments;
  llvm::SmallVector<llvm::Type*, 8> types;
  for (std::size_t i = 1; i < in.current().count(); ++i) {
    arguments.push_back(&in.operand(i));
    types.push_back(arguments.back()->getType());
  }
  llvm::Type* const result = in.resultType().llvm;
  require(llvm::FunctionType::isValidReturnType(result), in.current(), "no function returns a value of type {}",
          in.current().type);
  llvm::CallInst* const call = builder.CreateCall(llvm::FunctionType::get(result, types, false), pointer, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->setConvergent();
  call->setDoesNotThrow();
  return call;
}

llvm::Value* assumeTrue(FunctionReader& in) {
  llvm::Value& condition = boolAt(in, 0);
  require(!condition.getType()->isVectorTy(), in.current(), "its condition is a vector");
  in.builder().CreateAssumption(&condition);
  return nullptr;
}

/// clock_read_device() and its like; the result may be two words.
llvm::Value* readClock(FunctionReader& in) {
  const auto scope = static_cast<Scope>(in.number(0));
  const char* const where = scope == Scope::Device      ? "device"
                            : scope == Scope::Workgroup ? "work_group"
                            : scope == Scope::Subgroup  ? "sub_group"
                                                        : nullptr;
  require(where != nullptr, in.current(), "there is no clock of the scope {}", in.number(0));
  const std::string name = fmt::format("clock_read_{}", where);
  llvm::Value* const clock = in.call(fmt::format("_Z{}{}v", name.size(), name), in.builder().getInt64Ty(), {});
  llvm::Type* const type = in.resultType().llvm;
  require(llvm::CastInst::isBitCastable(clock->getType(), type), in.current(), "its result has not 64 bits");
  return in.builder().CreateBitCast(clock, type);
}

}  // namespace

void addCalls(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::FunctionCall, callFunction);
  set(Op::FunctionPointerCallINTEL, callThroughPointer);
  set(Op::AssumeTrueKHR, assumeTrue);
  set(Op::ReadClockKHR, readClock);
}

}  // namespace clarity::compiler::spirv
