// SPDX-License-Identifier: Apache-2.0
// This file declares how wide LLVM's own vectoriser should make a region that stays a scalar nest.
#pragma once

#include "compiler/analysis/barrier_regions.h"

namespace clarity::compiler {

/// Work-items that a vector of a region's nest should hold; 0: LLVM decides. It would take as many as the narrowest
/// element in memory allows: 64 for bytes, which needs four registers for every 32-bit value computed from them and
/// runs out of registers. Where all accesses suit a vector the arithmetic decides instead.
unsigned scalarNestWidth(const Region& region, const VarianceInfo& variance, unsigned vectorBits);

}  // namespace clarity::compiler
