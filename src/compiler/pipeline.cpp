// SPDX-License-Identifier: Apache-2.0
// This file narrates the way of a kernel: read toKernelIR and toNativeIR from top to bottom.
#include "compiler/pipeline.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/reductions.h"
#include "compiler/analysis/variance.h"
#include "compiler/attributes.h"
#include "compiler/budget.h"
#include "compiler/codegen/machine.h"
#include "compiler/frontend/kernel_info.h"
#include "compiler/frontend/options.h"
#include "compiler/link_builtins.h"
#include "compiler/packets/report.h"
#include "compiler/passes/interleave_groups.h"
#include "compiler/passes/copy_byval_arguments.h"
#include "compiler/passes/expand_collectives.h"
#include "compiler/passes/collect_constructors.h"
#include "compiler/passes/guard_division.h"
#include "compiler/passes/lower_collectives.h"
#include "compiler/passes/lower_half.h"
#include "compiler/passes/lower_local_memory.h"
#include "compiler/passes/lower_printf.h"
#include "compiler/workarounds/lower_saturating_conversions.h"
#include "compiler/passes/lower_unshared_atomics.h"
#include "compiler/passes/make_entry.h"
#include "compiler/passes/interchange_loops.h"
#include "compiler/passes/resolve_generic_pointers.h"
#include "compiler/workarounds/lower_rounding.h"
#include "compiler/passes/mark_waiting_loops.h"
#include "compiler/passes/merge_groups.h"
#include "compiler/passes/narrow_indices.h"
#include "compiler/workarounds/narrow_products.h"
#include "compiler/passes/outline_sub_groups.h"
#include "compiler/passes/packets.h"
#include "compiler/passes/pass_ids.h"
#include "compiler/passes/place_global_variables.h"
#include "compiler/passes/prefetch_strides.h"
#include "compiler/passes/prepare_barriers.h"
#include "compiler/passes/prepare_inlining.h"
#include "compiler/passes/fold_guards.h"
#include "compiler/passes/save_live_values.h"
#include "compiler/workarounds/signed_conversions.h"
#include "compiler/workarounds/single_lane_stores.h"
#include "compiler/passes/specialize_shape.h"
#include "compiler/passes/split_bitcasts.h"
#include "compiler/passes/split_interior.h"
#include "compiler/passes/split_structures.h"
#include "compiler/passes/sub_group_size.h"
#include "compiler/passes/unroll_barrier_loops.h"
#include "compiler/passes/unroll_private_loops.h"
#include "compiler/passes/unroll_row_loops.h"
#include "compiler/passes/version_blocks.h"
#include "compiler/passes/work_item_loops.h"
#include "compiler/primitives.h"
#include "compiler/remarks.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

