// SPDX-License-Identifier: Apache-2.0
// The inner loop ends for some work-items before the barrier.
// kernel: nested_loop_break
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void nested_loop_break(global const int *in, global int *out) {
  local int s[8];
  const int l = get_local_id(0);
  int sum = 0;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b) {
      s[l] = a + b;
#ifndef RIGHT
      if (in[l] == b) break;  // also
#endif
      barrier(CLK_LOCAL_MEM_FENCE);  // wrong
      sum += s[l];
      barrier(CLK_LOCAL_MEM_FENCE);  // also
    }
  out[get_global_id(0)] = sum;
}
