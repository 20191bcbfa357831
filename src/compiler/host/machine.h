// SPDX-License-Identifier: Apache-2.0
// This file lends machines to generate code for: what one has found out about its processor serves the next compile,
// too.
#pragma once

#include "compiler/ir/backend.h"

namespace clarity::compiler {

/// A machine to generate code for, which no other thread uses meanwhile; null if there is no code generator for the
/// processor. It is kept for the next compile; one that a faulting compile does not give back is lost.
Machine machineFor(const Target& target, bool optimise);

}  // namespace clarity::compiler
