// SPDX-License-Identifier: Apache-2.0
// One iteration of a double buffer has a barrier in place of its wait.
// kernel: double_buffer
// run: -g 8 -l 8 -a iota:32 -a zeros:8
kernel void double_buffer(global const int *in, global int *out) {
  local int tile[2][8];
  int l = get_local_id(0), s = 0;
  event_t e[2];
  e[0] = async_work_group_copy(tile[0], in, 8, 0);
  for (int k = 0; k < 4; ++k) {
    if (k < 3) e[(k + 1) & 1] = async_work_group_copy(tile[(k + 1) & 1], in + 8 * (k + 1), 8, 0);  // wrong
#ifdef RIGHT
    wait_group_events(1, &e[k & 1]);
#else
    if (k != 2) wait_group_events(1, &e[k & 1]);
    else barrier(CLK_LOCAL_MEM_FENCE);
#endif
    s += tile[k & 1][7 - l];  // wrong
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#ifndef RIGHT
  wait_group_events(1, &e[0]);
#endif
  out[l] = s;
}
