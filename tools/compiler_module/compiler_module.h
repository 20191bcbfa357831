// SPDX-License-Identifier: Apache-2.0
// This file declares the interface of the module that contains the compiler.
//
// The compiler is a separate module that only two subcommands load. The others start without LLVM, and can load any
// driver into their process, also one that contains another version of LLVM.
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
};

}  // namespace clarity::tools

extern "C" [[gnu::visibility("default")]] const clarity::tools::CompilerModule* clarityCompilerModule();
