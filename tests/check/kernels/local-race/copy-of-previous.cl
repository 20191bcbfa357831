// SPDX-License-Identifier: Apache-2.0
// The next copy into a tile begins while others still read it.
// kernel: copy_of_previous
// run: -g 32 -l 16 -a iota:64 -a zeros:32
kernel void copy_of_previous(global const int *in, global int *out) {
  local int tile[16];
  const int l = get_local_id(0);
  int s = 0;
  for (int k = 0; k < 4; ++k) {
    event_t e = async_work_group_copy(tile, in + k * 16, 16, 0);  // wrong
    wait_group_events(1, &e);
    s += tile[15 - l];  // wrong
#ifdef RIGHT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  out[get_global_id(0)] = s;
}
