// SPDX-License-Identifier: Apache-2.0
// This file is the check of functions that all work-items of a work-group or sub-group call together: arguments that
// have to be the same in all of them (OpenCL C 3.0, sections 6.15.8, 6.15.11, 6.15.16 and 6.15.19).
#pragma once

#include "compiler/instrument/instrument.h"

namespace clarity::compiler {

/// On code where functions of the builtin library are calls:
///   before:  call @barrier(i32 %flags)
///   after:   call void @__clarity_observe_uniform(i32 site, i32 group, i64 %flags, ...)
///            call @barrier(i32 %flags)
void checkUniform(llvm::Module&, InstrumentedPlaces&);

}  // namespace clarity::compiler
