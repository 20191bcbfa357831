// SPDX-License-Identifier: Apache-2.0
// This file is the check of functions that all work-items of a sub-group have to call together: sub_group_barrier,
// sub_group_reduce_add and the like.
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

/// Compares how many work-items of the sub-group are at a call with how many there are.
/// On code where functions of the builtin library are calls:
///   before:  call @sub_group_reduce_add(i32 %x)
///   after:   %here = ctpop(call i64 @__clarity_sub_group_ballot(i32 1))
///            if (%here != size of the sub-group) call void @__clarity_check_sub_group(...)
///            call @sub_group_reduce_add(i32 %x)
void checkSubGroups(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
