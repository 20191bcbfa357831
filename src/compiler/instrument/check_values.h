// SPDX-License-Identifier: Apache-2.0
// This file is the check of values that were never written: private and local variables, and buffers without a
// content. They may be copied; what is reported is where one decides a branch, is part of an address or a divisor, is
// updated atomically, or leaves the kernel's own memory for global memory or printf.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

void checkValues(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
