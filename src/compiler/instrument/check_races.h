// SPDX-License-Identifier: Apache-2.0
// This file declares the passes that compare the cells of memory (support/race_cells.h) ahead of accesses.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

/// Finds the accesses of the program, while they are the only ones, and gives them their sites as metadata
/// (raceMetadata).
void markRaces(llvm::Module&, InstrumentedPlaces&);

/// Puts the comparison ahead of the accesses that are marked:
///   before:  %x = load float, ptr addrspace(1) %p
///   after:   %cell = load of the word's cell
///            if (neither this work-item's, nor one that several have read) call void @__clarity_race_access(...)
///            %x = load float, ptr addrspace(1) %p
/// Cells of local memory that are from before the last barrier become the work-item's without a call. Accesses to what
/// an argument points at are left out in launches that write to no argument with the same memory.
void checkRaces(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
