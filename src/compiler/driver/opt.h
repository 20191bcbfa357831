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
  std::string printed;  ///< the output of printer passes
};

/// Runs passes in LLVM's notation ("prepare-barriers,save-live-values"): ours and LLVM's. Passes that depend on the
/// processor's vectors work for `cpu`, by LLVM's name or "native".
PassOutput runPasses(std::string_view ir, std::string_view passes, std::string_view cpu);

/// A run of the kernel pipeline, or of it and the one of the back end (description.h).
struct PipelineRequest {
  bool native =
      false;  ///< kernel IR, or portable IR by way of it, to native IR or that of PTX; else portable IR to kernel IR
  std::string kernel;                    ///< the kernel for the native pipeline; empty: the module's first
  std::array<std::uint32_t, 3> local{};  ///< work-group size to specialise for; 0 0 0: any
  std::string options;                   ///< as for clBuildProgram
};
PassOutput runPipeline(std::string_view ir, const PipelineRequest& request, std::string_view cpu);

/// Our passes: name and one line of text.
std::vector<std::pair<std::string, std::string>> passNames();

}  // namespace clarity::compiler
