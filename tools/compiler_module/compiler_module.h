// SPDX-License-Identifier: Apache-2.0
// This file declares what the command finds in the module that holds the compiler.
//
// The compiler is in a module of its own, loaded by the two subcommands that need it. The others start without LLVM,
// and can load any driver into their process, also one that brings an LLVM of another version.
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