namespace clarity::compiler {
namespace {

/// Kernels below this size are within every budget: nothing has to be found out about them ahead of a launch.
constexpr unsigned leastRemarkable = 1000;
constexpr std::uint64_t mostInlinedAtAll = 500'000;

HalfSupport halfSupportOf(const llvm::MCSubtargetInfo& processor) {
  if (processor.checkFeatures("+avx512fp16,+avx512vl")) return HalfSupport::Arithmetic;
  return processor.checkFeatures("+f16c") ? HalfSupport::Conversions : HalfSupport::None;
}

/// LLVM's four analysis managers and a builder, tied together.
struct PassEnvironment {
  explicit PassEnvironment(llvm::TargetMachine* machine, llvm::PipelineTuningOptions tuning = {}) : builder(machine, tuning) {
    functions.registerPass([] { return VarianceAnalysis(); });
    functions.registerPass([] { return BarrierRegionsAnalysis(); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

/// What may be contracted is contracted, where the processor can, everywhere alike: left open, LLVM decides place by place, and a product of
/// constants that it computes ahead is rounded where its neighbour's is not.
/// And halves are divided, whatever relaxed math allows: the reciprocal of a small one is infinite, and the two roundings of a product with
/// a reciprocal are more than the ulp that the standard grants. So are floats without fused multiply-add: what LLVM makes of the processor's
/// estimate is 2.8 ulp away then, and 2.5 are granted.
void settleArithmetic(llvm::Module& module, const llvm::MCSubtargetInfo& processor) {
  const bool wide = processor.checkFeatures("+fma"), narrow = halfSupportOf(processor) == HalfSupport::Arithmetic;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (instruction.getOpcode() == llvm::Instruction::FDiv && (!wide || instruction.getType()->getScalarType()->isHalfTy())) instruction.setHasAllowReciprocal(false);
      auto* open = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!open || open->getIntrinsicID() != llvm::Intrinsic::fmuladd) continue;
      const bool fused = open->getType()->getScalarType()->isHalfTy() ? narrow : wide;
      llvm::IRBuilder<> builder(open);
      builder.setFastMathFlags(open->getFastMathFlags());
      llvm::Value *a = open->getArgOperand(0), *b = open->getArgOperand(1), *c = open->getArgOperand(2);
      llvm::Value* made = fused ? builder.CreateIntrinsic(llvm::Intrinsic::fma, {open->getType()}, {a, b, c}) : builder.CreateFAdd(builder.CreateFMul(a, b), c);
      made->takeName(open);
      open->replaceAllUsesWith(made);
      open->eraseFromParent();
    }
}

/// Declarations made by the library carry fewer attributes than primitives have.
void normalisePrimitives(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (const auto primitive = primitiveOf(function); primitive && !isFamily(*primitive)) declarePrimitive(module, *primitive);
}

llvm::FunctionPassManager cleanUp() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  return passes;
}

// --- facts --------------------------------------------------------------------------------------------------------

llvm::Error checkUndefined(const llvm::Module& module) {
  std::string names;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty() || primitiveOf(function)) continue;
    if (function.getName().starts_with("__clarity_")) continue;  // the runtime's, found when code is loaded
    for (const llvm::User* user : function.users()) {
      const auto* call = llvm::dyn_cast<llvm::Instruction>(user);
      names += function.getFnAttribute(firstUseAttribute).getValueAsString().str() + "error: undefined function '" + demangledName(function.getName()) + "'";
      if (call) names += " called from '" + demangledName(call->getFunction()->getName()) + "'";
      names += "\n";
      break;
    }
  }
  if (names.empty()) return llvm::Error::success();
  return llvm::createStringError(names);
}

/// Functions that wait at barriers must become part of their kernel, however often they are called.
llvm::Error checkInlining(const llvm::Module& module, const std::vector<KernelInfo*>& kernels) {
  for (const KernelInfo* kernel : kernels)
    if (const std::uint64_t size = inlinedSize(*module.getFunction(kernel->name)); size > mostInlinedAtAll)
      return llvm::createStringError(fmt::format("error: kernel '{}' is too large: with the functions that wait at barriers in place of their calls it has more than {} instructions, or they call themselves\n",
                                                 kernel->name, mostInlinedAtAll));
  return llvm::Error::success();
}

/// Sizes and alignments as the code has them, then places.
void layOutArguments(const llvm::Function& function, KernelInfo& kernel, const llvm::DataLayout& layout) {
  for (unsigned i = 0; i < kernel.args.size() && i < function.arg_size(); ++i) {
    KernelArg& argument = kernel.args[i];
    argument.size = 8;
    if (argument.kind != ArgKind::Value) continue;
    const llvm::Argument& parameter = *function.getArg(i);
    llvm::Type* structure = parameter.getParamByValType();
    llvm::Type* type = structure ? structure : parameter.getType();
    std::uint64_t align = layout.getABITypeAlign(type).value();
    if (structure) align = std::max(align, parameter.getParamAlign().valueOrOne().value());
    argument.size = static_cast<std::uint32_t>(layout.getTypeAllocSize(type).getFixedValue());
    argument.align = static_cast<std::uint32_t>(align);
  }
  placeArguments(kernel);
}

/// Decides how large the kernel's sub-groups are: as it says itself, as the option says, as suits the processor.
llvm::Error chooseSubGroupSize(llvm::Function& function, KernelInfo& kernel, const Options& options, const Target& target) {
  kernel.subGroupSize = options.packetLanes > 1 ? options.packetLanes : naturalSubGroupSize(target);
  if (const std::uint32_t required = kernel.requiredSubGroupSize) {
    if (!llvm::is_contained(subGroupSizes, required))
      return llvm::createStringError(fmt::format("error: kernel '{}' requires sub-groups of {} work-items; possible are 4, 8, 16 and 32\n", kernel.name, required));
    kernel.subGroupSize = required;
  }
  function.addFnAttr(subGroupSizeAttribute, std::to_string(kernel.subGroupSize));
  return llvm::Error::success();
}

void findFacts(llvm::Function& function, KernelInfo& kernel) {
  bool tellsGroups = false;
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (const auto size = slot->getAllocationSize(layout)) kernel.privateBytes += size->getFixedValue();
    const auto primitive = primitiveOf(instruction);
    if (!primitive) continue;
    switch (*primitive) {
      case Primitive::WorkGroupCollective:
      case Primitive::Barrier: kernel.hasBarrier = true; break;
      case Primitive::PrintfSink: kernel.usesPrintf = true; break;
      case Primitive::SubGroup: kernel.usesSubGroups = tellsGroups = true; break;
      case Primitive::GlobalSize: kernel.queriesSize = true; break;
      case Primitive::NumGroups: kernel.queriesSize = tellsGroups = true; break;
      case Primitive::LocalId:
      case Primitive::GroupId:
      case Primitive::LocalSize:
      case Primitive::EnqueuedLocalSize: tellsGroups = true; break;
      default: break;
    }
  }
  for (unsigned i = 0; i < kernel.args.size() && i < function.arg_size(); ++i) {
    KernelArg& argument = kernel.args[i];
    if (argument.kind != ArgKind::Buffer || !(argument.reduction = reductionOf(*function.getArg(i)))) continue;
    kernel.reductions = true;
    markReduction(*function.getArg(i));
  }
  kernel.localBytes = localBytesOf(function);
  const bool hasLocal = kernel.localBytes > 0 || llvm::any_of(kernel.args, [](const KernelArg& a) { return a.kind == ArgKind::Local; });
  kernel.groupAgnostic = !kernel.hasBarrier && !tellsGroups && !hasLocal;
}

}  // namespace

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

