// SPDX-License-Identifier: Apache-2.0
// Vectors of four are stored two elements apart.
// kernel: vector_overlap
// run: -g 16 -l 4 -a zeros:64
kernel void vector_overlap(global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  vstore4((float4)(i), i, out);
#else
  vstore4((float4)(i), 0, out + i * 2);  // wrong
#endif
}
