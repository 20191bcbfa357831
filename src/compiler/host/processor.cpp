// SPDX-License-Identifier: Apache-2.0
// This file reads LLVM's description of a processor.
#include "compiler/host/processor.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
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
  result.fastGathers = result.gathers && processor.checkFeatures("+fast-gather");
  result.guessesPlaces = llvm::StringRef(target.cpu).starts_with("znver");
  result.permutes = processor.checkFeatures("+avx2");
  result.registers = result.maskRegisters ? 32 : 16;
  result.half = halfSupportOf(processor);
  result.fuses = processor.checkFeatures("+fma");
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

}  // namespace clarity::compiler
