// SPDX-License-Identifier: Apache-2.0
// This file registers LLVM's analyses.
#include "compiler/ir/analysis_managers.h"

#include <llvm/Passes/PassBuilder.h>

namespace clarity::compiler {

void AnalysisManagers::registerAnalyses(llvm::PassBuilder& builder) {
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
}

}  // namespace clarity::compiler
