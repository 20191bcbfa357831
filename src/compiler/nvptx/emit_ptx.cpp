// SPDX-License-Identifier: Apache-2.0
// This file orders the steps from kernel IR to PTX.
#include "compiler/nvptx/emit_ptx.h"

#include "builtins/nvptx/library.h"
#include "compiler/analysis_managers.h"
#include "compiler/attributes.h"
#include "compiler/cost_model.h"
#include "compiler/frontend/options.h"
#include "compiler/nvptx/address_spaces.h"
#include "compiler/nvptx/async_copies.h"
#include "compiler/nvptx/byte_conversions.h"
#include "compiler/nvptx/dot_products.h"
#include "compiler/nvptx/float_ranges.h"
#include "compiler/nvptx/function_passes.h"
#include "compiler/nvptx/give_items.h"
#include "compiler/nvptx/known_images.h"
#include "compiler/nvptx/launch_abi.h"
#include "compiler/nvptx/lower_atomics.h"
#include "compiler/nvptx/lower_kernel.h"
#include "compiler/nvptx/open_division.h"
#include "compiler/nvptx/share_products.h"
#include "compiler/nvptx/tell_end.h"
#include "compiler/nvptx/unroll_loops.h"
#include "compiler/passes/distinct_buffers.h"
#include "compiler/passes/lower_local_memory.h"
#include "compiler/passes/promote_in_loops.h"
#include "compiler/pipeline/description.h"
#include "compiler/pipeline/supposed_images.h"
#include "compiler/primitives.h"
#include "compiler/remarks.h"
#include "compiler/reports/report.h"
#include "compiler/workarounds/atomic_subnormals.h"
#include "compiler/workarounds/byte_stores.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <mutex>

namespace clarity::compiler::nvptx {
namespace {

/// The first with more than `mostParameterBytes` of parameters, which descriptors of images may need.
constexpr char versionOfLongParameters[] = "+ptx81";
/// The first compute capabilities, ten times, whose GPUs reduce a word of each of a warp's threads with an instruction,
/// and copy to shared memory with one.
constexpr unsigned firstThatReducesWords = 80, firstThatCopies = 80;

/// Ten times the compute capability.
unsigned capabilityOf(const Target& target) {
  llvm::StringRef name = target.cpu;
  unsigned capability = 0;
  if (name.consume_front("sm_")) (void)name.consumeInteger(10, capability);
  return capability;
}

std::unique_ptr<llvm::TargetMachine> machineFor(const KernelToGenerate& work) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  const auto level = work.options.optDisable ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive;
  const char* const version =
      work.kernel.argBlockBytes + sizeof(LaunchInfo) > mostParameterBytes ? versionOfLongParameters : "+ptx80";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, work.target.cpu, version, options, llvm::Reloc::PIC_, std::nullopt, level, /*JIT=*/true));
}

/// What the host's back end wrote to functions says nothing about this machine.
void forgetHost(llvm::Module& module, const llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function& function : module)
    for (const char* attribute : {"target-cpu", "target-features", "prefer-vector-width", "stack-protector-buffer-size",
                                  "uniform-work-group-size"})
      function.removeFnAttr(attribute);
}

llvm::Error linkLibrary(llvm::Module& module) {
  const std::string_view bitcode = builtins::nvptxLibrary();
  auto library = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(llvm::StringRef(bitcode), "nvptx library"),
                                            module.getContext(), true);
  if (!library) return library.takeError();
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("the library for NVIDIA GPUs could not be linked");
  return llvm::Error::success();
}

/// Nothing writes constant memory while a kernel runs: such loads may be moved, and go through the read-only cache.
void markConstantLoads(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->isSimple() && load->getPointerAddressSpace() == constantAddressSpace)
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
}

/// Shared memory for work-group functions: a value for each warp (builtins/nvptx/collectives.cl).
void defineScratch(llvm::Module& module) {
  llvm::Function* scratch = module.getFunction("__clarity_group_scratch");
  if (!scratch) return;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), 32);
  auto* memory =
      new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
                               "clarity_group_scratch", nullptr, llvm::GlobalValue::NotThreadLocal, sharedSpace);
  memory->setAlignment(llvm::Align(8));
  for (llvm::User* user : llvm::make_early_inc_range(scratch->users()))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
      call->replaceAllUsesWith(memory);
      call->eraseFromParent();
    }
  scratch->eraseFromParent();
}

