// SPDX-License-Identifier: Apache-2.0
// This file describes the pipeline. Read kernelStages and nativeStages from top to bottom; their steps stand above
// them.
#include "compiler/pipeline/description.h"

#include "compiler/pass_names.h"

#include <algorithm>

namespace clarity::compiler {
namespace {

constexpr Scope module = Scope::Module, functions = Scope::Functions, kernel = Scope::Kernel;
constexpr Scope loops = Scope::Loops, memoryLoops = Scope::LoopsWithMemorySsa;
constexpr Need required = Need::Required, optional = Need::Optional;

constexpr std::string_view combine = "instcombine<no-verify-fixpoint>";
constexpr std::string_view hoist = "licm<allowspeculation>";

// --- portable IR to kernel IR ---------------------------------------------------------------------------------------

constexpr PipelineStep link[] = {
    {"lower-printf", module, required},
    {"collect-constructors", module, required},
    {"lower-images", module, required},
    {"link-builtins", module, required},
    {"check-undefined", module, required},
};

constexpr PipelineStep retarget[] = {
    {"retarget", module, required},
    {"settle-arithmetic", functions, required},
    {"declare-primitives", module, required},
    {"place-global-variables", module, required},
    {"internalize-program", module, required},
    {"rename-functions", module, required},
    {"lay-out-arguments", module, required},
    {"choose-sub-group-size", module, required},
};

constexpr PipelineStep instrument[] = {
    {"instrument", module, required},
};

constexpr PipelineStep joinFunctions[] = {
    {"initialize-variables", functions, required},
    {"guard-division", functions, required},  // ahead of all that may simplify a division
    {"prepare-inlining", module, required},
    {"check-inlining", module, required},
    {"always-inline", module, required},
    {"pass-ids", module, required},
    {"globaldce", module, required},
    {"initialize-local-memory", functions, required},
    {"sub-group-size", functions, required},
    {"copy-byval-arguments", functions, required},
};

constexpr PipelineStep simplify[] = {
    {"sroa<modify-cfg>", functions, required},
    {"early-cse<memssa>", functions, optional},
    {"simplifycfg", functions, optional},
    {combine, functions, optional},
    {"resolve-generic-pointers", functions, optional},
    {"inline", module, optional, Optimise},
    {"sroa<modify-cfg>", functions, optional, Optimise},
    {"resolve-generic-pointers", functions, optional, Optimise},  // of functions that take generic pointers
    {"early-cse<memssa>", functions, optional, Optimise},
    {"simplifycfg", functions, optional, Optimise},
    {combine, functions, optional, Optimise},
    {"sccp", functions, optional, Optimise},
    {"adce", functions, optional, Optimise},
    {"globaldce", module, required},
    {"find-facts", module, required},
};

constexpr PipelineStage kernelStages[] = {
    {"link", "one module with the program and the builtin functions that it uses", link},
    {"retarget", "from spir64 to the processor; where arguments and global variables lie", retarget},
    {"instrument", "instrumentation passes run here: functions and variables are still those of the source",
     instrument},
    {"join functions", "what depends on the work-item becomes part of its kernel", joinFunctions},
    {"simplify", "SSA form, and what the compiled program says of each kernel", simplify},
};

// --- kernel IR to native IR -----------------------------------------------------------------------------------------

constexpr PipelineStep workItem[] = {
    {"internalize-kernel", module, required},
    {"globaldce", module, required},
    {"specialize-images", module, optional, Optimise},
    {"specialize-shape", kernel, required},
    {"sccp", kernel, optional, Optimise},
    {"simplifycfg", kernel, optional, Optimise},
    {combine, kernel, optional, Optimise},
    {"loop-simplify", kernel, required, Optimise | Barriers},
    {"unroll-barrier-loops", kernel, optional, Optimise | Barriers},
    {"simplifycfg", kernel, optional, Optimise | Barriers},
    {combine, kernel, optional, Optimise | Barriers},
    {"unroll-private-loops", kernel, optional, Optimise},
    {"guard-division", kernel, required},  // conditions of the program guard no lanes
    {"lower-saturating-conversions", kernel, required},
    {"lower-local-memory", kernel, required},
    {"split-structures", kernel, required},
    {"merge-groups", kernel, optional, Packets | GroupsVisible | NarrowIds | AnyOrder},
    {"loop-simplify", kernel, required, Packets | Optimise | NarrowIds},
    {"interchange-loops", kernel, optional, Packets | Optimise | NarrowIds | AnyOrder},
    {"interleave-groups", kernel, optional, Packets | Optimise | NarrowIds | AnyOrder},
    {"mark-waiting-loops", kernel, required, SubGroups},
};

constexpr PipelineStep workGroup[] = {
    {"lower-collectives", kernel, required},
    {"prepare-barriers", kernel, required},
    {"save-live-values", kernel, required},
    {"narrow-indices", kernel, optional, Packets | NarrowIds},  // strides choose the dimension of the lanes
    {"work-item-loops", kernel, required},
};

constexpr PipelineStep packets[] = {
    {"split-bitcasts", kernel, required, Packets},
    {"scalarizer<load-store>", kernel, required, Packets},
    {"narrow-indices", kernel, optional, Packets},
    {"fold-guards", kernel, optional, Packets},
    {"lower-switch", kernel, required, Packets},
    {"fix-irreducible", kernel, required, Packets},
    {"loop-simplify", kernel, required, Packets},
    {"split-interior", kernel, optional, Packets | Optimise | AnyOrder},
    {"version-blocks", kernel, optional, Packets | Optimise | AnyOrder},
    {"loop-simplify", kernel, required, Packets | Optimise},
    {"unroll-row-loops", kernel, optional, Packets | Optimise | AnyOrder},
    {"lcssa", kernel, required, Packets},
    {"packets", kernel, optional, Packets | AnyOrder},
    {"sub-group-packets", kernel, required, Packets | SubGroups},
    {"scalarizer", kernel, optional, Packets | Optimise | SingleItems},
    {"lower-unshared-atomics", kernel, optional, AnyOrder},
    {"expand-collectives", kernel, required},
    {"note-facts", module, required},
    {"check-sub-groups", module, required},
};

constexpr PipelineStep entry[] = {
    {"make-entry", module, required},
    {"outline-sub-groups", module, required, SubGroups},
    {"verify", module, required},  // a mistake of ours must end in an error, not in wrong code
};

// What packets leave to be done, in half the time that LLVM's own pipeline takes: control flow, addresses and loops are
// generated by rule, and nothing is left to inline or to vectorise. A kernel with hundreds of barriers has thousands of
// loops: then, and whatever the kernel runs in, without the passes whose time grows by the square of their number.
constexpr Conditions packetCode = FullEffort | ShortPipeline;
constexpr PipelineStep optimise[] = {
    {"choose-effort", module, required},
    {"default<O0>", module, required, LeastEffort},
    {"default<O1>", module, optional, LightEffort},
    {"default<O3>", module, optional, FullEffort | WholePipeline},
    {"globaldce", module, optional, packetCode},
    {"sroa<modify-cfg>", functions, optional, packetCode},
    {"early-cse<memssa>", functions, optional, packetCode},
    {"simplifycfg", functions, optional, packetCode},
    {combine, functions, optional, packetCode},
    {"reassociate", functions, optional, packetCode},
    {"loop-instsimplify", memoryLoops, optional, packetCode},
    {"loop-simplifycfg", memoryLoops, optional, packetCode},
    {"loop-rotate", memoryLoops, optional, packetCode | FewLoops},
    {hoist, memoryLoops, optional, packetCode},
    {"simple-loop-unswitch<no-nontrivial;trivial>", memoryLoops, optional, packetCode | FewLoops},
    {"simplifycfg", functions, optional, packetCode},
    {combine, functions, optional, packetCode | FewLoops},
    {"loop-idiom", loops, optional, packetCode | FewLoops},
    {"indvars", loops, optional, packetCode | FewLoops},
    {"loop-deletion", loops, optional, packetCode | FewLoops},
    {"loop-unroll-full", loops, optional, packetCode | FewLoops},
    {"sroa<modify-cfg>", functions, optional, packetCode},
    {"gvn", functions, optional, packetCode},
    {combine, functions, optional, packetCode},
    {"adce", functions, optional, packetCode},
    {"dse", functions, optional, packetCode},
    {hoist, memoryLoops, optional, packetCode},
    {"simplifycfg", functions, optional, packetCode},
    {"vector-combine", functions, optional, packetCode},
    {"loop-unroll<O3>", functions, optional, packetCode | FewLoops},
    {combine, functions, optional, packetCode},
    {hoist, memoryLoops, optional, packetCode | FewLoops},
    {"early-cse<memssa>", functions, optional, packetCode},
    {"simplifycfg", functions, optional, packetCode},
    {"narrow-products", functions, required},
    {"single-lane-stores", functions, required},
    {"prefetch-strides", functions, optional, packetCode},
};

constexpr PipelineStep processor[] = {
    {"lower-half", functions, required},
    {"lower-rounding", functions, required, NoRounding},
    {"early-cse", functions, optional, FullEffort | Changed},
    {hoist, memoryLoops, optional, FullEffort | Changed},
    {"choose-code-generator", module, required},
};

constexpr PipelineStage nativeStages[] = {
    {"work-item", "one kernel alone, its work-group size known where the shape is exact", workItem},
    {"work-group", "cut at barriers, carry values across them, loop over work-items", workGroup},
    {"packets", "neighbouring work-items into vector lanes", packets},
    {"entry", "from the work-group to the slice that the device runs", entry, true},
    {"optimise", "LLVM's passes, as many as the budget allows", optimise, true},
    {"processor", "what the processor has no instructions for", processor, true},
};

// --- texts ----------------------------------------------------------------------------------------------------------

constexpr ConditionText conditions[] = {
    {Optimise, "optimise", "without -cl-opt-disable"},
    {Packets, "packets", "work-items run in packets; sub-groups always do"},
    {SingleItems, "single items", "-cl-clarity-packet-width=1"},
    {Barriers, "barriers", "the kernel has a barrier"},
    {SubGroups, "sub-groups", "the kernel calls sub-group functions"},
    {NarrowIds, "narrow ids", "global ids of the launch are below 2^31"},
    {GroupsVisible, "groups visible", "the kernel is not group-agnostic"},
    {FullEffort, "full effort", "the code is within the budget (budget.h)"},
    {LightEffort, "light effort", "the code is larger than that"},
    {LeastEffort, "least effort", "the code is larger still, or -cl-opt-disable"},
    {AllInPackets, "all in packets", "every region runs in packets"},
    {SomeScalar, "some scalar", "some region runs one work-item at a time"},
    {FewLoops, "few loops", "loops times instructions are at most 150,000"},
    {ShortPipeline, "short pipeline", "every region runs in packets, or the loops are too many"},
    {WholePipeline, "whole pipeline", "few loops, and some region runs one work-item at a time"},
    {NoRounding, "no rounding", "no instruction rounds to integral values (before SSE4.1)"},
    {AnyOrder, "any order", "the code is not instrumented: work-items may run in any order"},
    {Changed, "changed", "an earlier step of the stage changed the function"},
};

struct StepText {
  std::string_view name, text;
};
constexpr StepText texts[] = {
#define CLARITY_FUNCTION_PASS(NAME, CREATE, TEXT) {NAME, TEXT},
#define CLARITY_MODULE_PASS(NAME, CREATE, TEXT) {NAME, TEXT},
#include "compiler/passes.def"
#define CLARITY_MODULE_STEP(NAME, FUNCTION, TEXT) {NAME, TEXT},
#define CLARITY_KERNEL_STEP(NAME, FUNCTION, TEXT) {NAME, TEXT},
#include "compiler/pipeline/steps.def"
    {"adce", "LLVM: delete dead code"},
    {"always-inline", "LLVM: inline what must be part of its kernel"},
    {"default", "LLVM: its own pipeline for O0, O1 or O3"},
    {"dse", "LLVM: delete dead stores"},
    {"early-cse", "LLVM: delete repeated computations"},
    {"fix-irreducible", "LLVM: loops with several entries become loops with one"},
    {"globaldce", "LLVM: delete unused functions and variables"},
    {"gvn", "LLVM: delete redundant computations and loads"},
    {"indvars", "LLVM: simplify the counters of loops"},
    {"inline", "LLVM: inline functions, where that pays"},
    {"instcombine", "LLVM: simplify instructions"},
    {"lcssa", "LLVM: loop-closed SSA form"},
    {"licm", "LLVM: move invariant code out of loops"},
    {"loop-deletion", "LLVM: delete loops without effect"},
    {"loop-idiom", "LLVM: recognise memset and memcpy"},
    {"loop-instsimplify", "LLVM: simplify instructions in loops"},
    {"loop-rotate", "LLVM: test a loop's condition at its end"},
    {"loop-simplify", "LLVM: loops in simplified form"},
    {"loop-simplifycfg", "LLVM: simplify branches in loops"},
    {"loop-unroll", "LLVM: unroll loops"},
    {"loop-unroll-full", "LLVM: unroll short loops of known trip count completely"},
    {"lower-switch", "LLVM: a switch becomes branches"},
    {"reassociate", "LLVM: order sums and products"},
    {"sccp", "LLVM: propagate constants"},
    {"scalarizer", "LLVM: scalarise vectors of the program"},
    {"simple-loop-unswitch", "LLVM: move invariant conditions out of loops, where no code is copied"},
    {"simplifycfg", "LLVM: simplify branches"},
    {"specialize-images", "make known formats and samplers constants, and inline the functions of images"},
    {"specialize-shape", "make a known work-group size a constant"},
    {"sroa", "LLVM: split private variables and put them into SSA form"},
    {"vector-combine", "LLVM: simplify vector instructions by their cost"},
    {"verify", "LLVM: check that the IR is well-formed"},
};

std::vector<std::string_view> namesOf(bool onlyOptional) {
  std::vector<std::string_view> names;
  for (const std::span<const PipelineStage> pipeline : {kernelPipeline(), nativePipeline()})
    for (const PipelineStage& stage : pipeline)
      for (const PipelineStep& step : stage.steps)
        if (!onlyOptional || step.need == Need::Optional) names.push_back(step.name());
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

}  // namespace

std::span<const PipelineStage> kernelPipeline() { return kernelStages; }
std::span<const PipelineStage> nativePipeline() { return nativeStages; }
std::span<const ConditionText> conditionTexts() { return conditions; }

std::string_view textOf(std::string_view name) {
  const auto* found = std::ranges::find(texts, name, &StepText::name);
  return found == std::end(texts) ? std::string_view() : found->text;
}

std::vector<std::string_view> stepNames() { return namesOf(false); }
std::vector<std::string_view> optionalSteps() {
  std::vector<std::string_view> names = namesOf(true);
  for (const std::string_view name : {"coarsen", "unroll-loads"}) names.push_back(name);  // of nvptx/
  std::ranges::sort(names);
  return names;
}

}  // namespace clarity::compiler
