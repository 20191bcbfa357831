// SPDX-License-Identifier: Apache-2.0
// This file declares the description of the pipeline: which pass runs where, whether it is required, and when. It is
// data. From it follow what runs (run.h), what -cl-clarity-disable takes (pass_names.h), what `clarity opt --pipeline`
// does, and docs/pipeline.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clarity::compiler {

/// The unit of IR that a step works on.
enum class Scope : std::uint8_t {
  Module,
  Functions,           ///< each function of the module
  Kernel,              ///< only the kernel that native code is generated for; functions that it calls stay as they are
  Loops,               ///< each loop of each function
  LoopsWithMemorySsa,  ///< the same with MemorySSA
};

/// LLVM's isRequired() means another thing: that a pass also runs in functions with the attribute optnone. All passes
/// of the project return true, because it is the description that leaves out passes.
enum class Need : std::uint8_t {
  Required,  ///< without it the code is wrong, or there is none
  Optional,  ///< only makes code faster, or smaller: -cl-clarity-disable leaves it out
};

/// Conditions for a step to run; a step may name several.
enum Condition : std::uint64_t {
  Optimising = 1 << 0,
  InPackets = 1 << 1,
  WidthOne = 1 << 2,
  Barriers = 1 << 3,
  SubGroups = 1 << 4,
  NarrowIds = 1 << 5,
  GroupsVisible = 1 << 6,
  LevelO3 = 1 << 7,
  LevelO1 = 1 << 8,
  LevelO0 = 1 << 9,
  FewLoops = 1 << 10,
  NoRounding = 1 << 11,
  Changed = 1 << 12,
  AnyOrder = 1 << 13,
  ShortPipeline = 1 << 14,
  WholePipeline = 1 << 15,
  Unrolled = 1 << 16,
  FullCode = 1 << 17,
  ChecksBounds = 1 << 18,
  DistinctBuffers = 1 << 19,
  GroupsTogether = 1 << 20,
  SeveralItems = 1 << 21,
  DotInstructions = 1 << 22,
  CopyInstructions = 1 << 23,
  ThreadsJoined = 1 << 24,
  NoHalves = 1 << 25,
  OneItem = 1 << 26,
  Instrumented = 1 << 27,
  CallsInlined = 1 << 28,
  Debugged = 1 << 29,
  NotDebugged = 1 << 30,
  Coarsened = 1ULL << 31,
  GroupsAsOne = 1ULL << 32,
  GroupsInWarps = 1ULL << 33,
  CountsInBlocks = 1ULL << 34,
  KnownArguments = 1ULL << 35,
  FunctionsCalled = 1ULL << 36,
};
using Conditions = std::uint64_t;

/// One entry of the pipeline: a pass of ours (src/compiler/pipeline/passes.def), a step that is no pass by itself
/// (steps.def), or a pass of LLVM's, in LLVM's notation with parameters: "sroa<modify-cfg>".
struct PipelineStep {
  std::string_view pass;
  Scope scope;
  Need need;
  Conditions when = 0;

  /// Without parameters: "sroa".
  std::string_view name() const { return pass.substr(0, pass.find('<')); }
};

/// Steps that run one after the other.
struct PipelineStage {
  std::string_view name;
  std::string_view text;
  std::span<const PipelineStep> steps;
  bool freshAnalyses = false;  ///< begins with empty analysis managers
  bool noCostModel = false;    ///< passes get no target's costs: the IR is not for the state's machine yet
};

/// Portable IR to kernel IR, once a program.
std::span<const PipelineStage> kernelPipeline();
/// Kernel IR to the entry of one kernel for one shape, ready for the code generator.
std::span<const PipelineStage> nativePipeline();

/// The place of a step of the pipelines among those of its name, from 1: -cl-clarity-disable=licm.2 leaves out one
/// step.
unsigned placeAmongNamesakes(const PipelineStep& step);

/// Kernel IR to PTX: one kernel for one shape, as LLVM's code generator for NVIDIA GPUs takes it.
std::span<const PipelineStage> nvptxPipeline();

/// The last stages of the native and of the NVPTX pipeline that reports are about: behind them the work-items are in
/// packets, and in threads.
inline constexpr std::string_view lastReportedStage = "vectorise", lastReportedNvptxStage = "threads";

/// "packets" and what it means, for each bit that is set.
struct ConditionText {
  Condition condition;
  std::string_view name, text;
};
std::span<const ConditionText> conditionTexts();

/// The text about a pass, in one line; empty if no step has this name.
std::string_view textOf(std::string_view name);

}  // namespace clarity::compiler
