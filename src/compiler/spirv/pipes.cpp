// SPDX-License-Identifier: Apache-2.0
// This file reads instructions of pipes (SPIR-V 1.6, section 3.49.23) as the calls that clang makes of OpenCL C's
// functions: the size and the alignment of a packet follow the arguments.
#include "compiler/ir/opaque_types.h"
#include "compiler/ir/pipe_layout.h"
#include "compiler/ir/primitives.h"
#include "compiler/spirv/handlers.h"
#include "compiler/spirv/names.h"
#include "compiler/spirv/scopes.h"
#include "compiler/spirv/typed_operands.h"

#include <llvm/IR/Constants.h>

#include <array>
#include <cstring>
#include <string>

namespace clarity::compiler::spirv {
namespace {

/// Larger ones are in no device's memory.
constexpr std::uint64_t mostPipeBytes = std::uint64_t{1} << 40;

llvm::Value* packetAt(FunctionReader& in, std::size_t index) {
  return in.builder().CreateAddrSpaceCast(&pointerAt(in, index),
                                          llvm::PointerType::get(in.context(), genericAddressSpace));
}

void requirePipe(FunctionReader& in, std::size_t index) {
  require(in.typeOf(in.current()[index]).op == Op::TypePipe, in.current(), "operand {} is not a pipe", index + 1);
}

/// Operands: pipe, packet, size, alignment.
template <bool isRead>
llvm::Value* access(FunctionReader& in) {
  requirePipe(in, 0);
  return in.call(isRead ? "__read_pipe_2" : "__write_pipe_2", in.builder().getInt32Ty(),
                 {&in.operand(0), packetAt(in, 1), uintAt(in, 2), uintAt(in, 3)});
}

/// Operands: pipe, reservation, index, packet, size, alignment.
template <bool isRead>
llvm::Value* accessReserved(FunctionReader& in) {
  requirePipe(in, 0);
  return in.call(isRead ? "__read_pipe_4" : "__write_pipe_4", in.builder().getInt32Ty(),
                 {&in.operand(0), &in.operand(1), uintAt(in, 2), packetAt(in, 3), uintAt(in, 4), uintAt(in, 5)});
}

std::string pipeFunction(FunctionReader& in, bool isOfGroup, const char* action, bool isRead) {
  const char* const group = !isOfGroup ? "" : isSubGroup(in, 0) ? "sub_group_" : "work_group_";
  return fmt::format("__{}{}_{}_pipe", group, action, isRead ? "read" : "write");
}

/// Operands: scope of a group, pipe, number of packets, size, alignment.
template <bool isRead, bool isOfGroup>
llvm::Value* reserve(FunctionReader& in) {
  constexpr std::size_t pipe = isOfGroup ? 1 : 0;
  requirePipe(in, pipe);
  return in.call(pipeFunction(in, isOfGroup, "reserve", isRead), in.resultType().llvm,
                 {&in.operand(pipe), uintAt(in, pipe + 1), uintAt(in, pipe + 2), uintAt(in, pipe + 3)});
}

/// Operands: scope of a group, pipe, reservation, size, alignment.
template <bool isRead, bool isOfGroup>
llvm::Value* commit(FunctionReader& in) {
  constexpr std::size_t pipe = isOfGroup ? 1 : 0;
  requirePipe(in, pipe);
  in.call(pipeFunction(in, isOfGroup, "commit", isRead), in.builder().getVoidTy(),
          {&in.operand(pipe), &in.operand(pipe + 1), uintAt(in, pipe + 2), uintAt(in, pipe + 3)});
  return nullptr;
}

llvm::Value* isValid(FunctionReader& in) {
  return in.builder().CreateIsNotNull(
      in.call("_Z19is_valid_reserve_id13ocl_reserveid", in.builder().getInt1Ty(), {&in.operand(0)}));
}

template <bool isMost>
llvm::Value* countPackets(FunctionReader& in) {
  requirePipe(in, 0);
  const bool isRead = in.typeOf(in.current()[0]).access == AccessQualifier::ReadOnly;
  const std::string name = fmt::format("__get_pipe_{}_packets_{}", isMost ? "max" : "num", isRead ? "ro" : "wo");
  return in.call(name, in.builder().getInt32Ty(), {&in.operand(0), uintAt(in, 1), uintAt(in, 2)});
}

/// lower-images makes the storage's address of it.
llvm::Value* pipeOfStorage(FunctionReader& in) {
  require(in.typeOf(in.current()[0]).op == Op::TypePipeStorage, in.current(), "operand 1 is not the storage of a pipe");
  require(in.resultType().op == Op::TypePipe, in.current(), "its result is not a pipe");
  const bool isRead = in.resultType().access == AccessQualifier::ReadOnly;
  return in.call(isRead ? readPipeOfStorage : writePipeOfStorage, in.resultType().llvm, {&in.operand(0)});
}

}  // namespace

/// A variable in global memory: the pipe is empty when the program has been built.
llvm::Constant* ModuleReader::pipeStorage(const Instruction& instruction) {
  const Type& type = types_.at(instruction.type, instruction);
  require(type.op == Op::TypePipeStorage, instruction, "its type {} is not the storage of a pipe", instruction.type);
  const std::uint32_t bytes = instruction[0], alignment = instruction[1], packets = instruction[2];
  require(bytes > 0 && packets > 0 && packets <= PipeLayout::mostPackets, instruction,
          "no pipe holds {} packets of {} bytes", packets, bytes);
  require(alignment <= PipeLayout::alignment, instruction, "packets are aligned to at most {} bytes, not {}",
          PipeLayout::alignment, alignment);
  const PipeLayout layout(bytes, packets);
  const std::uint64_t rest = layout.bytes - sizeof layout.header;
  require(rest < mostPipeBytes, instruction, "it is larger than any memory: {} bytes", layout.bytes);
  std::array<std::uint32_t, sizeof(PipeHeader) / sizeof(std::uint32_t)> words{};
  std::memcpy(words.data(), &layout.header, sizeof layout.header);
  llvm::Constant* const header = llvm::ConstantDataArray::get(context(), words);
  llvm::Constant* const slots =
      llvm::Constant::getNullValue(llvm::ArrayType::get(llvm::Type::getInt8Ty(context()), rest));
  llvm::Constant* const initial = llvm::ConstantStruct::getAnon({header, slots});
  auto* const variable =
      new llvm::GlobalVariable(*module_, initial->getType(), false, llvm::GlobalValue::InternalLinkage, initial,
                               privateName(annotations_.nameOf(instruction.result), instruction.result), nullptr,
                               llvm::GlobalValue::NotThreadLocal, globalAddressSpace);
  variable->setAlignment(llvm::Align(PipeLayout::alignment));
  return variable;
}

void addPipes(HandlerTable& table) {
  const auto set = [&](Op op, Handler handler) { table[static_cast<std::size_t>(op)] = handler; };
  set(Op::ReadPipe, access<true>);
  set(Op::WritePipe, access<false>);
  set(Op::ReservedReadPipe, accessReserved<true>);
  set(Op::ReservedWritePipe, accessReserved<false>);
  set(Op::ReserveReadPipePackets, reserve<true, false>);
  set(Op::ReserveWritePipePackets, reserve<false, false>);
  set(Op::CommitReadPipe, commit<true, false>);
  set(Op::CommitWritePipe, commit<false, false>);
  set(Op::GroupReserveReadPipePackets, reserve<true, true>);
  set(Op::GroupReserveWritePipePackets, reserve<false, true>);
  set(Op::GroupCommitReadPipe, commit<true, true>);
  set(Op::GroupCommitWritePipe, commit<false, true>);
  set(Op::CreatePipeFromPipeStorage, pipeOfStorage);
  set(Op::IsValidReserveId, isValid);
  set(Op::GetNumPipePackets, countPackets<false>);
  set(Op::GetMaxPipePackets, countPackets<true>);
}

}  // namespace clarity::compiler::spirv
