// SPDX-License-Identifier: Apache-2.0
// This file counts the iterations of loops, so that a work-item that never leaves its loops is noticed.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

void watchLoops(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
