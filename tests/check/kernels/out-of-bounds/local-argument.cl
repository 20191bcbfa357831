// SPDX-License-Identifier: Apache-2.0
// The local argument has an element for each work-item, and none for the halo.
// kernel: local_argument
// run: -g 64 -l 16 -a iota:64 -a zeros:64 -a local:16
kernel void local_argument(global const float *in, global float *out, local float *tile) {
  const int l = get_local_id(0), i = get_global_id(0);
#ifdef RIGHT
  tile[l] = in[i];
#else
  tile[l + 1] = in[i];  // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l];
}
