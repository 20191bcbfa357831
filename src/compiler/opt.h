// SPDX-License-Identifier: Apache-2.0
// This file runs passes by name on IR given as text (`clarity opt`), for tests of single passes and for looking at
// what one does. No LLVM type is visible.
#pragma once

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

/// Runs a pipeline in LLVM's notation ("prepare-barriers,save-live-values"): our passes and LLVM's. Passes that ask what
/// the processor's vectors are like work for `cpu`, by LLVM's name or "native".
PassOutput runPasses(std::string_view ir, std::string_view pipeline, std::string_view cpu);

/// Our passes: name and one line of text.
std::vector<std::pair<std::string, std::string>> passNames();

}  // namespace clarity::compiler
