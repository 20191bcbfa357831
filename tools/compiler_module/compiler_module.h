// SPDX-License-Identifier: Apache-2.0
// This file declares the entry of the driver through which the command uses the compiler inside.
//
// The driver contains LLVM and shows none of it: two subcommands open the driver as a library and get this table. The
// others start without LLVM, and can load any driver into their process, also one that contains another version of
// LLVM.
#pragma once

#include "compiler_bridge.h"

namespace clarity::tools {

struct CompilerModule {
  decltype(emit)* emit;
  decltype(runPasses)* runPasses;
  decltype(runPipeline)* runPipeline;
  decltype(passNames)* passNames;
  decltype(pipelineSteps)* pipelineSteps;
  decltype(pipelineList)* pipelineList;
  decltype(tracePasses)* tracePasses;
  decltype(objectionToGpus)* objectionToGpus;
  decltype(serveCluster)* serveCluster;
};

}  // namespace clarity::tools

/// The compiler's functions; nullptr for a command of another `version`, whose table may be another.
extern "C" [[gnu::visibility("default")]] const clarity::tools::CompilerModule* clarityCompilerModule(
    const char* version);
