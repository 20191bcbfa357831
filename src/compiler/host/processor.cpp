// SPDX-License-Identifier: Apache-2.0
// This file reads LLVM's description of a processor.
#include "compiler/host/processor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

namespace clarity::compiler {
namespace {

HalfSupport halfSupportOf(const llvm::MCSubtargetInfo& processor) {
  if (processor.checkFeatures("+avx512fp16,+avx512vl")) return HalfSupport::Arithmetic;
  return processor.checkFeatures("+f16c") ? HalfSupport::Conversions : HalfSupport::None;
}

}  // namespace

VectorTarget vectorTargetOf(const Target& target, const llvm::TargetMachine& machine) {
  const llvm::MCSubtargetInfo& processor = *machine.getMCSubtargetInfo();
  VectorTarget result;
  result.bits = target.vectorBits;
  result.maskRegisters = processor.checkFeatures("+avx512vl,+avx512bw,+avx512dq");
  result.gathers = result.maskRegisters;
  result.permutes = processor.checkFeatures("+avx2");
  result.registers = result.maskRegisters ? 32 : 16;
  result.half = halfSupportOf(processor);
  result.rounds = processor.checkFeatures("+sse4.1");
  return result;
}

void retarget(llvm::Module& module, const llvm::TargetMachine& machine, const Target& target) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function& function : module) {
    function.setCallingConv(llvm::CallingConv::C);
    function.setDoesNotThrow();
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty()) function.addFnAttr("target-features", target.features);
    if (target.vectorBits >= 256) function.addFnAttr("prefer-vector-width", std::to_string(target.vectorBits));
    function.removeFnAttr("stack-protector-buffer-size");
    function.addFnAttr("no-trapping-math", "true");
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->setCallingConv(llvm::CallingConv::C);
  }
}

/// Left open, LLVM decides place by place what is contracted, and a product of constants that it folds is rounded where
/// its neighbour's is not. Halves are divided, whatever relaxed math allows: the reciprocal of a small one is infinite,
/// and the two roundings of a product with a reciprocal are more than the ulp that the standard grants. So are floats
/// without fused multiply-add: what LLVM computes from the processor's estimate is 2.8 ulp away then, and 2.5 are
/// granted.
void settleArithmetic(llvm::Module& module, const llvm::TargetMachine& machine) {
  const llvm::MCSubtargetInfo& processor = *machine.getMCSubtargetInfo();
  const bool wide = processor.checkFeatures("+fma"), narrow = halfSupportOf(processor) == HalfSupport::Arithmetic;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (instruction.getOpcode() == llvm::Instruction::FDiv &&
          (!wide || instruction.getType()->getScalarType()->isHalfTy()))
        instruction.setHasAllowReciprocal(false);
      auto* open = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!open || open->getIntrinsicID() != llvm::Intrinsic::fmuladd) continue;
      const bool fused = open->getType()->getScalarType()->isHalfTy() ? narrow : wide;
      llvm::IRBuilder<> builder(open);
      builder.setFastMathFlags(open->getFastMathFlags());
      llvm::Value *a = open->getArgOperand(0), *b = open->getArgOperand(1), *c = open->getArgOperand(2);
      llvm::Value* made = fused ? builder.CreateIntrinsic(llvm::Intrinsic::fma, {open->getType()}, {a, b, c})
                                : builder.CreateFAdd(builder.CreateFMul(a, b), c);
      made->takeName(open);
      open->replaceAllUsesWith(made);
      open->eraseFromParent();
    }
}

}  // namespace clarity::compiler
