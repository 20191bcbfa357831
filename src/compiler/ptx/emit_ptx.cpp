// SPDX-License-Identifier: Apache-2.0
// This file orders the steps from kernel IR to PTX.
#include "compiler/ptx/emit_ptx.h"

#include "compiler/frontend/options.h"
#include "compiler/guard/check_limits_pass.h"
#include "compiler/guard/limits.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/remarks.h"
#include "compiler/nvptx/address_spaces.h"
#include "compiler/nvptx/async_copies.h"
#include "compiler/nvptx/byte_conversions.h"
#include "compiler/nvptx/capability.h"
#include "compiler/nvptx/converge.h"
#include "compiler/nvptx/dot_products.h"
#include "compiler/nvptx/float_ranges.h"
#include "compiler/nvptx/function_passes.h"
#include "compiler/nvptx/give_items.h"
#include "compiler/nvptx/known_images.h"
#include "compiler/nvptx/launch_abi.h"
#include "compiler/nvptx/link_library.h"
#include "compiler/nvptx/lower_atomics.h"
#include "compiler/nvptx/lower_kernel.h"
#include "compiler/nvptx/open_division.h"
#include "compiler/nvptx/share_products.h"
#include "compiler/nvptx/tell_end.h"
#include "compiler/nvptx/unroll_loops.h"
#include "compiler/passes/distinct_buffers.h"
#include "compiler/passes/lower_half.h"
#include "compiler/passes/lower_local_memory.h"
#include "compiler/passes/promote_in_loops.h"
#include "compiler/pipeline/description.h"
#include "compiler/pipeline/supposed_images.h"
#include "compiler/reports/report.h"
#include "compiler/workarounds/atomic_subnormals.h"
#include "compiler/workarounds/narrow_stores.h"
#include "compiler/workarounds/wrapping_indices.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Passes/PassBuilder.h>
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

#include <algorithm>
#include <mutex>

namespace clarity::compiler::nvptx {
namespace {

/// The first version of PTX, ten times, with more than `mostParameterBytes` of parameters, which descriptors of images
/// may need.
constexpr unsigned versionOfLongParameters = 81;

std::uint64_t parameterBytes(const KernelInfo& kernel) { return kernel.argBlockBytes + sizeof(LaunchInfo); }

/// "+ptx80"
std::string versionFor(const KernelToGenerate& work) {
  const unsigned least = parameterBytes(work.kernel) > mostParameterBytes ? versionOfLongParameters : 0;
  return fmt::format("+ptx{}", std::max(ptxVersion(capabilityOf(work.target)), least));
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
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, work.target.cpu, versionFor(work), options, llvm::Reloc::PIC_, std::nullopt, level, /*JIT=*/true));
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

/// Nothing writes constant memory while a kernel runs: such loads may be moved, and go through the read-only cache.
void markConstantLoads(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->isSimple() && load->getPointerAddressSpace() == constantAddressSpace)
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
}

/// Last of all: what computes half in float looks like arithmetic of half to the optimiser.
void computeHalvesInFloat(llvm::Module& module) {
  llvm::FunctionAnalysisManager none;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) (void)LowerHalfPass(HalfSupport::Conversions).run(function, none);
}

bool runs(std::string_view step, const KernelToGenerate& work) {
  const Conditions holding =
      (work.options.optDisable ? 0 : Optimising) | (work.shape.distinctBuffers ? DistinctBuffers : 0);
  return nvptxStepRuns(step, holding, work.options.disabledPasses);
}

/// Ahead of all that merges loads. What LLVM makes of `restrict` does not hold behind barriers.
void noteBuffers(llvm::Function& kernel, const KernelToGenerate& work) {
  const bool areDistinct = work.shape.distinctBuffers && !work.options.optDisable && runs("distinct-buffers", work);
  llvm::FunctionPassManager passes;
  passes.addPass(DistinctBuffersPass(areDistinct));
  if (areDistinct && runs("promote-in-loops", work)) {
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(PromoteInLoopsPass());
  }
  FunctionPasses().run(kernel, std::move(passes));
}

/// While the products are those of the library's functions still.
void joinDotProducts(llvm::Module& module, const KernelToGenerate& work) {
  if (capabilityOf(work.target) < firstWithDotProducts || !runs("dot-products", work)) return;
  llvm::FunctionAnalysisManager none;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) (void)DotProductsPass().run(function, none);
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, const KernelToGenerate& work) {
  const bool full = !work.options.optDisable;
  LimitedAnalyses analyses(&machine);
  if (capabilityOf(work.target) >= firstThatCopies && runs("copy-async", work)) {
    llvm::FunctionPassManager ahead;  // of unrolling, which hides where each iteration stores
    ahead.addPass(llvm::LoopSimplifyPass());
    ahead.addPass(AsyncCopiesPass());
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(ahead)));
    all.run(module, analyses.modules());
  }
  analyses.builder()
      .buildPerModuleDefaultPipeline(full ? llvm::OptimizationLevel::O3 : llvm::OptimizationLevel::O1)
      .run(module, analyses.modules());
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
  all.run(module, analyses.modules());
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