/// The instruction that reduces a word of a warp's threads: `name` is the operation and the type.
llvm::Intrinsic::ID reductionOfWords(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::Intrinsic::ID>(name)
      .Cases({"add_int", "add_uint"}, llvm::Intrinsic::nvvm_redux_sync_add)
      .Case("min_int", llvm::Intrinsic::nvvm_redux_sync_min)
      .Case("min_uint", llvm::Intrinsic::nvvm_redux_sync_umin)
      .Case("max_int", llvm::Intrinsic::nvvm_redux_sync_max)
      .Case("max_uint", llvm::Intrinsic::nvvm_redux_sync_umax)
      .Cases({"and_int", "and_uint"}, llvm::Intrinsic::nvvm_redux_sync_and)
      .Cases({"or_int", "or_uint"}, llvm::Intrinsic::nvvm_redux_sync_or)
      .Cases({"xor_int", "xor_uint"}, llvm::Intrinsic::nvvm_redux_sync_xor)
      .Default(llvm::Intrinsic::not_intrinsic);
}

/// What the library leaves open as the processor decides it (builtins/nvptx/collectives.cl).
void defineReductionsOfWords(llvm::Module& module, const Target& target) {
  const bool has = capabilityOf(target) >= firstThatReducesWords;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = function.getName();
    const bool asks = name == "__clarity_reduces_words";
    if (!asks && !name.consume_front("__clarity_words_")) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto& call = *llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(&call);
      llvm::Value* value = llvm::PoisonValue::get(call.getType());
      if (asks)
        value = llvm::ConstantInt::get(call.getType(), has);
      else if (has)
        value = builder.CreateIntrinsic(builder.getInt32Ty(), reductionOfWords(name),
                                        {call.getArgOperand(0), call.getArgOperand(1)});
      call.replaceAllUsesWith(value);
      call.eraseFromParent();
    }
    function.eraseFromParent();
  }
}

bool runs(std::string_view step, const KernelToGenerate& work) {
  return nvptxStepRuns(step, work.options.optDisable ? 0 : Optimising, work.options.disabledPasses);
}

/// Ahead of all that merges loads. What LLVM makes of `restrict` does not hold behind barriers.
void noteBuffers(llvm::Function& kernel, const KernelToGenerate& work) {
  const bool areDistinct = work.shape.distinctBuffers && !work.options.optDisable &&
                           !llvm::is_contained(work.options.disabledPasses, "distinct-buffers");
  llvm::FunctionPassManager passes;
  passes.addPass(DistinctBuffersPass(areDistinct));
  if (areDistinct && !llvm::is_contained(work.options.disabledPasses, "promote-in-loops")) {
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(PromoteInLoopsPass());
  }
  FunctionPasses().run(kernel, std::move(passes));
}

/// While the products are those of the library's functions still.
void joinDotProducts(llvm::Module& module, const KernelToGenerate& work) {
  if (!runs("dot-products", work)) return;
  llvm::FunctionAnalysisManager none;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) (void)DotProductsPass().run(function, none);
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, const KernelToGenerate& work) {
  const bool full = !work.options.optDisable;
  AnalysisManagers analyses;
  llvm::PassBuilder builder(&machine);
  analyses.registerAnalyses(builder);
  if (capabilityOf(work.target) >= firstThatCopies && runs("copy-async", work)) {
    llvm::FunctionPassManager ahead;  // of unrolling, which hides where each iteration stores
    ahead.addPass(llvm::LoopSimplifyPass());
    ahead.addPass(AsyncCopiesPass());
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(ahead)));
    all.run(module, analyses.modules);
  }
  builder.buildPerModuleDefaultPipeline(full ? llvm::OptimizationLevel::O3 : llvm::OptimizationLevel::O1)
      .run(module, analyses.modules);
  if (!full) return;
  llvm::FunctionPassManager passes;
  if (runs("fold-compares", work)) {
    passes.addPass(FoldComparesPass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::EarlyCSEPass());
  }
  if (runs("unroll-loads", work)) {
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(llvm::LCSSAPass());
    passes.addPass(UnrollLoopsPass(work.shape.cells >= 1 && work.shape.cells <= cost::coarsen::fewCells));
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
    passes.addPass(llvm::EarlyCSEPass(true));
  }
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(ShareProductsPass());  // InstCombine would move signs to factors again
  passes.addPass(llvm::EarlyCSEPass());
  if (runs("convert-bytes", work)) {
    passes.addPass(ConvertBytesPass());
    passes.addPass(llvm::ADCEPass());  // InstCombine would bring the conversions back
  }
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.addPass(llvm::GlobalDCEPass());
  all.run(module, analyses.modules);
}

/// The code generator has casts to and from the generic address space only. The optimiser joins two of them into one
/// between named spaces, where it has seen both sides of what to_global() and the like ask for.
void castThroughGeneric(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
      if (!cast || cast->getSrcAddressSpace() == genericSpace || cast->getDestAddressSpace() == genericSpace) continue;
      llvm::IRBuilder<> builder(cast);
      llvm::Value* generic = builder.CreateAddrSpaceCast(
          cast->getPointerOperand(), cast->getSrcTy()->getWithNewType(builder.getPtrTy(genericSpace)));
      cast->setOperand(0, generic);
    }
}

