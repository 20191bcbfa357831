// SPDX-License-Identifier: Apache-2.0
// This file declares the execution of the pipeline's description.
#pragma once

#include "compiler/pipeline/description.h"

#include <llvm/Support/Error.h>

#include <span>

namespace llvm {
class Module;
}

namespace clarity::compiler {

struct PipelineState;

/// Runs the steps of the stages whose conditions hold. Stops behind the first step that fails, and returns why.
llvm::Error runStages(std::span<const PipelineStage> stages, PipelineState& state, llvm::Module& module);

}  // namespace clarity::compiler
