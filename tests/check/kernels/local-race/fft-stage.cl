// SPDX-License-Identifier: Apache-2.0
// A stage of an FFT reads and writes what the stage before has written, without a barrier.
// kernel: fft
// run: -g 32 -l 8 -a iota:64 -a zeros:64 --type 0=float2 --type 1=float2
// findings: 1
kernel void fft(global const float2 *in, global float2 *out) {
  local float2 x[16];
  int l = get_local_id(0), g = get_group_id(0) * 16;
  x[l] = in[g + l]; x[l + 8] = in[g + l + 8];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = 8; h >= 1; h /= 2) {
    int p = l / h * 2 * h + l % h;
    float2 a = x[p], b = x[p + h];  // wrong
    x[p] = a + b;  // wrong
    x[p + h] = a - b;  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g + l] = x[l]; out[g + l + 8] = x[l + 8];
}
