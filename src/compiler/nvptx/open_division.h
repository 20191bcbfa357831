// SPDX-License-Identifier: Apache-2.0
// This file uses the freedom that OpenCL leaves to divisions.
#pragma once

namespace llvm {
class Function;
}

namespace clarity::compiler::nvptx {

/// Divisions of float that may be off by 2 ulp or more (`!fpmath`, 2.5 ulp without
/// -cl-fp32-correctly-rounded-divide-sqrt; OpenCL C 3.0, section 7.4) become div.full, which is off by 2 at most, for
/// all operands. 1 / sqrt(x) becomes rsqrt.approx, which is off by 2 at most, where the division may be, and with
/// `exact` false also where it has no such mark: in rsqrt() of the builtin library, whose error may be 2 ulp. Other
/// square roots of float, with a bound of 3 ulp, become sqrt.approx (1 ulp) then.
void openDivisions(llvm::Function& kernel, bool exact);

}  // namespace clarity::compiler::nvptx
