// SPDX-License-Identifier: Apache-2.0
// A variable that only some work-items set is used behind a barrier.
// kernel: across_barrier
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void across_barrier(global const int *in, global int *out) {
  local int first;
  const int l = get_local_id(0), i = get_global_id(0);
#ifdef RIGHT
  int own = in[i];
#else
  int own;  // also
#endif
  if (l < 4) own = in[i] * 2;
  if (l == 0) first = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = own + first;  // wrong
}
