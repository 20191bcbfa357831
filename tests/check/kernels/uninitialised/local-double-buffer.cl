// SPDX-License-Identifier: Apache-2.0
// Steps alternate between two rows of local memory, and begin with the wrong one.
// kernel: local_double_buffer
// run: -g 16 -l 16 -a iota:16 -a zeros:16
kernel void local_double_buffer(global const int *in, global int *out) {
  local int row[2][16];  // also
  const int l = get_local_id(0);
  row[0][l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  int from = 0;
#else
  int from = 1;
#endif
  for (int step = 0; step < 2; ++step) {
    row[!from][l] = row[from][l] + row[from][(l + 1) & 15];
    barrier(CLK_LOCAL_MEM_FENCE);
    from = !from;
  }
  out[l] = row[from][l];  // wrong
}
