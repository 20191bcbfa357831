// SPDX-License-Identifier: Apache-2.0
// This file reports the order and scope of atomic operations ahead of them, and fences, marks what asynchronous copies
// access, and finds kernels whose atomic operations may order more. On code where functions of the builtin library are
// calls, which take orders and scopes as arguments.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

void observeOrders(llvm::Module&, InstrumentedPlaces&);

/// Gives what asynchronous copies of the work-group access their metadata (copyMetadata).
void markCopies(llvm::Module&, InstrumentedPlaces&);

/// The call that takes the number of the event that a copy gets, and gives that of the event that it returns.
inline constexpr const char* copyBeginsHook = "__clarity_copy_begins";

/// Reports where copies of the work-group begin and where they are waited for.
void countCopies(llvm::Module&, InstrumentedPlaces&);

/// Gives kernels whose atomic operations may order their other accesses an attribute (ordersAttribute): the result of
/// one is used, and it is not relaxed or there is a fence.
void findOrders(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