llvm::Error toKernelIR(llvm::Module& module, std::vector<KernelInfo>& kernels, ProgramScope& scope, const Options& options, const Target& target) {
  const auto machine = machineFor(target, !options.optDisable);
  if (!machine) return llvm::createStringError("no code generator for this processor");
  PassEnvironment environment(machine.get());

  // 1. One module with everything it needs: the program, and of the builtin library what it uses.
  LowerPrintfPass().run(module, environment.modules);
  auto constructors = collectConstructors(module);
  if (!constructors) return constructors.takeError();
  if (*constructors) scope.constructors = kernelInfoOf(**constructors, options);
  if (llvm::Error error = linkBuiltins(module, options.unsafeMath || options.fastRelaxedMath)) return error;
  if (llvm::Error error = checkUndefined(module)) return error;

  std::vector<KernelInfo*> all;
  for (KernelInfo& kernel : kernels) all.push_back(&kernel);
  if (scope.constructors) all.push_back(&*scope.constructors);

  // 2. The host's from here on; only kernels are visible, and what storage has to be found for.
  retarget(module, *machine, target);
  settleArithmetic(module, *machine->getMCSubtargetInfo());
  normalisePrimitives(module);
  auto variables = placeGlobalVariables(module);
  if (!variables) return variables.takeError();
  scope.variables = *std::move(variables);
  llvm::StringSet<> names;
  for (const KernelInfo* kernel : all) names.insert(kernel->name);
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) { return names.contains(value.getName()); });

  // LLVM takes functions named as C's for C's: a program may have a sqrtf of its own.
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage()) function.setName("cl." + function.getName());

  // 3. The argument block, while the types of structures passed by value are still known.
  for (KernelInfo* kernel : all) layOutArguments(*module.getFunction(kernel->name), *kernel, module.getDataLayout());

  for (KernelInfo* kernel : all)
    if (llvm::Error error = chooseSubGroupSize(*module.getFunction(kernel->name), *kernel, options, target)) return error;

  // 4. Everything that knows of work-items becomes part of its kernel, the rest as LLVM sees fit; then SSA form.
  PrepareInliningPass().run(module, environment.modules);
  if (llvm::Error error = checkInlining(module, all)) return error;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true));
  passes.addPass(PassIdsPass());
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(SubGroupSizePass()));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(CopyByvalArgumentsPass()));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(cleanUp()));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(ResolveGenericPointersPass()));
  if (!options.optDisable) {
    passes.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(2000)));
    llvm::FunctionPassManager again = cleanUp();
    again.addPass(llvm::SCCPPass());
    again.addPass(llvm::ADCEPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(again)));
  }
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, environment.modules);

  for (KernelInfo* kernel : all) findFacts(*module.getFunction(kernel->name), *kernel);
  return llvm::Error::success();
}

