// SPDX-License-Identifier: Apache-2.0
// This file uses the freedom that OpenCL leaves to divisions.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Divisions of float that may be off by 2 ulp or more (`!fpmath`, 2.5 ulp without
/// -cl-fp32-correctly-rounded-divide-sqrt; OpenCL C 3.0, section 7.4) become div.full, which is off by 2 at most, for
/// all operands.
void openDivisions(llvm::Function& kernel);

}  // namespace clarity::compiler::nvptx
