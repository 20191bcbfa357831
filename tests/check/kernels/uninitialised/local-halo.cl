// SPDX-License-Identifier: Apache-2.0
// The left neighbour of the first work-item is never set.
// kernel: local_halo
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void local_halo(global const float *in, global float *out) {
  local float tile[10];
  const int l = get_local_id(0), i = get_global_id(0);
  tile[l + 1] = in[i];
#ifdef RIGHT
  if (l == 0) tile[0] = i > 0 ? in[i - 1] : 0;
#else
  if (l == 0 && i > 0) tile[0] = in[i - 1];
#endif
  if (l == 7) tile[9] = i < 15 ? in[i + 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l] + tile[l + 1] + tile[l + 2];  // wrong
}
