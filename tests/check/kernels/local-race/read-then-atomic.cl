// SPDX-License-Identifier: Apache-2.0
// One work-item reads a counter that the others update, and then updates it itself.
// kernel: read_then_atomic
// run: -g 64 -l 64 -a zeros:64
kernel void read_then_atomic(global int *out) {
  local int counts[64];
  const int l = get_local_id(0);
  counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int before = counts[l];  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  atomic_inc(counts);  // wrong
  out[get_global_id(0)] = before;
}
