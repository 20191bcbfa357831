// SPDX-License-Identifier: Apache-2.0
// This file gives accesses through a cast of an array the alignment that their type asks for: clang, which sees the
// array's, assumes that only. On code as clang generates it, as functions of the library access what they like.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

void expectNaturalAlignment(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
