// SPDX-License-Identifier: Apache-2.0
// A scan reads and writes one array with a single barrier in each step.
// kernel: scan
// run: -g 32 -l 16 -a iota:32 -a zeros:32
kernel void scan(global const int *in, global int *out) {
  local int sums[16];
  const int l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < 16; distance *= 2) {
    const int left = l >= distance ? sums[l - distance] : 0;  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    sums[l] += left;  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sums[l];
}
