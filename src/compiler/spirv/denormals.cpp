// SPDX-License-Identifier: Apache-2.0
// This file makes the code that flushes denormal numbers, which works on their bits.
#include "compiler/spirv/denormals.h"

namespace clarity::compiler::spirv {
namespace {

bool isWidth(std::uint32_t bits) { return bits == 16 || bits == 32 || bits == 64; }

bool computes(Std function) {
  switch (function) {
    case Std::vloadn:
    case Std::vstoren:
    case Std::shuffle:
    case Std::shuffle2:
    case Std::select:
    case Std::bitselect:
    case Std::printf:
    case Std::prefetch: return false;
    default: return true;
  }
}

}  // namespace

FlushedWidths flushedByKernels(const Annotations& annotations) {
  FlushedWidths all = 0;
  bool isFirst = true;
  for (const EntryPoint& entry : annotations.entryPoints()) {
    FlushedWidths widths = 0;
    for (const ExecutionModeOf& mode : annotations.modesOf(entry.function)) {
      if (mode.mode != ExecutionMode::DenormFlushToZero) continue;
      const std::uint32_t width = mode.parameters[0];
      require(isWidth(width), *mode.instruction, "floating-point numbers have 16, 32 or 64 bits, not {}", width);
      widths |= width;
    }
    require(isFirst || widths == all, *entry.instruction,
            "'{}' and '{}' may share functions, and do not flush the same denormal numbers",
            annotations.entryPoints().front().name, entry.name);
    all = widths;
    isFirst = false;
  }
  return all;
}

FlushedWidths flushedByFunction(const Annotations& annotations, std::uint32_t function) {
  FlushedWidths widths = 0;
  for (const DecorationOf& given : annotations.decorationsOf(function))
    if (given.decoration == Decoration::FunctionDenormModeINTEL && given.parameters.size() == 2 &&
        isWidth(given.parameters[0]) && static_cast<FPDenormMode>(given.parameters[1]) == FPDenormMode::FlushToZero)
      widths |= given.parameters[0];
  return widths;
}

bool computes(const Instruction& instruction) {
  const Op op = instruction.op;
  if (op == Op::ExtInst) return computes(instruction.as<Std>(1));
  return (op >= Op::ConvertFToU && op <= Op::ConvertUToF) || op == Op::FConvert || op == Op::QuantizeToF16 ||
         op == Op::FNegate || op == Op::FAdd || op == Op::FSub || op == Op::FMul || op == Op::FDiv || op == Op::FRem ||
         op == Op::FMod || op == Op::FmaKHR || op == Op::Dot || op == Op::VectorTimesScalar ||
         (op >= Op::FOrdEqual && op <= Op::FUnordGreaterThanEqual) || op == Op::LessOrGreater ||
         (op >= Op::GroupFAdd && op <= Op::GroupFMax) || op == Op::GroupNonUniformFAdd ||
         op == Op::GroupNonUniformFMul || op == Op::GroupNonUniformFMin || op == Op::GroupNonUniformFMax ||
         op == Op::AtomicFAddEXT || op == Op::AtomicFMinEXT || op == Op::AtomicFMaxEXT;
}

llvm::Value* flushed(llvm::IRBuilderBase& builder, llvm::Value& value, FlushedWidths widths) {
  llvm::Type* const type = value.getType();
  if (!type->isFPOrFPVectorTy() || (widths & type->getScalarSizeInBits()) == 0) return &value;
  llvm::Type* const scalar = type->getScalarType();
  const llvm::APInt exponent = llvm::APFloat::getInf(scalar->getFltSemantics()).bitcastToAPInt();
  const llvm::APInt sign = llvm::APInt::getSignMask(exponent.getBitWidth());
  llvm::Type* const integer = type->getWithNewType(builder.getIntNTy(exponent.getBitWidth()));
  llvm::Value* const bits = builder.CreateBitCast(&value, integer);
  llvm::Value* const isSmall = builder.CreateIsNull(builder.CreateAnd(bits, llvm::ConstantInt::get(integer, exponent)));
  llvm::Value* const zero = builder.CreateAnd(bits, llvm::ConstantInt::get(integer, sign));
  return builder.CreateBitCast(builder.CreateSelect(isSmall, zero, bits), type);
}

void flushInMemory(llvm::IRBuilderBase& builder, llvm::Value& pointer, llvm::Type& type, FlushedWidths widths) {
  const llvm::Align alignment(type.getScalarSizeInBits() / 8);
  llvm::Value* const written = builder.CreateAlignedLoad(&type, &pointer, alignment);
  builder.CreateAlignedStore(flushed(builder, *written, widths), &pointer, alignment);
}

}  // namespace clarity::compiler::spirv
