// SPDX-License-Identifier: Apache-2.0
// This file holds the table of primitives: names, types and attributes.
#include "compiler/ir/primitives.h"

#include "compiler/ir/collectives.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <array>
#include <utility>

namespace clarity::compiler {
namespace {

constexpr std::array<std::pair<Primitive, std::string_view>, 18> names{{
    {Primitive::GlobalId, "__clarity_global_id"},
    {Primitive::LocalId, "__clarity_local_id"},
    {Primitive::GroupId, "__clarity_group_id"},
    {Primitive::GlobalSize, "__clarity_global_size"},
    {Primitive::LocalSize, "__clarity_local_size"},
    {Primitive::EnqueuedLocalSize, "__clarity_enqueued_local_size"},
    {Primitive::NumGroups, "__clarity_num_groups"},
    {Primitive::GlobalOffset, "__clarity_global_offset"},
    {Primitive::WorkDim, "__clarity_work_dim"},
    {Primitive::Barrier, "__clarity_barrier"},
    {Primitive::ExpectBelow, "__clarity_expect_below"},
    {Primitive::PrintfSink, "__clarity_printf_sink"},
    {Primitive::Parent, "__clarity_parent"},
    {Primitive::SliceBegin, "__clarity_slice_begin"},
    {Primitive::SliceEnd, "__clarity_slice_end"},
    {Primitive::LocalMemory, "__clarity_local_memory"},
    {Primitive::LocalBytes, "__clarity_local_bytes"},
    {Primitive::BarrierSpillArea, "__clarity_barrier_spill_area"},
}};

llvm::FunctionType* typeOf(llvm::LLVMContext& context, Primitive primitive) {
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  switch (primitive) {
    case Primitive::WorkDim: return llvm::FunctionType::get(i32, false);
    case Primitive::Barrier: return llvm::FunctionType::get(llvm::Type::getVoidTy(context), {i32}, false);
    case Primitive::ExpectBelow: {
      llvm::Type* i64 = llvm::Type::getInt64Ty(context);
      return llvm::FunctionType::get(llvm::Type::getVoidTy(context), {i64, i64}, false);
    }
    case Primitive::PrintfSink:
    case Primitive::Parent:
    case Primitive::BarrierSpillArea: return llvm::FunctionType::get(llvm::PointerType::get(context, 0), false);
    case Primitive::LocalBytes: return llvm::FunctionType::get(llvm::Type::getInt64Ty(context), false);
    case Primitive::LocalMemory: return llvm::FunctionType::get(llvm::PointerType::get(context, 3), false);
    default: return llvm::FunctionType::get(llvm::Type::getInt64Ty(context), {i32}, false);
  }
}

}  // namespace

std::string_view primitiveName(Primitive primitive) {
  for (const auto& [value, name] : names)
    if (value == primitive) return name;
  return {};
}

std::optional<Primitive> primitiveOf(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  if (!name.starts_with("__clarity_")) return std::nullopt;
  for (const auto& [primitive, candidate] : names)
    if (name == llvm::StringRef(candidate)) return primitive;
  if (name.starts_with(workGroupPrefix)) return Primitive::WorkGroupCollective;
  if (name.starts_with(subGroupPrefix)) return Primitive::SubGroup;
  if (name.starts_with(collectivePrefix)) return Primitive::Collective;
  return std::nullopt;
}

bool isFamily(Primitive primitive) {
  return primitive == Primitive::WorkGroupCollective || primitive == Primitive::SubGroup ||
         primitive == Primitive::Collective;
}

std::optional<Primitive> primitiveOf(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getCalledFunction()) return std::nullopt;
  return primitiveOf(*call->getCalledFunction());
}

bool isQuery(Primitive primitive) {
  switch (primitive) {
    case Primitive::GlobalId:
    case Primitive::LocalId:
    case Primitive::GroupId:
    case Primitive::GlobalSize:
    case Primitive::LocalSize:
    case Primitive::EnqueuedLocalSize:
    case Primitive::NumGroups:
    case Primitive::GlobalOffset:
    case Primitive::WorkDim:
    case Primitive::PrintfSink:
    case Primitive::Parent: return true;
    default: return false;
  }
}

std::optional<unsigned> dimensionOf(const llvm::CallInst& query) {
  if (query.arg_size() == 0) return std::nullopt;
  const auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(query.getArgOperand(0));
  if (!dimension || dimension->getZExtValue() > 2) return std::nullopt;
  return static_cast<unsigned>(dimension->getZExtValue());
}

llvm::Function& declarePrimitive(llvm::Module& module, Primitive primitive) {
  const std::string_view name = primitiveName(primitive);
  llvm::FunctionType* type = typeOf(module.getContext(), primitive);
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(llvm::StringRef(name), type).getCallee());
  function->setDoesNotThrow();
  if (primitive == Primitive::Barrier) {
    function->setConvergent();
  } else if (primitive == Primitive::ExpectBelow) {
    function->setDoesNotAccessMemory();  // but it may not return
    // As an address may not be: where one would have wrapped in int, the flags of its arithmetic say that it has not.
    for (unsigned i = 0; i < 2; ++i) function->addParamAttr(i, llvm::Attribute::NoUndef);
  } else {
    function->setDoesNotAccessMemory();
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->addFnAttr(llvm::Attribute::Speculatable);
    function->removeFnAttr(llvm::Attribute::Convergent);
  }
  if (isQuery(primitive)) function->addRetAttr(llvm::Attribute::NoUndef);
  return *function;
}

llvm::Value* emitQuery(llvm::IRBuilderBase& builder, Primitive primitive, unsigned dimension) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(&declarePrimitive(module, primitive), {builder.getInt32(dimension)});
}

}  // namespace clarity::compiler