std::string textOf(const Tile& tile) {
  const auto& [x, y, z] = tile.cells;
  const auto& threads = tile.threads;
  return fmt::format("cells={},{},{} threads={},{},{} groups={}{}{}{}{}{}{}", x, y, z, threads[0], threads[1],
                     threads[2], tile.groups, tile.merged ? " merged" : "", tile.swapped ? " swapped" : "",
                     tile.warps ? " warps" : "", tile.guarded ? " guarded" : "", tile.adjacent ? " adjacent" : "",
                     tile.counts ? " counts" : "");
}

/// What is neither defined nor known to the code generator.
std::string undefinedIn(const llvm::Module& module) {
  std::string names;
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", std::string_view(function.getName()));
  return names;
}

}  // namespace

bool lower(const KernelToGenerate& work, NvptxCode& code, std::string& error) {
  llvm::Module& module = work.module;
  llvm::StripDebugInfo(module);  // PTX has no line tables yet
  code.symbol = "clarity_kernel";
  const auto machine = machineFor(work);
  if (!machine) {
    error = fmt::format("no code generator for NVIDIA GPUs of kind '{}'", work.target.cpu);
    return false;
  }
  if (!knowImages(module, work.kernel.name, work.shape, error)) return false;
  llvm::Function* kernel = module.getFunction(work.kernel.name);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) { return &value == kernel; });
  llvm::ModuleAnalysisManager none;
  llvm::FunctionAnalysisManager functions;
  llvm::GlobalDCEPass().run(module, none);
  (void)LowerLocalMemoryPass().run(*kernel, functions);
  noteBuffers(*kernel, work);
  joinDotProducts(module, work);
  code.tile = giveItems(*kernel, work);
  forgetHost(module, *machine);
  markConstantLoads(module);
  useAddressSpacesOfPtx(module);
  kernel = lowerKernel(*module.getFunction(work.kernel.name), work.kernel, work.scope.variables, work.shape, code.tile);
  kernel->setName(code.symbol);
  kernel->addFnAttr(tileAttribute, textOf(code.tile));
  openDivisions(*kernel, work.options.correctlyRoundedDivideSqrt);
  if (llvm::Error failure = linkLibrary(module)) {
    error = llvm::toString(std::move(failure));
    return false;
  }
  defineScratch(module);
  defineReductionsOfWords(module, work.target);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) {
    return &value == kernel || value.getName() == "clarity_local" || value.getName() == variablesSymbol;
  });
  countOutputOnDevice(module);
  keepSubnormalsOfAtomics(module);
  llvm::raw_string_ostream errors(error);
  if (llvm::verifyModule(module, &errors)) return false;
  optimise(module, *machine, work);
  castThroughGeneric(module);
  // That of small launches, whose end a thread may wait for that has nothing else to wait for.
  code.tellsEnd = work.shape.cells == 1;
  if (code.tellsEnd) tellEnd(*kernel);
  const std::string names = undefinedIn(module);
  if (names.empty()) return true;
  error = fmt::format("kernel '{}' calls functions that NVIDIA GPUs do not have: {}", work.kernel.name, names);
  return false;
}

std::string report(const KernelToGenerate& work) {
  Shape large = work.shape;  // a report is about a launch that fills the GPU
  if (large.cells == 0) large.cells = mostCells;
  large.privateReductions = true;
  supposeImages(*work.module.getFunction(work.kernel.name), work.kernel, large);
  std::string error;
  (void)knowImages(work.module, work.kernel.name, large, error);  // if not, it is about the calls
  llvm::Function& kernel = *work.module.getFunction(work.kernel.name);
  askForRemarks(kernel);
  llvm::FunctionAnalysisManager functions;
  (void)LowerLocalMemoryPass().run(kernel, functions);
  const Tile tile = giveItems(kernel, {work.module, work.kernel, work.scope, large, work.options, work.target});
  const llvm::DISubprogram* place = kernel.getSubprogram();
  const KernelReport made{.name = work.kernel.name,
                          .place = {place ? place->getLine() : 0, 0},
                          .workGroups = tile.merged ? "neighbouring work-groups run as one" : "",
                          .budget = {},
                          .remarks = remarksIn(kernel),
                          .packets = {}};
  if (work.options.reportJson) return jsonOf(made);
  std::string text = fmt::format("kernel '{}', line {}: {}\n", made.name, made.place.line,
                                 tile.merged ? made.workGroups : "work-groups of this size");
  for (const Remark& each : made.remarks)
    text += each.place.line ? fmt::format("  line {}: {}\n", each.place.line, each.message)
                            : fmt::format("  {}\n", each.message);
  return text;
}

std::string textOf(llvm::Module& module, const KernelToGenerate& work, std::string& error) {
  const auto machine = machineFor(work);
  lowerAtomics(module, capabilityOf(work.target));
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    error = "the code generator for NVIDIA GPUs cannot write text";
    return {};
  }
  passes.run(module);
  return withByteStores({text.data(), text.size()});
}

}  // namespace clarity::compiler::nvptx
