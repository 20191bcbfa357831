// SPDX-License-Identifier: Apache-2.0
// This file reads barriers and fences (SPIR-V 1.6, section 3.49.20).
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/mangle.h"
#include "compiler/spirv/scopes.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace clarity::compiler::spirv {
namespace {

constexpr unsigned bitOf(MemorySemantics semantics) { return static_cast<unsigned>(semantics); }

struct ScopeNumber {
  Scope scope;
  unsigned number;  ///< OpenCL C's memory_scope
};

constexpr ScopeNumber scopeNumbers[] = {
    {Scope::CrossDevice, 3}, {Scope::Device, 2}, {Scope::Workgroup, 1}, {Scope::Subgroup, 4}, {Scope::Invocation, 0}};

/// `chosen` where semantics have one of the bits, else `otherwise`.
llvm::Value* chooseByBits(FunctionReader& in, llvm::Value* semantics, unsigned bits, llvm::Value* chosen,
                          llvm::Value* otherwise) {
  llvm::IRBuilder<>& builder = in.builder();
  return builder.CreateSelect(builder.CreateIsNotNull(builder.CreateAnd(semantics, bits)), chosen, otherwise);
}

void callWithScope(FunctionReader& in, std::string_view name, std::size_t scope, std::size_t semantics) {
  llvm::IRBuilder<>& builder = in.builder();
  const std::string mangled = Mangled(name).add(*builder.getInt32Ty(), false).addNamed("memory_scope").text();
  in.call(mangled, builder.getVoidTy(), {fenceFlagsAt(in, semantics), scopeAt(in, scope)});
}

llvm::Value* fence(FunctionReader& in, std::size_t scope, std::size_t semantics) {
  llvm::IRBuilder<>& builder = in.builder();
  const std::string name = Mangled("atomic_work_item_fence")
                               .add(*builder.getInt32Ty(), false)
                               .addNamed("memory_order")
                               .addNamed("memory_scope")
                               .text();
  in.call(name, builder.getVoidTy(), {fenceFlagsAt(in, semantics), orderAt(in, semantics), scopeAt(in, scope)});
  return nullptr;
}

/// Operands: execution scope, memory scope, semantics. A barrier of one work-item is a fence. No scope of execution is
/// wider than the work-group in OpenCL; LLVM 22 writes work_group_barrier's memory scope in its place.
llvm::Value* controlBarrier(FunctionReader& in) {
  const auto execution = static_cast<Scope>(in.number(0));
  if (execution == Scope::Invocation) return fence(in, 1, 2);
  const bool isWide = execution == Scope::Device || execution == Scope::CrossDevice;
  callWithScope(in, !isWide && isSubGroup(in, 0) ? "sub_group_barrier" : "work_group_barrier", 1, 2);
  return nullptr;
}

llvm::Value* memoryBarrier(FunctionReader& in) { return fence(in, 0, 1); }

llvm::Value* arrive(FunctionReader& in) {
  callWithScope(in, "intel_work_group_barrier_arrive", 1, 2);
  return nullptr;
}

llvm::Value* wait(FunctionReader& in) {
  callWithScope(in, "intel_work_group_barrier_wait", 1, 2);
  return nullptr;
}

}  // namespace

unsigned memoryOrder(std::uint64_t semantics) {
  const auto has = [&](MemorySemantics one) { return (semantics & bitOf(one)) != 0; };
  if (has(MemorySemantics::SequentiallyConsistent)) return sequentiallyConsistent;
  if (has(MemorySemantics::AcquireRelease)) return acquireRelease;
  if (has(MemorySemantics::Release)) return has(MemorySemantics::Acquire) ? acquireRelease : release;
  return has(MemorySemantics::Acquire) ? acquire : relaxed;
}

llvm::Value* orderAt(FunctionReader& in, std::size_t index) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* const semantics = uintAt(in, index);
  const auto choose = [&](MemorySemantics semantic, llvm::Value* chosen, llvm::Value* otherwise) {
    return chooseByBits(in, semantics, bitOf(semantic), chosen, otherwise);
  };
  const auto number = [&](unsigned order) { return builder.getInt32(order); };
  if (const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(semantics))
    return number(memoryOrder(constant->getZExtValue()));
  llvm::Value* const withAcquire = choose(MemorySemantics::Acquire, number(acquire), number(relaxed));
  llvm::Value* const withRelease = choose(MemorySemantics::Acquire, number(acquireRelease), number(release));
  llvm::Value* const weak = choose(MemorySemantics::Release, withRelease, withAcquire);
  return choose(MemorySemantics::SequentiallyConsistent, number(sequentiallyConsistent),
                choose(MemorySemantics::AcquireRelease, number(acquireRelease), weak));
}

llvm::Value* scopeAt(FunctionReader& in, std::size_t index) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* const given = uintAt(in, index);
  if (const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(given)) {
    const auto* const known =
        std::ranges::find(scopeNumbers, static_cast<Scope>(constant->getZExtValue()), &ScopeNumber::scope);
    require(known != std::end(scopeNumbers), in.current(), "the scope {} is not one of OpenCL's",
            constant->getZExtValue());
    return builder.getInt32(known->number);
  }
  llvm::Value* number = builder.getInt32(scopeNumbers[0].number);
  for (const ScopeNumber& known : scopeNumbers) {
    llvm::Value* const isThis = builder.CreateICmpEQ(given, builder.getInt32(static_cast<std::uint32_t>(known.scope)));
    number = builder.CreateSelect(isThis, builder.getInt32(known.number), number);
  }
  return number;
}

llvm::Value* fenceFlagsAt(FunctionReader& in, std::size_t index) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Value* const semantics = uintAt(in, index);
  llvm::Value* flags = builder.getInt32(0);
  for (const auto& [semantic, flag] : {std::pair(MemorySemantics::WorkgroupMemory, 1u),
                                       {MemorySemantics::CrossWorkgroupMemory, 2u},
                                       {MemorySemantics::ImageMemory, 4u}})
    flags = builder.CreateOr(flags,
                             chooseByBits(in, semantics, bitOf(semantic), builder.getInt32(flag), builder.getInt32(0)));
  return flags;
}

bool isSubGroup(FunctionReader& in, std::size_t index) {
  const auto scope = static_cast<Scope>(in.number(index));
  require(scope == Scope::Subgroup || scope == Scope::Workgroup, in.current(),
          "its execution scope is {}; OpenCL has Workgroup and Subgroup",
          nameOf(OperandKind::Scope_, static_cast<std::uint32_t>(scope)));
  return scope == Scope::Subgroup;
}

void addBarriers(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::ControlBarrier, controlBarrier);
  set(Op::MemoryBarrier, memoryBarrier);
  set(Op::ControlBarrierArriveINTEL, arrive);
  set(Op::ControlBarrierWaitINTEL, wait);
}

}  // namespace clarity::compiler::spirv
