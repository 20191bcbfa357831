// SPDX-License-Identifier: Apache-2.0
// This file runs passes and pipelines on IR given as text (`clarity opt`), lists them, and shows what each does. No
// LLVM type is visible.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::compiler {

struct PassOutput {
  bool ok = false;
  std::string error;    ///< why not
  std::string ir;       ///< the module behind the passes
  std::string printed;  ///< what printer passes said
};

/// Runs passes in LLVM's notation ("prepare-barriers,save-live-values"): ours and LLVM's. Passes that depend on the
/// processor's vectors work for `cpu`, by LLVM's name or "native".
PassOutput runPasses(std::string_view ir, std::string_view passes, std::string_view cpu);

/// A run of one of the two pipelines (pipeline.h).
struct PipelineRequest {
  bool native =
      false;  ///< kernel IR (or portable IR, which becomes kernel IR first) to native IR; else portable IR to kernel IR
  std::string kernel;                    ///< of the native pipeline; empty: the module's first
  std::array<std::uint32_t, 3> local{};  ///< work-group size to specialise for; 0 0 0: any
  std::string options;                   ///< as for clBuildProgram
};
PassOutput runPipeline(std::string_view ir, const PipelineRequest& request, std::string_view cpu);

/// Our passes: name and one line of text.
std::vector<std::pair<std::string, std::string>> passNames();

/// Names of all steps of the pipelines, LLVM's passes among them: what PassTrace::printAfter may name beside
/// passNames().
std::vector<std::string> pipelineSteps();

/// The description of the pipelines for people: aligned text, or the page docs/pipeline.md.
enum class ListForm { Text, Markdown };
std::string pipelineList(ListForm form);

/// What to show of passes as they run, on standard error.
struct PassTrace {
  std::vector<std::string> printAfter;  ///< IR behind passes of these names
  bool printAfterAll = false;
  bool printChanged = false;  ///< IR behind passes that have changed it
  bool verifyEach = false;    ///< a pass that leaves malformed IR, or hides a change, ends the compile with an error
  bool timePasses = false;    ///< a table for each run of a pipeline
};

/// Asks for this of all compiles of the process. To be called once, before the first.
void tracePasses(PassTrace trace);
bool passesAreTraced();
/// Whether times of passes were asked for.
bool passesAreTimed();

/// Verifies the IR behind every pass of all compiles of the process, whoever asks for them: as PassTrace::verifyEach
/// does, but the cache is used. To be called once, before the first.
void verifyPasses();

}  // namespace clarity::compiler
