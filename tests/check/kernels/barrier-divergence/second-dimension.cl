// SPDX-License-Identifier: Apache-2.0
// The rows of a work-group part ahead of a barrier.
// kernel: second_dimension
// run: -g 8,8 -l 4,4 -a zeros:64
kernel void second_dimension(global float *out) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * 8 + x] = 1.0f;
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  if (get_local_id(1) != 0) barrier(CLK_LOCAL_MEM_FENCE);  // wrong
#endif
}
