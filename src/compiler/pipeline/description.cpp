// SPDX-License-Identifier: Apache-2.0
// This file describes the pipelines. Read kernelStages, nativeStages and nvptxStages; their steps stand above them.
#include "compiler/pipeline/description.h"

namespace clarity::compiler {
namespace {

constexpr Scope module = Scope::Module, functions = Scope::Functions, kernel = Scope::Kernel;
constexpr Scope loops = Scope::Loops, memoryLoops = Scope::LoopsWithMemorySsa;
constexpr Need required = Need::Required, optional = Need::Optional;

constexpr std::string_view combine = "instcombine<no-verify-fixpoint>";
constexpr std::string_view hoist = "licm<allowspeculation>";
constexpr std::string_view indvars = "indvars<but-around-tiles>";  // create_pass.cpp

// --- portable IR to kernel IR ---------------------------------------------------------------------------------------

constexpr PipelineStep link[] = {
    {"component-accesses", functions, required},  // of the front end's code as it is
    {"component-loads", functions, required, Instrumented},
    {"take-declared-builtins", module, required},
    {"lower-printf", module, required},
    {"number-blocks", module, required},
    {"collect-constructors", module, required},
    {"lower-function-pointers", module, required},
    {"lower-images", module, required},
    {"lower-math-intrinsics", module, required},
    {"expand-powers", functions, optional, Optimising},
    {"link-builtins", module, required},
    {"check-undefined", module, required},
};

constexpr PipelineStep retarget[] = {
    {"retarget", module, required},
    {"lower-fmuladd", functions, required},
    {"lower-atomic-orders", module, required},
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
    {"guard-division", functions, required},  // before all that may simplify a division
    {"keep-functions", module, required, Debugged},
    {"prepare-inlining", module, required, NotDebugged},
    {"check-inlining", module, required, NotDebugged},
    {"always-inline", module, required},
    {"pass-ids", module, required, NotDebugged},
    {"globaldce", module, required},
    {"initialize-local-memory", functions, required},
    {"sub-group-size", functions, required},
    {"copy-byval-arguments", functions, required},
};

constexpr PipelineStep simplify[] = {
    {"sroa<modify-cfg>", functions, required, NotDebugged},
    {"lower-expect", functions, required},  // before packets, which have no vector form of it
    {"narrow-loads", functions, optional, Optimising},
    {"thread-jumps", functions, optional, Optimising},
    {"early-cse<memssa>", functions, optional, NotDebugged},
    {"simplifycfg", functions, optional, NotDebugged},
    {combine, functions, optional, NotDebugged},
    {"resolve-generic-pointers", functions, optional, NotDebugged},
    {"find-calls", module, required, Optimising},
    {"inline", module, optional, Optimising | FunctionsCalled},
    {"resolve-generic-pointers", functions, optional,
     Optimising | FunctionsCalled},  // of functions that take generic pointers
    {"sroa<modify-cfg>", functions, optional, Optimising | FunctionsCalled},
    {"thread-jumps", functions, optional, Optimising | FunctionsCalled},  // of functions that return from within scopes
    {"early-cse<memssa>", functions, optional, Optimising},  // of what instcombine made twice
    {"simplifycfg", functions, optional, Optimising | FunctionsCalled},
    {combine, functions, optional, Optimising | FunctionsCalled},
    {"count-bits", functions, optional, Optimising},
    {"join-stores", functions, optional, Optimising},
    {"globaldce", module, required},
    {"find-facts", module, required},
    {"estimate-work", module, optional, Optimising},
};

constexpr PipelineStage kernelStages[] = {
    {"link", "one module with the program and the builtin functions that it uses", link},
    {"retarget", "from spir64 to the processor; the places of arguments and global variables", retarget},
    {"instrument", "instrumentation passes run here: nothing is inlined or optimised, variables are in memory",
     instrument},
    {"join functions", "functions that depend on the work-item become part of its kernel", joinFunctions},
    {"simplify", "SSA form, and the facts about each kernel in the compiled program", simplify},
};

// --- kernel IR to native IR -----------------------------------------------------------------------------------------

constexpr PipelineStep workItem[] = {
    {"internalize-kernel", module, required},
    {"globaldce", module, required},
    {"specialize-arguments", kernel, optional, Optimising | KnownArguments},
    {"specialize-images", module, optional, Optimising},
    {"inline-calls", module, optional, InPackets | Optimising | FullCode},
    {"always-inline", module, required, CallsInlined},
    {"sroa<modify-cfg>", functions, required, CallsInlined},
    {"resolve-generic-pointers", functions, required, CallsInlined},
    {"early-cse<memssa>", functions, required, CallsInlined},
    {"simplifycfg", functions, required, CallsInlined},
    {combine, functions, required, CallsInlined},
    {"globaldce", module, required, CallsInlined},
    {"specialize-shape", kernel, required, NotDebugged},
    {"find-waits", module, required},
    {"keep-in-step", module, optional, AnyOrder},
    {"sccp", kernel, optional, Optimising},
    {"simplifycfg", kernel, optional, Optimising},
    {combine, kernel, optional, Optimising},
    {"distinct-buffers", kernel, optional, Optimising | DistinctBuffers},
    {"loop-simplify", kernel, required, Optimising},
    {"promote-in-loops", kernel, optional, Optimising | DistinctBuffers},
    {"end-repetitions", kernel, optional, Optimising},
    {"loop-simplify", kernel, required, Optimising | Barriers},
    {"unroll-barrier-loops", kernel, optional, Optimising | Barriers | FullCode},
    {"simplifycfg", kernel, optional, Optimising | Barriers | FullCode},
    {combine, kernel, optional, Optimising | Barriers | FullCode},
    {"unroll-private-loops", kernel, optional, Optimising},
    {"promote-in-loops<private>", kernel, optional, Optimising},  // arrays that stay in memory
    {"check-bounds", kernel, required, ChecksBounds},  // of accesses that are left, while it is seen what they are in
    {"loop-simplify", kernel, required, Optimising | ChecksBounds},
    {"hoist-bounds-checks", kernel, optional, Optimising | ChecksBounds},
    {"select-elements", kernel, optional, InPackets | Optimising},  // indices outside an array have been checked
    {"split-copies", kernel, optional, InPackets | Optimising},
    {"sroa", kernel, optional, InPackets | Optimising},  // copies whose members are now values
    {"relax-alignment", functions, required},
    {"guard-division", kernel, required,
     NotDebugged},  // again: lanes execute divisions that a condition of the source excludes
    {"lower-saturating-conversions", kernel, required, NotDebugged},
    {"lower-saturating-conversions", functions, required, Debugged},
    {"lower-local-memory", kernel, required},
    {"split-structures", kernel, required, NotDebugged},
    {"loop-simplify", kernel, required, InPackets | Optimising | NarrowIds},
    {"count-from-zero", kernel, optional, InPackets | Optimising | NarrowIds},
    {"merge-groups", kernel, optional, InPackets | GroupsVisible | NarrowIds | AnyOrder | GroupsTogether},
    {"interchange-loops", kernel, optional, InPackets | Optimising | NarrowIds | AnyOrder | FullCode | GroupsTogether},
    {"strip-mine", kernel, optional, InPackets | Optimising | NarrowIds | AnyOrder | GroupsTogether},
    {"interleave-groups", kernel, optional, InPackets | Optimising | NarrowIds | AnyOrder | FullCode | GroupsTogether},
    {"mark-waiting-loops", kernel, required, SubGroups | NotDebugged},
};

constexpr PipelineStep workGroup[] = {
    {"compare-cases", kernel, optional, InPackets},  // where edges are still whole
    {"lower-collectives", kernel, required, NotDebugged},
    {"lower-collectives", functions, required, Debugged},
    {"call-runtime", module, required, Debugged},
    {"drop-events", functions, required, Debugged},
    {"separate-progress", kernel, optional, InPackets | Optimising | Barriers},
    {"prepare-barriers", kernel, required, NotDebugged},
    {"save-live-values", kernel, required, NotDebugged},
    {"narrow-indices", kernel, optional, InPackets | NarrowIds},  // strides choose the dimension of the lanes
    {"work-item-loops", kernel, required, NotDebugged},
};

constexpr PipelineStep packets[] = {
    {"split-bitcasts", kernel, required, InPackets},
    {"split-volatile", kernel, required, InPackets},
    {"split-vectors", kernel, required, InPackets},
    {"narrow-indices", kernel, optional, InPackets},
    {"fold-guards", kernel, optional, InPackets},
    {"lower-switch", kernel, required, InPackets},
    {"narrow-arithmetic", kernel, optional, InPackets | Optimising},
    {"fix-irreducible", kernel, required, InPackets},
    {"loop-simplify", kernel, required, InPackets},
    {"version-strides", kernel, optional, InPackets | Optimising | AnyOrder | FullCode},
    {"split-interior", kernel, optional, InPackets | Optimising | AnyOrder | FullCode},
    {"version-blocks", kernel, optional, InPackets | Optimising | AnyOrder | FullCode},
    {"loop-simplify", kernel, required, InPackets | Optimising},
    {"copy-panels", kernel, optional, InPackets | Optimising | AnyOrder | FullCode},
    {"unroll-row-loops", kernel, optional, InPackets | Optimising | AnyOrder | FullCode},
    {"unify-access-types", kernel, optional, InPackets | Optimising | AnyOrder},
    {"lcssa", kernel, required, InPackets},
    {"packets", kernel, optional, InPackets | AnyOrder},
    {"sub-group-packets", kernel, required, InPackets | SubGroups},
    {"scalarizer", kernel, optional, InPackets | Optimising | WidthOne},
    {"lower-unshared-atomics", kernel, optional, AnyOrder},
    {"expand-collectives", kernel, required, NotDebugged},
    {"expand-collectives", functions, required, Debugged},
    {"note-facts", module, required},
    {"check-sub-groups", module, required, NotDebugged},
};

constexpr PipelineStep entry[] = {
    {"make-entry", module, required, NotDebugged},
    {"make-item-entry", module, required, Debugged},
    {"outline-sub-groups", module, required, SubGroups | NotDebugged},
    {"verify", module, required},  // a mistake of ours must end in an error, not in wrong code
};

// The short pipeline takes half the time of LLVM's own: code of packets has nothing left to inline or to vectorise. It
// also serves kernels with thousands of loops (hundreds of barriers), in packets or not. The steps on the condition
// FewLoops are then left out, because their time grows with the square of the number of loops. Quick code gets what a
// kernel in packets needs most: its values in registers, and out of its loops what does not change in them.
constexpr Conditions packetCode = LevelO3 | ShortPipeline;
constexpr Conditions fullPacketCode = packetCode | FullCode;
constexpr PipelineStep optimise[] = {
    {"choose-level", module, required},
    {"sroa<modify-cfg>", functions, optional, LevelO3 | WholePipeline | ChecksBounds},
    {"simplifycfg", functions, optional, LevelO3 | WholePipeline | ChecksBounds},
    {combine, functions, optional, LevelO3 | WholePipeline | ChecksBounds},
    {"loop-rotate", loops, optional, LevelO3 | WholePipeline | ChecksBounds},
    {"hoist-bounds-checks", functions, optional, LevelO3 | WholePipeline | ChecksBounds},
    {"default<O0>", module, required, LevelO0},
    {"default<O1>", module, optional, LevelO1},
    {"default<O3>", module, optional, LevelO3 | WholePipeline},
    {"globaldce", module, optional, packetCode},
    {"sroa<modify-cfg>", functions, optional, packetCode},
    {"early-cse<memssa>", functions, optional, packetCode},
    {"simplifycfg", functions, optional, packetCode},
    {combine, functions, optional, packetCode},
    {"reassociate", functions, optional, fullPacketCode},
    {"loop-rotate", memoryLoops, optional, packetCode | FewLoops},
    {hoist, memoryLoops, optional, packetCode},
    {"simplifycfg", functions, optional, packetCode},
    {combine, functions, optional, fullPacketCode | FewLoops},
    {indvars, loops, optional, fullPacketCode | FewLoops},
    {"hoist-bounds-checks", functions, optional, packetCode | FewLoops | ChecksBounds},
    {"loop-unroll-full", loops, optional, fullPacketCode | FewLoops},
    {"sroa<modify-cfg>", functions, optional, fullPacketCode | Unrolled},
    {combine, functions, optional, fullPacketCode},
    {hoist, memoryLoops, optional, fullPacketCode | Unrolled},
    {"simplifycfg", functions, optional, fullPacketCode | Unrolled},
    {"vector-combine", functions, optional, fullPacketCode},
    {"loop-unroll<O3>", functions, optional, fullPacketCode | FewLoops},
    {combine, functions, optional, fullPacketCode},
    {hoist, memoryLoops, optional, fullPacketCode | FewLoops | Unrolled},
    {"early-cse<memssa>", functions, optional, fullPacketCode},
    {"simplifycfg", functions, optional, fullPacketCode},
    {"narrow-products", functions, required},
    {"single-lane-stores", functions, required},
    {"prefetch-strides", functions, optional, fullPacketCode},
    {"lower-bounds-checks", functions, required, ChecksBounds},
};

constexpr PipelineStep processor[] = {
    {"reciprocal-roots", functions, required},
    {"lower-processor-functions", functions, required},
    {"lower-half", functions, required},
    {"lower-scaling", functions, required},
    {"lower-rounding", functions, required, NoRounding},
    {"early-cse", functions, optional, LevelO3 | Changed},
    {hoist, memoryLoops, optional, LevelO3 | Changed},
    {"choose-code-generator", module, required},
    {"widen-masked-loads", functions, required},
    {"skip-idle-atomics", functions, optional, LevelO3},
    {"masked-counts", functions, optional, LevelO3},
    {"whole-stores", functions, required},
    {"whole-masks", functions, optional, LevelO3},  // last: others join integers and masks again
};

constexpr PipelineStage nativeStages[] = {
    {"work-item", "one kernel alone, its work-group size known where the shape is exact", workItem},
    {"work-group", "cut at barriers, carry values across them, loop over work-items", workGroup},
    {"vectorise", "neighbouring work-items into vector lanes", packets},
    {"entry", "from the work-group to the slice that the device runs", entry, true},
    {"LLVM", "LLVM's passes, as many as the size of the code allows", optimise, true},
    {"processor", "replace what the processor has no instructions for", processor, true},
};

// --- kernel IR to PTX -----------------------------------------------------------------------------------------------

constexpr PipelineStep alone[] = {
    {"specialize-arguments", kernel, optional, Optimising | KnownArguments},
    {"sccp", kernel, optional, Optimising | KnownArguments},
    {"simplifycfg", kernel, optional, Optimising | KnownArguments},
    {combine, kernel, optional, Optimising | KnownArguments},
    {"know-images", module, required},
    {"internalize-kernel", module, required},
    {"globaldce", module, required},
    {"inline-calls", module, optional, Optimising},
    {"always-inline", module, required, CallsInlined},
    {"sroa<modify-cfg>", functions, required, CallsInlined},
    {"resolve-generic-pointers", functions, required, CallsInlined},
    {"early-cse<memssa>", functions, required, CallsInlined},
    {"simplifycfg", functions, required, CallsInlined},
    {combine, functions, required, CallsInlined},
    {"globaldce", module, required, CallsInlined},
    {"keep-warps-in-step", module, optional},
    {"lower-local-memory", kernel, required},
    {"unroll-private-loops", kernel, optional, Optimising},  // the arrays would stay in memory
    {"select-elements<threads>", kernel, optional, Optimising},
    {"choose-components", functions, optional, Optimising},
    {"distinct-buffers<of-shape>", kernel, required},  // ahead of all that merges loads
    {"loop-simplify", kernel, required, Optimising},
    {"promote-in-loops", kernel, optional, Optimising | DistinctBuffers},
    {"end-repetitions", kernel, optional, Optimising},
    {"dot-products", functions, optional, Optimising | DotInstructions},  // of the library's functions as they are
};

constexpr PipelineStep threads[] = {
    {"choose-items", module, required},
    {"name-local-accesses", kernel, required, SeveralItems},
    {"specialize-shape", kernel, required, SeveralItems},
    {"sccp", kernel, required, SeveralItems},
    {"simplifycfg", kernel, required, SeveralItems},
    {combine, kernel, required, SeveralItems},
    {"loop-simplify", kernel, required, SeveralItems | Barriers},
    {"unroll-barrier-loops", kernel, optional, SeveralItems | Barriers},
    {"simplifycfg", kernel, required, SeveralItems | Barriers},
    {combine, kernel, required, SeveralItems | Barriers},
    {"unroll-private-loops", kernel, optional, SeveralItems},  // whose ends the work-group's size decides
    {"select-elements<threads>", kernel, optional, SeveralItems},
    {"merge-groups", kernel, optional, SeveralItems},
    {"mergereturn", kernel, required, SeveralItems},
    {"narrow-indices<threads>", kernel, optional, SeveralItems},
    {"fix-irreducible", kernel, required, SeveralItems},
    {"spread-items", kernel, optional, SeveralItems | Barriers},
    {"plan-items", module, required, SeveralItems},
    {"interleave-groups<of-plan>", kernel, optional, GroupsAsOne},
    {"share-local-memory", kernel, optional, GroupsAsOne},
    {"define-phis", kernel, required, Coarsened},
    {"lower-switch", kernel, required, Coarsened},
    {"loop-simplify", kernel, required, Coarsened},
    {"lcssa", kernel, required, Coarsened},
    {"coarsen", kernel, optional, Coarsened},
    {"fold-lanes<of-plan>", kernel, required, GroupsInWarps},
    {"simplifycfg", kernel, required, GroupsInWarps},
    {combine, kernel, required, GroupsInWarps},
    {"early-cse", kernel, required, GroupsInWarps},
    {"simplifycfg", kernel, required, GroupsInWarps},
    {combine, kernel, required, GroupsInWarps},
    {"promote-local-memory", kernel, optional, GroupsInWarps},
    {"count-in-blocks", kernel, optional, CountsInBlocks},
};

constexpr PipelineStep blocks[] = {
    {"uniform-collectives", kernel, optional, Optimising},
    {"retarget-to-ptx", module, required},
    {"mark-constant-loads", functions, required},
    {"ptx-address-spaces", module, required},
    {"lower-kernel", module, required},
    {"open-divisions", functions, required},
    {"lower-scaling", functions, required},
    {"link-ptx-library", module, required},
    {"count-output-on-device", module, required},
    {"keep-subnormals", module, required},
    {"verify", module, required},  // a mistake of ours must end in an error, not in wrong code
};

constexpr PipelineStep optimisePtx[] = {
    {"loop-simplify", functions, required, Optimising},
    {"copy-async", functions, optional, Optimising | CopyInstructions},  // unrolling hides where each iteration stores
    {"unroll-short-loops", functions, optional, Optimising | LevelO3},
    {"default<O1>", module, required, LevelO1},
    {"default<O3>", module, required, LevelO3},
    {"fold-compares", functions, optional, Optimising},
    {"simplifycfg", functions, required, Optimising},
    {"early-cse", functions, required, Optimising},
    {"loop-simplify", functions, required, Optimising},
    {"lcssa", functions, required, Optimising},
    {"unroll-loads", functions, optional, Optimising},
    {"simplifycfg", functions, required, Optimising},
    {combine, functions, required, Optimising},
    {"early-cse<memssa>", functions, required, Optimising},
    {"loop-simplify", functions, required, Optimising},
    {"share-products", functions, optional, Optimising},  // instcombine would move signs to factors again
    {"early-cse", functions, required, Optimising},
    {"convert-bytes", functions, optional, Optimising},  // instcombine would bring the conversions back
    {"enlarge-arrays", functions, optional, Optimising},
    {"align-arrays", functions, optional, Optimising},
    {"adce", functions, required, Optimising},
    {"globaldce", module, required, Optimising},
};

constexpr PipelineStep ptx[] = {
    {"cast-through-generic", functions, required},
    {"converge", functions, required, ThreadsJoined},
    {"lower-half", functions, required, NoHalves},
    {"signal-end", functions, required, OneItem},
    {"check-ptx-calls", module, required},
    {"lower-atomics", module, required},
    {"keep-wrapping-indices", functions, required},
    {"load-double-constants", module, optional, Optimising},
};

constexpr PipelineStage nvptxStages[] = {
    {"kernel", "one kernel alone: accesses to different memory, instructions for the bytes of words", alone, true,
     true},
    {"threads", "work-items become threads, work-groups become blocks", threads, true, true},
    {"blocks", "from the work-group to the block that the GPU runs: PTX's address spaces, ids and library", blocks,
     true, true},
    {"LLVM", "LLVM's own pipeline; then passes that overlap loads and replace slow instructions", optimisePtx, true},
    {"PTX", "replace what the GPU or the code generator has no instructions for", ptx},
};

}  // namespace

std::span<const PipelineStage> kernelPipeline() { return kernelStages; }
std::span<const PipelineStage> nativePipeline() { return nativeStages; }
std::span<const PipelineStage> nvptxPipeline() { return nvptxStages; }

}  // namespace clarity::compiler
