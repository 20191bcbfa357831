// SPDX-License-Identifier: Apache-2.0
// This file defines the memory fences of OpenCL C 1.x (6.12.9 of OpenCL C 1.2) and the fence of C11 atomics (OpenCL C
// 3.0, 6.15.12.5). Fences order every address space, whatever the flags. Those of OpenCL C 1.x have device scope, as
// its atomics have.

#include "prelude.clh"
#include "synchronisation/scopes.clh"

BUILTIN void mem_fence(cl_mem_fence_flags flags) {
  __clarity_fence(memory_order_acq_rel, scopeOf(flags, memory_scope_device));
}
BUILTIN void read_mem_fence(cl_mem_fence_flags flags) {
  __clarity_fence(memory_order_acquire, scopeOf(flags, memory_scope_device));
}
BUILTIN void write_mem_fence(cl_mem_fence_flags flags) {
  __clarity_fence(memory_order_release, scopeOf(flags, memory_scope_device));
}
BUILTIN void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  __clarity_fence(order, scopeOf(flags, scope));
}
