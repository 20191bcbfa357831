// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that reports every access to memory other than private memory.
#pragma once

#include "compiler/instrument/instrument.h"
#include "compiler/instrument/sites.h"

#include <llvm/IR/IRBuilder.h>

namespace clarity::compiler {

/// Calls __clarity_observe_access (support/observer_hooks.h) ahead of every load, store, atomic operation and copy in
/// global, constant, local and generic memory.
///   before:  %x = load float, ptr addrspace(1) %p, !dbg !7
///   after:   call void @__clarity_observe_access(i32 3, i64 %address, i64 4, i64 %x, i64 %y, i64 %z)
///            %x = load float, ptr addrspace(1) %p, !dbg !7
/// 3 is the index of the place, 4 the bytes, x, y and z the work-item's global id.
void recordAccesses(llvm::Module&, InstrumentedPlaces&);

/// i32: whether a store leaves what is there; null for accesses of which that is not asked.
llvm::Value* leavesValue(llvm::IRBuilder<>&, const Access&);

}  // namespace clarity::compiler
