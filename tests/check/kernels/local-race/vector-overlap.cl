// SPDX-License-Identifier: Apache-2.0
// Vectors that begin one element apart overlap.
// kernel: vector_overlap
// run: -g 16 -l 8 -a zeros:16 -a local:64
kernel void vector_overlap(global int *out, local int *scratch) {
  const int l = get_local_id(0);
#ifdef RIGHT
  vstore4((int4)(l), l, scratch);
#else
  vstore4((int4)(l), 0, scratch + l);  // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = scratch[l];
}