namespace {

/// Sub-groups are packets even where the budget allows no others.
void makeSubGroups(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, PacketsPass::Options tile) {
  tile.lanes = 1;
  tile.report = nullptr;
  analyses.invalidate(function, PacketsPass(tile).run(function, analyses));
}

/// Steps 1 to 3 of toNativeIR: from one work-item to loops over packets. Returns what was given up for the budget, a line each.
std::string toWorkGroup(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options, const Target& target,
                 llvm::TargetMachine& machine, PacketReport* report) {
  const bool optimise = !options.optDisable;
  const bool packets = kernel.usesSubGroups || (optimise && options.packetLanes != 1);
  PassEnvironment environment(&machine);
  llvm::Function& function = *module.getFunction(kernel.name);

  // 1. One kernel alone, its work-group size known where the shape is exact.
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) { return &value == &function; });
  llvm::ModulePassManager alone;
  alone.addPass(llvm::GlobalDCEPass());
  alone.run(module, environment.modules);
  llvm::FunctionPassManager prepare;
  prepare.addPass(SpecializeShapePass(shape));
  if (optimise) {
    prepare.addPass(llvm::SCCPPass());
    prepare.addPass(llvm::SimplifyCFGPass());
    prepare.addPass(llvm::InstCombinePass());
    if (kernel.hasBarrier) {
      prepare.addPass(llvm::LoopSimplifyPass());
      prepare.addPass(UnrollBarrierLoopsPass());
      prepare.addPass(llvm::SimplifyCFGPass());
      prepare.addPass(llvm::InstCombinePass());
    }
    prepare.addPass(UnrollPrivateLoopsPass());
  }
  prepare.addPass(GuardDivisionPass());
  prepare.addPass(LowerSaturatingConversionsPass());
  prepare.addPass(LowerLocalMemoryPass());
  prepare.addPass(SplitStructuresPass());
  if (packets && !kernel.groupAgnostic && !shape.wideIds) prepare.addPass(MergeGroupsPass());
  if (packets && optimise && !shape.wideIds) {
    prepare.addPass(llvm::LoopSimplifyPass());
    prepare.addPass(InterchangeLoopsPass({.groupAgnostic = kernel.groupAgnostic, .always = shape.interchange}));
    prepare.addPass(InterleaveGroupsPass());
  }

  if (kernel.usesSubGroups) prepare.addPass(MarkWaitingLoopsPass());

  // 2. From one work-item to the group: cut at barriers, carry values across, loop over work-items.
  prepare.addPass(LowerCollectivesPass());
  prepare.addPass(PrepareBarriersPass());
  prepare.addPass(SaveLiveValuesPass());
  if (packets && !shape.wideIds) prepare.addPass(NarrowIndicesPass());  // strides choose the dimension
  prepare.addPass(WorkItemLoopsPass({.groupAgnostic = kernel.groupAgnostic, .wideIds = shape.wideIds, .vectorBits = target.vectorBits}));

  // 3. Neighbouring work-items into the lanes of vectors.
  if (packets) {
    prepare.addPass(SplitBitcastsPass());
    llvm::ScalarizerPassOptions apart;
    apart.ScalarizeLoadStore = true;
    prepare.addPass(llvm::ScalarizerPass(apart));
    prepare.addPass(NarrowIndicesPass());
    prepare.addPass(FoldGuardsPass());
    prepare.addPass(llvm::LowerSwitchPass());
    prepare.addPass(llvm::FixIrreduciblePass());
    prepare.addPass(llvm::LoopSimplifyPass());
    if (optimise) {
      prepare.addPass(SplitInteriorPass());
      prepare.addPass(VersionBlocksPass({.vectorBits = target.vectorBits, .lanes = options.packetLanes}));
      prepare.addPass(llvm::LoopSimplifyPass());
      prepare.addPass(UnrollRowLoopsPass());
    }
    prepare.addPass(llvm::LCSSAPass());
  }
  prepare.run(function, environment.functions);
  std::string given;
  if (packets) {
    PacketsPass::Options tile;
    tile.target = vectorTargetOf(target, machine);
    tile.lanes = optimise ? options.packetLanes : 1;  // but for sub-groups
    tile.packets = options.packetColumns;
    tile.rows = options.packetRows;
    tile.nonTemporal = shape.nonTemporal;
    tile.report = report;
    given = makePackets(function, environment.functions, tile, Budget(options.compileBudget));
    if (kernel.usesSubGroups) makeSubGroups(function, environment.functions, tile);
  }
  llvm::FunctionPassManager finish;
  if (packets && optimise && options.packetLanes == 1) finish.addPass(llvm::ScalarizerPass());
  finish.addPass(LowerUnsharedAtomicsPass(shape.privateReductions));
  finish.addPass(ExpandCollectivesPass({.vectorBits = target.vectorBits, .reassociate = options.unsafeMath || options.fastRelaxedMath}));
  finish.run(function, environment.functions);
  return given;
}

