// SPDX-License-Identifier: Apache-2.0
// Two buffers are used in turn where the reading of one is not finished.
// kernel: one_of_two_buffers
// run: -g 16 -l 16 -a iota:64 -a zeros:16
kernel void one_of_two_buffers(global const int *in, global int *out) {
  local int b[2][16];
  const int l = get_local_id(0);
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
#ifdef RIGHT
    const int at = k & 1;
#else
    const int at = 0;
#endif
    b[at][l] = in[16 * k + l];  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += b[at][15 - l];  // wrong
  }
  out[l] = sum;
}
