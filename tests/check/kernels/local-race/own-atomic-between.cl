// SPDX-License-Identifier: Apache-2.0
// A work-item's own atomic addition stands between its plain write and the additions of others.
// kernel: own_atomic_between
// run: -g 16 -l 8 -a zeros:2
kernel void own_atomic_between(global int *out) {
  local int count;
  if (get_local_id(0) == 0) count = 100;  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  atomic_inc(&count);  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = count;
}