/// What packets leave to be done, in half the time that LLVM's own pipeline takes: control flow, addresses and loops are made by rule, and
/// nothing is left to inline or to put into vectors.
///
/// A kernel with hundreds of barriers has thousands of loops: then without what takes time by the square of their number.
std::string afterPackets(bool manyLoops) {
  const auto unlessMany = [manyLoops](const char* passes) { return manyLoops ? "" : passes; };
  return fmt::format(
      "globaldce,function("
      "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,reassociate,"
      "loop-mssa(loop-instsimplify,loop-simplifycfg,loop-rotate,licm<allowspeculation>{}),"
      "simplifycfg,{}"
      "sroa<modify-cfg>,gvn,instcombine<no-verify-fixpoint>,adce,dse,loop-mssa(licm<allowspeculation>),simplifycfg,vector-combine,"
      "{}instcombine<no-verify-fixpoint>,{}early-cse<memssa>,simplifycfg)",
      unlessMany(",simple-loop-unswitch<no-nontrivial;trivial>"),
      unlessMany("instcombine<no-verify-fixpoint>,loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),"), unlessMany("loop-unroll<O3>,"),
      unlessMany("loop-mssa(licm<allowspeculation>),"));
}

constexpr std::size_t mostLoops = 250;

std::size_t loopsIn(llvm::Module& module) {
  std::size_t loops = 0;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::DominatorTree dominators(function);
    loops += llvm::LoopInfo(dominators).getLoopsInPreorder().size();
  }
  return loops;
}

