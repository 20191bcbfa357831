// SPDX-License-Identifier: Apache-2.0
// This file defines the queries and the barrier of sub-groups (OpenCL C 3.0, 6.15.1 and 6.15.8). The primitive orders
// memory for the sub-group; for what is wider than it, fences do.

#include "sub_group/primitives.clh"
#include "synchronisation/scopes.clh"

HELPER uint inSubGroups(size_t items) {
  uint size = __clarity_sub_group_max_size();
  return ((uint)items + size - 1) / size;
}

BUILTIN uint get_max_sub_group_size(void) { return __clarity_sub_group_max_size(); }
BUILTIN uint get_sub_group_id(void) { return __clarity_sub_group_id(); }
BUILTIN uint get_sub_group_local_id(void) { return __clarity_sub_group_local_id(); }
BUILTIN uint get_sub_group_size(void) { return sizeOfThis(); }
BUILTIN uint get_num_sub_groups(void) {
  return inSubGroups(__clarity_local_size(0) * __clarity_local_size(1) * __clarity_local_size(2));
}
BUILTIN uint get_enqueued_num_sub_groups(void) {
  return inSubGroups(__clarity_enqueued_local_size(0) * __clarity_enqueued_local_size(1) *
                     __clarity_enqueued_local_size(2));
}

CONVERGENT void sub_group_barrier(cl_mem_fence_flags flags) { __clarity_sub_group_barrier(); }
CONVERGENT void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  bool isWider = scope != memory_scope_sub_group && scope != memory_scope_work_item;
  if (isWider) __clarity_fence(memory_order_release, scopeOf(flags, scope));
  __clarity_sub_group_barrier();
  if (isWider) __clarity_fence(memory_order_acquire, scopeOf(flags, scope));
}
