// SPDX-License-Identifier: Apache-2.0
// This file names the functions that the builtin library leaves to the compiler: the work-item queries and the
// barrier. Passes recognise them here and nowhere else.
#pragma once

#include <optional>
#include <string_view>

namespace llvm {
class CallInst;
class Function;
class Instruction;
class IRBuilderBase;
class Module;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// Address spaces of the IR.
inline constexpr unsigned globalAddressSpace = 1, constantAddressSpace = 2, localAddressSpace = 3,
                          genericAddressSpace = 4;

enum class Primitive {
  GlobalId,             ///< i64 (i32 dimension): varies along that dimension
  LocalId,              ///< i64 (i32 dimension): varies along that dimension
  GroupId,              ///< i64 (i32 dimension)
  GlobalSize,           ///< i64 (i32 dimension)
  LocalSize,            ///< i64 (i32 dimension): of this work-group
  EnqueuedLocalSize,    ///< i64 (i32 dimension)
  NumGroups,            ///< i64 (i32 dimension)
  GlobalOffset,         ///< i64 (i32 dimension)
  WorkDim,              ///< i32 ()
  Barrier,              ///< void (i32 flags): all work-items of the group arrive before any leaves
  ExpectBelow,          ///< void (i64 value, i64 limit): the slice is left unless the value is below, unsigned
  PrintfSink,           ///< ptr (): where this launch's output goes
  Parent,               ///< ptr (): this launch, as the parent of the kernels that it enqueues
  WorkGroupCollective,  ///< __clarity_work_group_*: a meeting of the work-group (collectives.h)
  SubGroup,             ///< __clarity_sub_group_*: asked of the sub-group (collectives.h)
  // Made by the compiler itself, once work-items have become loops.
  Collective,        ///< __clarity_collective_*: asked once for the work-group, about a row (collectives.h)
  SliceBegin,        ///< i64 (i32 dimension): first global id, without offset, of the call (group-agnostic kernels)
  SliceEnd,          ///< i64 (i32 dimension): one past the last
  LocalMemory,       ///< ptr addrspace(3) (): the work-group's local memory
  LocalBytes,        ///< i64 (): its size; that of the next interleaved work-group follows
  BarrierSpillArea,  ///< ptr (): the worker's memory for private values that are live across a barrier
};

/// The primitive that an instruction calls, if any.
std::optional<Primitive> primitiveOf(const llvm::Instruction& instruction);
std::optional<Primitive> primitiveOf(const llvm::Function& function);

/// Whether a primitive only answers: its answer can be asked for elsewhere and handed on.
bool isQuery(Primitive primitive);

/// Whether a primitive stands for many functions, by operation and type; they are convergent and declared where they
/// are called.
bool isFamily(Primitive primitive);

/// The dimension that a query asks for; empty when it is not a constant 0, 1 or 2.
std::optional<unsigned> dimensionOf(const llvm::CallInst& query);

/// The declaration in a module, made when it is not there yet.
llvm::Function& declarePrimitive(llvm::Module& module, Primitive primitive);

/// Emits a query of one dimension.
llvm::Value* emitQuery(llvm::IRBuilderBase& builder, Primitive primitive, unsigned dimension);

std::string_view primitiveName(Primitive primitive);

}  // namespace clarity::compiler
