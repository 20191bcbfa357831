// SPDX-License-Identifier: Apache-2.0
// A barrier of one work-group is taken to order all of them.
// kernel: barrier_for_all
// run: -g 64 -l 16 -a iota:64 -a zeros:64 -a zeros:64
kernel void barrier_for_all(global const int *in, global int *stage, global int *out) {
  const int i = get_global_id(0);
  stage[i] = in[i] * 2;  // wrong
  barrier(CLK_GLOBAL_MEM_FENCE);
#ifdef RIGHT
  out[i] = stage[get_group_id(0) * 16 + 15 - get_local_id(0)];
#else
  out[i] = stage[63 - i];  // wrong
#endif
}
