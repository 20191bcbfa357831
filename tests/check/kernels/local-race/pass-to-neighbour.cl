// SPDX-License-Identifier: Apache-2.0
// Values pass from neighbour to neighbour, and the barrier at the end of the loop is missing.
// kernel: pass_to_neighbour
// run: -g 16 -l 16 -a iota:16 -a zeros:16
kernel void pass_to_neighbour(global const int *in, global int *out) {
  local int s[16];
  const int l = get_local_id(0);
  int mine = in[l];
  for (int k = 0; k < 4; ++k) {
    s[l] = mine;  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
    mine += s[(l + 15) % 16];  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[l] = mine;
}
