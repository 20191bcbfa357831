// SPDX-License-Identifier: Apache-2.0
// This file is the check of arithmetic whose result the standard leaves undefined, or that is seldom meant: division of
// integers by zero and of the smallest by -1, shifts by as many bits as the type has or more (which OpenCL takes modulo
// that number), conversion of floating-point numbers to integers that cannot hold them. Only of the program's own code.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

void checkArithmetic(llvm::Module&, InstrumentedPlaces&);
/// Sums, differences and products of signed integers that the type cannot hold (-cl-clarity-check-overflow).
void checkOverflow(llvm::Module&, InstrumentedPlaces&);
/// Operations and functions that make NaN or an infinity of finite numbers (-cl-clarity-check-not-finite).
void checkNotFinite(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