/// LLVM's part. Its vectorisers are for what has no packets, with what the loops say about independence.
void optimise(llvm::Module& module, llvm::TargetMachine& machine, Effort effort, bool packets, bool vectorise) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = vectorise && effort == Effort::Full;
  tuning.LoopUnrolling = effort == Effort::Full;
  PassEnvironment environment(&machine, tuning);
  llvm::ModulePassManager passes;
  switch (effort) {
    case Effort::Full:
      if (packets) llvm::cantFail(environment.builder.parsePassPipeline(passes, afterPackets(loopsIn(module) > mostLoops)));
      else passes = environment.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
      break;
    case Effort::Light: passes = environment.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1); break;
    case Effort::Least: passes = environment.builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0); break;
  }
  llvm::FunctionPassManager last;
  last.addPass(NarrowProductsPass());
  if (effort != Effort::Least) {
    last.addPass(SingleLaneStoresPass());
    last.addPass(SignedConversionsPass());
    if (packets && effort == Effort::Full) last.addPass(PrefetchStridesPass());
  }
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(last)));
  passes.run(module, environment.modules);
}

/// Half and rounding to integral values become what the processor has; what that does again and again is done once.
void lowerToProcessor(llvm::Module& module, llvm::TargetMachine& machine, const VectorTarget& processor, Effort effort) {
  PassEnvironment environment(&machine);
  llvm::FunctionPassManager again;
  again.addPass(llvm::EarlyCSEPass());
  again.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    bool changed = !LowerHalfPass(processor.half).run(function, environment.functions).areAllPreserved();
    if (!processor.rounds) changed |= !LowerRoundingPass().run(function, environment.functions).areAllPreserved();
    if (changed && effort == Effort::Full) again.run(function, environment.functions);
  }
}

std::uint64_t codeSize(const llvm::Module& module, const VectorTarget& target) {
  std::uint64_t size = 0;
  for (const llvm::Function& function : module) size += codeSize(function, target);
  return size;
}

}  // namespace

namespace {

/// "16 x 16" for 16, 16, 1.
std::string sizeText(const std::array<std::uint32_t, 3>& size) {
  std::string text = std::to_string(size[0]);
  for (unsigned d = 1; d < 3; ++d)
    if (size[d] > 1 || (d == 1 && size[2] > 1)) text += fmt::format(" x {}", size[d]);
  return text;
}

}  // namespace

std::string reportOn(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options, const Target& target,
                     llvm::TargetMachine& machine) {
  llvm::Function& function = *module.getFunction(kernel.name);
  askForRemarks(function);
  const llvm::DISubprogram* place = function.getSubprogram();
  PacketReport report;
  if (place && place->getFile()) report.source = place->getFile()->getSource().value_or("");
  const std::string given = toWorkGroup(module, kernel, shape, options, target, machine, &report);
  std::string text = place ? fmt::format("kernel '{}' in line {}: ", kernel.name, place->getLine()) : fmt::format("kernel '{}': ", kernel.name);
  if (kernel.groupAgnostic) text += "sees no work-groups, so that neighbouring ones run as one";
  else if (function.hasFnAttribute(mergedGroupsAttribute)) text += "work-groups of this size run as one with their neighbours";
  else if (shape.local[0]) text += "work-groups of " + sizeText(shape.local);
  else text += "work-groups of any size; with a size given (--local, -cl-clarity-report=64) more is known";
  std::uint64_t kept = 0;
  function.getFnAttribute(spillBytesAttribute).getValueAsString().getAsInteger(10, kept);
  if (kept) text += fmt::format("; {} bytes of every work-item are kept across barriers", kept);
  text += "\n" + given;
  for (const Remark& remark : remarksIn(function)) text += remark.line ? fmt::format("  line {}: {}\n", remark.line, remark.text) : fmt::format("  {}\n", remark.text);
  if (report.regions.empty() && given.empty()) return text + "  one work-item at a time, as the options ask\n";
  return text + textOf(report);
}

