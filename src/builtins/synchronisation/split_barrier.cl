// SPDX-License-Identifier: Apache-2.0
// This file defines the two halves of a work-group barrier (cl_intel_split_work_group_barrier). The second one is the
// whole barrier: it orders all that was before the first one, too.

#include "prelude.clh"
#include "synchronisation/meet.clh"

#define CONVERGENT __attribute__((overloadable, always_inline, convergent))

CONVERGENT void intel_work_group_barrier_arrive(cl_mem_fence_flags flags) {}
CONVERGENT void intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope) {}
CONVERGENT void intel_work_group_barrier_wait(cl_mem_fence_flags flags) { __clarity_barrier(flags); }
CONVERGENT void intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope) {
  meet(flags, scope);
}
