// SPDX-License-Identifier: Apache-2.0
// This file defines the work-group barriers (OpenCL C 3.0, 6.15.8).

#include "prelude.clh"
#include "synchronisation/meet.clh"

#define CONVERGENT __attribute__((overloadable, always_inline, convergent))

CONVERGENT void barrier(cl_mem_fence_flags flags) { __clarity_barrier(flags); }
CONVERGENT void work_group_barrier(cl_mem_fence_flags flags) { __clarity_barrier(flags); }
CONVERGENT void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { meet(flags, scope); }
