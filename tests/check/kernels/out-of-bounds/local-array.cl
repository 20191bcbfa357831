// SPDX-License-Identifier: Apache-2.0
// The last work-item of each work-group reads behind a local array.
// kernel: local_array
// run: -g 64 -l 16 -a iota:64 -a zeros:64
kernel void local_array(global const int *in, global int *out) {
  local int tile[16];
  const int l = get_local_id(0), i = get_global_id(0);
  tile[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  out[i] = tile[(l + 1) % 16];
#else
  out[i] = tile[l + 1];  // wrong
#endif
}
