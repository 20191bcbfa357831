// SPDX-License-Identifier: Apache-2.0
// This file reads instructions of device-side enqueue (SPIR-V 1.6, section 3.49.22) as the calls that clang makes of
// OpenCL C's functions.
#include "compiler/frontend/blocks.h"
#include "compiler/ir/primitives.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/typed_operands.h"

#include <string_view>

namespace clarity::compiler::spirv {
namespace {

constexpr std::uint64_t mostLiteral = 4096;

llvm::Value* generic(FunctionReader& in, std::size_t index) {
  return in.builder().CreateAddrSpaceCast(&pointerAt(in, index),
                                          llvm::PointerType::get(in.context(), genericAddressSpace));
}

void requireType(FunctionReader& in, std::size_t index, Op op, std::string_view what) {
  require(in.typeOf(in.current()[index]).op == op, in.current(), "operand {} is not {}", index + 1, what);
}

llvm::Value& queueAt(FunctionReader& in, std::size_t index) {
  requireType(in, index, Op::TypeQueue, "a command-queue");
  return in.operand(index);
}

llvm::Value& eventAt(FunctionReader& in, std::size_t index) {
  requireType(in, index, Op::TypeDeviceEvent, "an event of the device");
  return in.operand(index);
}

/// Four operands from `index` on: function, literal, its size and its alignment. The address of the block's kernel.
llvm::Value* blockAt(FunctionReader& in, std::size_t index) {
  llvm::Function* const function = in.module().functionOf(in.current()[index]);
  require(function != nullptr, in.current(), "the id {} is not a function", in.current()[index]);
  const std::uint64_t bytes = in.number(index + 2), alignment = in.number(index + 3);
  require(bytes <= mostLiteral, in.current(), "a block of {} bytes is too large; at most {} are supported", bytes,
          mostLiteral);
  require(llvm::isPowerOf2_64(alignment) && alignment <= 128, in.current(), "{} is no alignment", alignment);
  // A structure says which pointers the block has captured.
  llvm::Type* literal = llvm::dyn_cast_or_null<llvm::StructType>(literalAt(in.operand(index + 1)));
  const std::uint64_t size = literal ? in.module().layout().getTypeAllocSize(literal).getFixedValue() : 0;
  if (size == 0 || (size != bytes && size != llvm::alignTo(bytes, alignment)))
    literal = llvm::ArrayType::get(in.builder().getInt8Ty(), std::max<std::uint64_t>(bytes, 1));
  llvm::Function& kernel = in.module().blockKernel(in.current()[index], *literal, llvm::Align(alignment), in.current());
  return in.builder().CreateAddrSpaceCast(&kernel, llvm::PointerType::get(in.context(), genericAddressSpace));
}

/// The sizes behind a block, one for each of its pointers to local memory. The translator of LLVM gives the addresses
/// of the sizes.
llvm::Value* localSizes(FunctionReader& in, std::size_t first) {
  llvm::Type* const size = in.builder().getInt64Ty();
  const std::size_t count = in.current().count() - first;
  llvm::AllocaInst* const sizes = in.variable(llvm::ArrayType::get(size, std::max<std::size_t>(count, 1)));
  for (std::size_t i = 0; i < count; ++i) {
    const Type& type = in.typeOf(in.current()[first + i]);
    llvm::Value* given = nullptr;
    if (type.isPointer()) {
      llvm::Type* const pointee = type.isUntyped ? size : in.pointeeOf(type);
      require(pointee->isIntegerTy(), in.current(), "the size of local memory {} is no integer", i);
      given = in.builder().CreateLoad(pointee, &in.operand(first + i));
    } else {
      given = &integerAt(in, first + i);
      require(!given->getType()->isVectorTy(), in.current(), "the size of local memory {} is a vector", i);
    }
    in.builder().CreateStore(in.builder().CreateZExtOrTrunc(given, size),
                             in.builder().CreateConstInBoundsGEP1_64(size, sizes, i));
  }
  return sizes;
}

llvm::Value* rangeAt(FunctionReader& in, std::size_t index) {
  return in.builder().CreateAddrSpaceCast(&pointerAt(in, index), llvm::PointerType::get(in.context(), 0));
}

/// Operands: queue, flags, range, number of events, events, event, block (4), sizes of local memory.
llvm::Value* enqueueKernel(FunctionReader& in) {
  constexpr std::size_t block = 6, sizes = 10;
  llvm::Value* const count = in.builder().getInt32(static_cast<std::uint32_t>(in.current().count() - sizes));
  return in.call("__enqueue_kernel_events_varargs", in.builder().getInt32Ty(),
                 {&queueAt(in, 0), uintAt(in, 1), rangeAt(in, 2), uintAt(in, 3), generic(in, 4), generic(in, 5),
                  blockAt(in, block), generic(in, block + 1), count, localSizes(in, sizes)});
}

llvm::Value* enqueueMarker(FunctionReader& in) {
  return in.call("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_", in.builder().getInt32Ty(),
                 {&queueAt(in, 0), uintAt(in, 1), generic(in, 2), generic(in, 3)});
}

/// A fact of a block; `leading`: operands ahead of it.
llvm::Value* blockFact(FunctionReader& in, std::string_view name, llvm::ArrayRef<llvm::Value*> leading = {}) {
  llvm::SmallVector<llvm::Value*, 3> arguments(leading);
  const std::size_t block = leading.size();
  arguments.append({blockAt(in, block), generic(in, block + 1)});
  return in.call(name, in.builder().getInt32Ty(), arguments);
}

llvm::Value* workGroupSize(FunctionReader& in) { return blockFact(in, "__get_kernel_work_group_size_impl"); }
llvm::Value* preferredMultiple(FunctionReader& in) {
  return blockFact(in, "__get_kernel_preferred_work_group_size_multiple_impl");
}
llvm::Value* subGroupCount(FunctionReader& in) {
  return blockFact(in, "__get_kernel_sub_group_count_for_ndrange_impl", rangeAt(in, 0));
}
llvm::Value* maxSubGroupSize(FunctionReader& in) {
  return blockFact(in, "__get_kernel_max_sub_group_size_for_ndrange_impl", rangeAt(in, 0));
}
llvm::Value* localSizeForSubGroups(FunctionReader& in) {
  return blockFact(in, "__get_kernel_local_size_for_sub_group_count_impl", uintAt(in, 0));
}
llvm::Value* maxSubGroups(FunctionReader& in) { return blockFact(in, "__get_kernel_max_num_sub_groups_impl"); }

llvm::Value* defaultQueue(FunctionReader& in) { return in.call("_Z17get_default_queuev", in.resultType().llvm, {}); }
llvm::Value* createEvent(FunctionReader& in) { return in.call("_Z17create_user_eventv", in.resultType().llvm, {}); }

llvm::Value* retainEvent(FunctionReader& in) {
  in.call("_Z12retain_event12ocl_clkevent", in.builder().getVoidTy(), {&eventAt(in, 0)});
  return nullptr;
}
llvm::Value* releaseEvent(FunctionReader& in) {
  in.call("_Z13release_event12ocl_clkevent", in.builder().getVoidTy(), {&eventAt(in, 0)});
  return nullptr;
}
llvm::Value* isValidEvent(FunctionReader& in) {
  return in.call("_Z14is_valid_event12ocl_clkevent", in.builder().getInt1Ty(), {&eventAt(in, 0)});
}
llvm::Value* setEventStatus(FunctionReader& in) {
  in.call("_Z21set_user_event_status12ocl_clkeventi", in.builder().getVoidTy(), {&eventAt(in, 0), uintAt(in, 1)});
  return nullptr;
}
llvm::Value* captureTimes(FunctionReader& in) {
  llvm::Value& place = pointerAt(in, 2);
  require(place.getType()->getPointerAddressSpace() == globalAddressSpace, in.current(),
          "its times do not go to global memory");
  in.call("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v", in.builder().getVoidTy(),
          {&eventAt(in, 0), uintAt(in, 1), &place});
  return nullptr;
}

/// Operands: global size, local size, offset: each a number, or an array of two or three. The result is clang's
/// ndrange_t: dimensions, offset, global size, local size.
llvm::Value* buildRange(FunctionReader& in) {
  llvm::IRBuilder<>& builder = in.builder();
  llvm::Type* const triple = llvm::ArrayType::get(builder.getInt64Ty(), 3);
  llvm::Type* const range = llvm::StructType::get(builder.getInt32Ty(), triple, triple, triple);
  const auto* const result = llvm::dyn_cast<llvm::StructType>(in.resultType().llvm);
  require(result && llvm::cast<llvm::StructType>(range)->isLayoutIdentical(const_cast<llvm::StructType*>(result)),
          in.current(), "its result is not the structure of an NDRange");
  std::uint64_t dims = 0;
  const auto tripleOf = [&](std::size_t index, std::uint64_t missing) {
    llvm::Value& given = in.operand(index);
    const auto* const array = llvm::dyn_cast<llvm::ArrayType>(given.getType());
    const std::uint64_t count = array ? array->getNumElements() : 1;
    require(count >= 1 && count <= 3 && (dims == 0 || dims == count), in.current(), "operand {} has {} dimensions",
            index + 1, count);
    dims = count;
    llvm::Value* made = llvm::UndefValue::get(triple);
    for (unsigned d = 0; d < 3; ++d) {
      llvm::Value* number = builder.getInt64(missing);
      if (d < count) number = array ? builder.CreateExtractValue(&given, d) : &given;
      require(number->getType()->isIntegerTy(), in.current(), "operand {} is no size", index + 1);
      made = builder.CreateInsertValue(made, builder.CreateZExtOrTrunc(number, builder.getInt64Ty()), d);
    }
    return made;
  };
  llvm::Value *const global = tripleOf(0, 1), *const local = tripleOf(1, 1), *const offset = tripleOf(2, 0);
  llvm::Value* made = llvm::UndefValue::get(in.resultType().llvm);
  made = builder.CreateInsertValue(made, builder.getInt32(static_cast<std::uint32_t>(dims)), 0);
  made = builder.CreateInsertValue(made, offset, 1);
  made = builder.CreateInsertValue(made, global, 2);
  return builder.CreateInsertValue(made, local, 3);
}

}  // namespace

void addDeviceEnqueue(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::EnqueueKernel, enqueueKernel);
  set(Op::EnqueueMarker, enqueueMarker);
  set(Op::GetKernelWorkGroupSize, workGroupSize);
  set(Op::GetKernelPreferredWorkGroupSizeMultiple, preferredMultiple);
  set(Op::GetKernelNDrangeSubGroupCount, subGroupCount);
  set(Op::GetKernelNDrangeMaxSubGroupSize, maxSubGroupSize);
  set(Op::GetKernelLocalSizeForSubgroupCount, localSizeForSubGroups);
  set(Op::GetKernelMaxNumSubgroups, maxSubGroups);
  set(Op::GetDefaultQueue, defaultQueue);
  set(Op::BuildNDRange, buildRange);
  set(Op::CreateUserEvent, createEvent);
  set(Op::RetainEvent, retainEvent);
  set(Op::ReleaseEvent, releaseEvent);
  set(Op::IsValidEvent, isValidEvent);
  set(Op::SetUserEventStatus, setEventStatus);
  set(Op::CaptureEventProfilingInfo, captureTimes);
}

}  // namespace clarity::compiler::spirv
