// SPDX-License-Identifier: Apache-2.0
// This file declares how loops become straight code.
#pragma once

#include <llvm/IR/PassManager.h>

#include <string_view>

namespace llvm {
class Loop;
}

namespace clarity::compiler {

/// Unrolls a loop in simplified form completely, and leaves the remark "`what` fully unrolled: N iterations". Its
/// header is executed `iterations` times. False if the loop stays as it is. Analyses of other loops stay valid.
bool unrollWhole(llvm::Loop& loop, unsigned iterations, llvm::Function& function,
                 llvm::FunctionAnalysisManager& analyses, std::string_view what);

}  // namespace clarity::compiler
