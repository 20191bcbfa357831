// SPDX-License-Identifier: Apache-2.0
// The last steps of a reduction rely on a warp of 32 that run together.
// kernel: dot_product_tail
// run: -g 64 -l 32 -a iota:64 -a zeros:2
kernel void dot_product_tail(global const int *in, global int *out) {
  local volatile int s[32];
  const int t = get_local_id(0);
  s[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 16; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  if (t == 0) out[get_group_id(0)] = s[0];  // also
}
