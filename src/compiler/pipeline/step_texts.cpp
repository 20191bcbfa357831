// SPDX-License-Identifier: Apache-2.0
// This file says in one line each what the conditions of the pipelines mean and what their steps do.
#include "compiler/pipeline/description.h"

#include <algorithm>
#include <iterator>

namespace clarity::compiler {
namespace {

constexpr ConditionText conditions[] = {
    {Optimising, "optimising", "without -cl-opt-disable"},
    {InPackets, "in packets", "sub-groups; or optimising, any order and not width 1"},
    {WidthOne, "width 1", "with -cl-clarity-packet-width=1 or -cl-clarity-disable=packets"},
    {Barriers, "barriers", "the kernel has a barrier"},
    {SubGroups, "sub-groups", "the kernel calls sub-group functions, or keep-in-step makes it run in sub-groups"},
    {NarrowIds, "narrow ids", "global ids of the launch are below 2^30 (kernel_abi.h); GPUs: below 2^31 - 2^16"},
    {GroupsVisible, "groups visible", "the kernel is not group-agnostic"},
    {GroupsTogether, "groups together", "work-groups do not wait for each other (find-waits)"},
    {LevelO3, "level O3", "at most 60,000 instructions (cost_model.h: budget::light); GPUs: optimising"},
    {LevelO1, "level O1",
     "at most 150,000 instructions, but not level O3 (cost_model.h: budget::least); GPUs: not optimising"},
    {LevelO0, "level O0", "the code has more than 150,000 instructions, or with -cl-opt-disable"},
    {FewLoops, "few loops", "loops times instructions are at most 150,000"},
    {FullCode, "full code", "not the quick code that the first launch of a shape may get"},
    {ShortPipeline, "short pipeline", "every region runs in packets, the code is quick code, or not few loops"},
    {WholePipeline, "whole pipeline", "not short pipeline"},
    {NoRounding, "no rounding", "no instruction rounds to integral values (before SSE4.1)"},
    {AnyOrder, "any order", "work-items may run in any order: the code is not instrumented code"},
    {ChecksBounds, "bounds", "the code is bounds-checked code (CLARITY_CHECK=bounds)"},
    {DistinctBuffers, "distinct buffers", "no buffer of the launch that the kernel may write overlaps another one"},
    {KnownArguments, "known arguments", "the shape has values of arguments (annotate(\"clarity_constant\"))"},
    {SeveralItems, "several items", "a thread may execute several work-items (choose-items)"},
    {Coarsened, "coarsened", "a thread executes several work-items (plan-items)"},
    {GroupsAsOne, "groups as one", "a block executes several work-groups in step (plan-items)"},
    {GroupsInWarps, "groups in warps", "a warp executes a work-group (plan-items)"},
    {CountsInBlocks, "counts in blocks", "blocks count in shared memory (plan-items)"},
    {DotInstructions, "dot instructions",
     "the GPU has an instruction for four products of bytes and their sum (compute capability 6.1)"},
    {CopyInstructions, "copy instructions", "the GPU has instructions that copy from global to shared memory (8.0)"},
    {ThreadsJoined, "threads joined", "threads of a warp do not progress independently (before 7.0)"},
    {NoHalves, "no halves", "the GPU has no half arithmetic (before 5.3)"},
    {OneItem, "one item", "each thread of the launch executes one work-item (7.0 and later)"},
    {CallsInlined, "calls inlined", "inline-calls has marked functions"},
    {FunctionsCalled, "functions called", "find-calls has found calls of functions that are not part of their kernel"},
    {Instrumented, "instrumented", "the code is instrumented code, for checks and profiles"},
    {Debugged, "debugged", "the code is debugged code: each call executes one work-item"},
    {NotDebugged, "not debugged", "the code is not debugged code"},
    {Changed, "changed", "an earlier step of the stage changed the function"},
    {Unrolled, "unrolled", "the last step that unrolls loops has unrolled a loop of the function"},
};

struct StepText {
  std::string_view name, text;
};
constexpr StepText texts[] = {
    // The project's own.
    {"specialize-images", "make known formats and samplers constants, and inline image functions"},
    {"specialize-shape", "make a known work-group size a constant"},
    {"specialize-arguments", "make known values of arguments constants"},
#define CLARITY_FUNCTION_PASS(NAME, CREATE, TEXT) {NAME, TEXT},
#define CLARITY_MODULE_PASS(NAME, CREATE, TEXT) {NAME, TEXT},
#include "compiler/pipeline/passes.def"
#define CLARITY_MODULE_STEP(NAME, FUNCTION, TEXT) {NAME, TEXT},
#define CLARITY_KERNEL_STEP(NAME, FUNCTION, TEXT) {NAME, TEXT},
#include "compiler/pipeline/steps.def"
    // LLVM's.
    {"adce", "LLVM: delete dead code"},
    {"always-inline", "LLVM: inline what must be part of its kernel"},
    {"default", "LLVM: its own pipeline for O0, O1 or O3"},
    {"early-cse", "LLVM: delete repeated computations"},
    {"fix-irreducible", "LLVM: loops with several entries become loops with one"},
    {"globaldce", "LLVM: delete unused functions and variables"},
    {"indvars", "LLVM: simplify the counters of loops"},
    {"inline", "LLVM: inline functions, where that pays"},
    {"instcombine", "LLVM: simplify instructions"},
    {"lcssa", "LLVM: loop-closed SSA form"},
    {"licm", "LLVM: move invariant code out of loops"},
    {"loop-rotate", "LLVM: test a loop's condition at its end"},
    {"loop-simplify", "LLVM: loops in simplified form"},
    {"loop-unroll", "LLVM: unroll loops"},
    {"mergereturn", "LLVM: functions with one return"},
    {"loop-unroll-full", "LLVM: unroll short loops of known trip count completely"},
    {"lower-expect", "LLVM: __builtin_expect becomes weights of branches"},
    {"lower-switch", "LLVM: a switch becomes branches"},
    {"reassociate", "LLVM: order sums and products"},
    {"sccp", "LLVM: propagate constants"},
    {"scalarizer", "LLVM: scalarise vectors of the program"},
    {"simplifycfg", "LLVM: simplify branches"},
    {"sroa", "LLVM: split private variables and put them into SSA form"},
    {"vector-combine", "LLVM: simplify vector instructions by their cost"},
    {"verify", "LLVM: check that the IR is well-formed"},
};

}  // namespace

std::span<const ConditionText> conditionTexts() { return conditions; }

std::string_view textOf(std::string_view name) {
  const auto* found = std::ranges::find(texts, name, &StepText::name);
  return found == std::end(texts) ? std::string_view() : found->text;
}

}  // namespace clarity::compiler
