// SPDX-License-Identifier: Apache-2.0
// One case of a switch has a barrier.
// kernel: switch_case
// run: -g 32 -l 8 -a iota:32 -a zeros:32
kernel void switch_case(global const int *in, global int *out) {
  const int i = get_global_id(0);
  switch (in[i] % 4) {
    case 0: out[i] = 1; break;
    case 1:
      out[i] = 2;
#ifndef RIGHT
      barrier(CLK_LOCAL_MEM_FENCE);  // wrong
#endif
      break;
    default: out[i] = 3;
  }
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
}
