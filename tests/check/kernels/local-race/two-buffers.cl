// SPDX-License-Identifier: Apache-2.0
// Two local buffers are exchanged after each step, but the barrier comes only after every second one.
// kernel: two_buffers
// run: -g 16 -l 8 -a iota:16 -a zeros:16
kernel void two_buffers(global const int *in, global int *out) {
  local int data[2][8];
  const int l = get_local_id(0);
  data[0][l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int from = 0;
  for (int step = 0; step < 4; ++step) {
    data[1 - from][l] = data[from][(l + 1) % 8];  // wrong
    from = 1 - from;
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    if (step % 2) barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[get_global_id(0)] = data[from][l];
}
