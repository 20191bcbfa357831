// SPDX-License-Identifier: Apache-2.0
// Work-items of a work-group exchange values through global memory with no barrier.
// kernel: no_barrier
// run: -g 32 -l 16 -a zeros:32 -a zeros:32
kernel void no_barrier(global int *stage, global int *out) {
  const int i = get_global_id(0);
  stage[i] = i;  // wrong
#ifdef RIGHT
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  out[i] = stage[i ^ 1];  // wrong
}
