// SPDX-License-Identifier: Apache-2.0
// Kernels of tests/check/bounds.py: work-groups whose `far` is not 0 write behind the end of `mine`.
kernel void spill(global const int *far, global int *out, global int *count) {
  local int mine[8];
  local int kept[8];
  const size_t i = get_local_id(0), group = get_group_id(0);
  kept[i] = i;
  mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  mine[i + far[group]] = 100 + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = kept[i] * 1000 + mine[i];
  if (far[group] == 0) atomic_inc(count);
}
