// SPDX-License-Identifier: Apache-2.0
// This file declares how loops become straight code.
#pragma once

#include <llvm/IR/PassManager.h>

#include <string_view>

namespace llvm {
class Loop;
}

namespace clarity::compiler {

/// Makes straight code of a loop in simplified form that takes `turns` turns, and tells the report: "`what`: unrolled,
/// as ...". False if the loop stays as it is. The loop is gone afterwards; analyses of other loops hold.
bool unrollWhole(llvm::Loop& loop, unsigned turns, llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                 std::string_view what);

}  // namespace clarity::compiler
