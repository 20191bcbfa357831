// SPDX-License-Identifier: Apache-2.0
// The scope of a barrier depends on the work-item.
// kernel: scope
// build: -cl-std=CL2.0
// run: -g 8 -l 8 -a zeros:8 -a 1
kernel void scope(global int *out, int wide) {
  local int t[8];
  const int l = get_local_id(0);
  t[l] = l;
#ifndef RIGHT
  wide = l & 1;
#endif
  work_group_barrier(CLK_LOCAL_MEM_FENCE, wide ? memory_scope_device : memory_scope_work_group);  // wrong
  out[l] = t[7 - l];
}