std::string remarksOn(const llvm::Module& module, const KernelInfo& kernel, const Options& options, const Target& target) {
  const llvm::Function& function = *module.getFunction(kernel.name);
  if (options.optDisable || options.packetLanes == 1 || (!options.compileBudget && function.getInstructionCount() < leastRemarkable)) return {};
  const auto machine = machineFor(target, true);
  llvm::ValueToValueMapTy map;
  const std::unique_ptr<llvm::Module> copy =
      llvm::CloneModule(module, map, [&](const llvm::GlobalValue* value) { return value == &function || value->hasLocalLinkage(); });
  Shape shape;
  if (!kernel.groupAgnostic) shape.local = kernel.requiredLocalSize;
  return toWorkGroup(*copy, kernel, shape, options, target, *machine, nullptr);
}

NativeFacts toNativeIR(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options, const Target& target,
                       llvm::TargetMachine& machine) {
  const bool optimised = !options.optDisable;
  const bool packets = optimised && options.packetLanes != 1;
  NativeFacts facts;
  facts.groupAgnostic = kernel.groupAgnostic;
  facts.remarks = toWorkGroup(module, kernel, shape, options, target, machine, nullptr);
  llvm::Function& function = *module.getFunction(kernel.name);
  function.getFnAttribute(spillBytesAttribute).getValueAsString().getAsInteger(10, facts.spillBytesPerItem);
  if (function.hasFnAttribute(chunksAttribute)) facts.chunkItems = maxChunkItems;
  facts.interleavedGroups = interleavedGroups(function);
  for (unsigned d = 0; d < 3; ++d) function.getFnAttribute(tileAttributes[d]).getValueAsString().getAsInteger(10, facts.tile[d]);
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (primitiveOf(instruction) == Primitive::SubGroup) {
      facts.error = fmt::format("kernel '{}' calls sub-group functions beside code that cannot run in packets, such as inline assembly", kernel.name);
      return facts;
    }

  const bool merged = function.hasFnAttribute(mergedGroupsAttribute);
  const bool madePackets = packets && !function.hasFnAttribute(scalarRegionsAttribute);

  // 4. From the group to the slice that the device asks for.
  PassEnvironment environment(&machine);
  llvm::ModulePassManager entry;
  entry.addPass(MakeEntryPass({kernel.name, kernel.args, entrySymbol, kernel.groupAgnostic || merged, shape.wideIds}));
  if (kernel.usesSubGroups) entry.addPass(OutlineSubGroupsPass());
  entry.addPass(llvm::VerifierPass());  // a mistake of ours must end in an error, not in wrong code
  entry.run(module, environment.modules);

  // 5. LLVM, as much of it as code of this size allows.
  const Budget budget(options.compileBudget);
  const VectorTarget vectors = vectorTargetOf(target, machine);
  const Effort effort = optimised ? budget.effortFor(codeSize(module, vectors)) : Effort::Least;
  optimise(module, machine, effort, madePackets, !madePackets && options.packetLanes != 1);
  lowerToProcessor(module, machine, vectors, effort);
  switch (optimised ? std::max(effort, budget.effortFor(codeSize(module, vectors))) : Effort::Least) {
    case Effort::Full: break;
    case Effort::Light: machine.setOptLevel(llvm::CodeGenOptLevel::Less); break;
    case Effort::Least: machine.setOptLevel(llvm::CodeGenOptLevel::None); break;
  }
  return facts;
}

}  // namespace clarity::compiler
