// SPDX-License-Identifier: Apache-2.0
// A scan in place has one barrier where it needs two.
// kernel: scan_hillis
// run: -g 64 -l 64 -a iota:64 -a zeros:64
kernel void scan_hillis(global const int *in, global int *out) {
  local int tile[64];
  const int l = get_local_id(0);
  tile[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 64; step *= 2) {
    int other = 0;
    if (l >= step) other = tile[l - step];  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    tile[l] += other;  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[l] = tile[l];
}
