// SPDX-License-Identifier: Apache-2.0
// This file gives barriers, and the functions that a whole work-group has to call, the site that reports name.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

void markBarriers(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
