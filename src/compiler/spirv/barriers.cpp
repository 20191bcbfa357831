// SPDX-License-Identifier: Apache-2.0
// This file reads barriers and fences (SPIR-V 1.6, section 3.49.20).
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/mangle.h"
#include "compiler/spirv/scopes.h"
#include "compiler/spirv/typed_operands.h"

namespace clarity::compiler::spirv {
namespace {

bool has(std::uint64_t semantics, MemorySemantics bit) { return (semantics & static_cast<std::uint64_t>(bit)) != 0; }

void callWithScope(FunctionReader& in, std::string_view name, std::uint64_t semantics, unsigned scope) {
  llvm::IRBuilder<>& builder = in.builder();
  const std::string mangled = Mangled(name).add(*builder.getInt32Ty(), false).addNamed("memory_scope").text();
  in.call(mangled, builder.getVoidTy(), {builder.getInt32(fenceFlags(semantics)), builder.getInt32(scope)});
}

llvm::Value* fence(FunctionReader& in, std::uint64_t scope, std::uint64_t semantics) {
  llvm::IRBuilder<>& builder = in.builder();
  const std::string name = Mangled("atomic_work_item_fence")
                               .add(*builder.getInt32Ty(), false)
                               .addNamed("memory_order")
                               .addNamed("memory_scope")
                               .text();
  in.call(name, builder.getVoidTy(),
          {builder.getInt32(fenceFlags(semantics)), builder.getInt32(memoryOrder(semantics)),
           builder.getInt32(memoryScope(in, scope))});
  return nullptr;
}

/// Operands: execution scope, memory scope, semantics. A barrier of one work-item is a fence. No scope of execution is
/// wider than the work-group in OpenCL; LLVM 22 writes work_group_barrier's memory scope in its place.
llvm::Value* controlBarrier(FunctionReader& in) {
  const auto execution = static_cast<Scope>(in.number(0));
  if (execution == Scope::Invocation) return fence(in, in.number(1), in.number(2));
  const bool isWide = execution == Scope::Device || execution == Scope::CrossDevice;
  callWithScope(in, !isWide && isSubGroup(in, 0) ? "sub_group_barrier" : "work_group_barrier", in.number(2),
                memoryScope(in, in.number(1)));
  return nullptr;
}

llvm::Value* memoryBarrier(FunctionReader& in) { return fence(in, in.number(0), in.number(1)); }

llvm::Value* arrive(FunctionReader& in) {
  callWithScope(in, "intel_work_group_barrier_arrive", in.number(2), memoryScope(in, in.number(1)));
  return nullptr;
}

llvm::Value* wait(FunctionReader& in) {
  callWithScope(in, "intel_work_group_barrier_wait", in.number(2), memoryScope(in, in.number(1)));
  return nullptr;
}

}  // namespace

unsigned memoryOrder(std::uint64_t semantics) {
  if (has(semantics, MemorySemantics::SequentiallyConsistent)) return 5;
  if (has(semantics, MemorySemantics::AcquireRelease)) return 4;
  if (has(semantics, MemorySemantics::Release)) return has(semantics, MemorySemantics::Acquire) ? 4 : 3;
  return has(semantics, MemorySemantics::Acquire) ? 2 : 0;
}

unsigned memoryScope(FunctionReader& in, std::uint64_t scope) {
  switch (static_cast<Scope>(scope)) {
    case Scope::CrossDevice: return 3;
    case Scope::Device: return 2;
    case Scope::Workgroup: return 1;
    case Scope::Subgroup: return 4;
    case Scope::Invocation: return 0;
    default: refuse(in.current(), "the scope {} is not one of OpenCL's", scope);
  }
}

unsigned fenceFlags(std::uint64_t semantics) {
  return (has(semantics, MemorySemantics::WorkgroupMemory) ? 1u : 0u) |
         (has(semantics, MemorySemantics::CrossWorkgroupMemory) ? 2u : 0u) |
         (has(semantics, MemorySemantics::ImageMemory) ? 4u : 0u);
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
