// SPDX-License-Identifier: Apache-2.0
// A work-item leaves a loop with a barrier when it has found what it seeks.
// kernel: break_out
// run: -g 16 -l 8 -a iota:64 -a zeros:16
kernel void break_out(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int found = -1;
  for (int k = 0; k < 8; ++k) {
#ifdef RIGHT
    if (found < 0 && in[k] == i % 8) found = k;
#else
    if (in[k] == i % 8) {
      found = k;
      break;
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);  // wrong
  }
  out[i] = found;
}
