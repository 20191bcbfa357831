// SPDX-License-Identifier: Apache-2.0
// The value is set anew in a loop while others still read the last one.
// kernel: broadcast_again
// run: -g 32 -l 8 -a iota:32 -a zeros:32
kernel void broadcast_again(global const float *in, global float *out) {
  local float shared;
  float sum = 0.0f;
  for (int k = 0; k < 3; ++k) {
    if ((int)get_local_id(0) == k) shared = in[get_global_id(0)];  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += shared;  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[get_global_id(0)] = sum;
}
