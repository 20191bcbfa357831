// SPDX-License-Identifier: Apache-2.0
// A sum is cleared while another work-item still reads it.
// kernel: early_next_iteration
// run: -g 8 -l 8 -a iota:32 -a zeros:4
kernel void early_next_iteration(global const int *in, global int *out) {
  local int total;
  int l = get_local_id(0);
  for (int k = 0; k < 4; k++) {
    if (l == 0) total = 0;  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&total, in[k * 8 + l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 7) out[k] = total;  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
}
