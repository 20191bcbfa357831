// SPDX-License-Identifier: Apache-2.0
// This file declares the analysis that finds all accesses of a kernel to the memory of its arguments, as what a launch
// can compute ranges from (ir/access_summary.h).
#pragma once

#include "compiler/ir/access_summary.h"
#include "compiler/ir/compiled_kernel.h"

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
}

namespace clarity::compiler {

/// The accesses of a kernel of kernel IR, of which nothing is changed.
AccessSummary kernelAccesses(llvm::Function& kernel, const KernelInfo& info, llvm::FunctionAnalysisManager& analyses);

}  // namespace clarity::compiler
