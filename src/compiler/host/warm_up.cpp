// SPDX-License-Identifier: Apache-2.0
// This file takes a small kernel through pipeline, code generator and linker.
#include "compiler/host/warm_up.h"

#include "compiler/frontend/kernel_info.h"
#include "compiler/guard/context.h"
#include "compiler/guard/worker.h"
#include "compiler/host/emit.h"
#include "compiler/host/jit.h"
#include "compiler/host/machine.h"
#include "compiler/host/processor.h"
#include "compiler/ir/primitives.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/pipeline/trace_request.h"
#include "support/background.h"
#include "support/process_end.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace clarity::compiler {
namespace {

/// kernel void warm(global float* out) { out[get_global_id(0)] += 1; }
KernelInfo makeKernel(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, globalAddressSpace);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false),
                                          llvm::GlobalValue::ExternalLinkage, "clarity_warm_up", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", function));
  llvm::Value* place =
      builder.CreateInBoundsGEP(builder.getFloatTy(), function->getArg(0), emitQuery(builder, Primitive::GlobalId, 0));
  llvm::Value* sum = builder.CreateFAdd(builder.CreateLoad(builder.getFloatTy(), place),
                                        llvm::ConstantFP::get(builder.getFloatTy(), 1));
  builder.CreateStore(sum, place);
  builder.CreateRetVoid();
  KernelInfo info;
  info.name = function->getName().str();
  info.groupAgnostic = true;
  info.args.resize(1);
  info.args[0].kind = ArgKind::Buffer;
  info.args[0].size = 8;
  placeArguments(info);
  return info;
}

void generateOne(const Target& target) {
  const Machine machine = machineFor(target, true);
  if (!machine) return;
  CollectingContext context;
  llvm::Module module("warm", context);
  const KernelInfo kernel = makeKernel(module);
  retarget(module, *machine, target);
  Shape shape;
  shape.quick = true;  // what first launches have; full code is compiled when there is more time
  toNativeIR(module, kernel, shape, Options(), target, *machine);
  if (support::processEnds()) return;
  std::string error;
  std::uint64_t frameBytes = 0;
  const std::string object =
      emit(module, *machine, {.effort = Effort::Quick, .kernel = kernel.name}, frameBytes, error);
  if (support::processEnds()) return;
  loadObject(object, kernel.name, [](std::string_view) -> void* { return nullptr; }, error);
}

std::atomic<bool> warming{false};

/// A child of fork() would find LLVM's tables half made, and no thread that makes the rest.
void waitUntilWarm() { warming.wait(true); }

}  // namespace

void warmUp(const Target& target) {
  if (!support::staticObjectsArePermanent || passesAreTraced()) return;  // a trace is of what is asked for alone
  static std::once_flag once;
  std::call_once(once, [&] {
    if (std::thread::hardware_concurrency() < 2 || !support::waitBeforeForks(waitUntilWarm)) return;
    warming = true;
    support::runInBackground([target] {
      std::string log;
      runGuarded([&] { generateOne(target); }, log);
      warming = false;
      warming.notify_all();
    });
  });
}

}  // namespace clarity::compiler
