// SPDX-License-Identifier: Apache-2.0
// This file declares the options of `clarity exec` and the output of a run.
#pragma once

#include "argument.h"
#include "exec_output.h"
#include "launch.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clarity::tools {

class CheckRecord;

struct ExecOptions {
  std::string file, kernel, device, icd, buildOptions, observe, check, sweep;
  std::vector<std::string> arguments, outputs, prints, types;
  std::string global, local, offset, jsonFile;
  size_t repeat = 1;
  std::uint64_t seed = 1;
  bool quiet = false, json = false;
};

/// Prints times and buffers and writes files, as the options want it. `record`: null without --check. Returns the exit
/// code.
int showResults(const ExecOptions& options, Launch& launch, const std::vector<Argument>& arguments,
                const LaunchTimes& times, const std::vector<Print>& prints, const std::vector<Output>& outputs,
                const CheckRecord* record);

}  // namespace clarity::tools