/// The passes of the code generator as LLVM lists them, with the compile's limits checked between them.
class CodePasses final : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass* pass) override {
    if (pass->getPassKind() == llvm::PT_Function) llvm::legacy::PassManager::add(makeCheckLimitsPass());
    llvm::legacy::PassManager::add(pass);
  }
};

/// What is neither defined nor known to the code generator.
std::string undefinedIn(const llvm::Module& module) {
  std::string names;
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", std::string_view(function.getName()));
  return names;
}

}  // namespace

std::string objectionTo(const KernelInfo& kernel, const Target& target) {
  const Capability capability = capabilityOf(target);
  const std::uint64_t most = capability >= firstWithLongParameters ? mostLongParameterBytes : mostParameterBytes;
  if (parameterBytes(kernel) > most)
    return fmt::format("kernel '{}' has {} bytes of arguments, of which GPUs of compute capability {}.{} take {}",
                       kernel.name, kernel.argBlockBytes, capability / 10, capability % 10, most - sizeof(LaunchInfo));
  if (kernel.privateBytes > mostPrivateBytes)
    return fmt::format("kernel '{}' has {} bytes of private variables; a work-item on NVIDIA GPUs has {} at most",
                       kernel.name, kernel.privateBytes, mostPrivateBytes);
  return {};
}

bool lower(const KernelToGenerate& work, NvptxCode& code, std::string& error) {
  llvm::Module& module = work.module;
  llvm::StripDebugInfo(module);  // PTX has no line tables yet
  code.symbol = "clarity_kernel";
  const auto machine = machineFor(work);
  if (!machine) {
    error = fmt::format("no code generator for NVIDIA GPUs of kind '{}'", work.target.cpu);
    return false;
  }
  error = objectionTo(work.kernel, work.target);
  if (!error.empty() || !knowImages(module, work.kernel.name, work.shape, error)) return false;
  llvm::Function* kernel = module.getFunction(work.kernel.name);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) { return &value == kernel; });
  llvm::ModuleAnalysisManager none;
  llvm::FunctionAnalysisManager functions;
  llvm::GlobalDCEPass().run(module, none);
  (void)LowerLocalMemoryPass().run(*kernel, functions);
  checkLimits();
  noteBuffers(*kernel, work);
  checkLimits();
  joinDotProducts(module, work);
  code.tile = giveItems(*kernel, work);
  checkLimits();
  forgetHost(module, *machine);
  markConstantLoads(module);
  useAddressSpacesOfPtx(module);
  kernel = lowerKernel(*module.getFunction(work.kernel.name), work.kernel, work.scope.variables, work.shape, code.tile);
  kernel->setName(code.symbol);
  kernel->addFnAttr(tileAttribute, textOf(code.tile));
  openDivisions(*kernel, work.options.correctlyRoundedDivideSqrt);
  if (llvm::Error failure = linkLibrary(module, capabilityOf(work.target))) {
    error = llvm::toString(std::move(failure));
    return false;
  }
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) {
    return &value == kernel || value.getName() == "clarity_local" || value.getName() == variablesSymbol;
  });
  countOutputOnDevice(module);
  keepSubnormalsOfAtomics(module);
  llvm::raw_string_ostream errors(error);
  if (llvm::verifyModule(module, &errors)) return false;
  checkLimits();
  optimise(module, *machine, work);
  castThroughGeneric(module);
  const Capability capability = capabilityOf(work.target);
  if (capability < firstWithOwnThreads) converge(module, *machine);
  if (capability < firstWithHalves) computeHalvesInFloat(module);
  // That of small launches, whose end a thread may wait for that has nothing else to wait for. Older GPUs bring threads
  // of a warp together where all their ways do, which an end of the kernel with code of its own may put off.
  code.tellsEnd = work.shape.cells == 1 && capability >= firstWithOwnThreads;
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
  const KernelToGenerate supposed{work.module, work.kernel, work.scope, large, work.options, work.target};
  noteBuffers(kernel, supposed);
  const Tile tile = giveItems(kernel, supposed);
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
  for (llvm::Function& function : module) settleWrappingIndices(function);
  CodePasses passes;
  checkLimits();
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    error = "the code generator for NVIDIA GPUs cannot write text";
    return {};
  }
  passes.run(module);
  return withNarrowStores({text.data(), text.size()});
}

}  // namespace clarity::compiler::nvptx
