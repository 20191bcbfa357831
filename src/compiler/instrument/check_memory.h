// SPDX-License-Identifier: Apache-2.0
// This file is the check of accesses: whether they are within the object that the pointer was computed from, allowed
// by the buffer's flags, and aligned as their type asks for. One that is not is reported and does not happen: it reads
// zero, or writes nothing.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

void checkMemory(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
