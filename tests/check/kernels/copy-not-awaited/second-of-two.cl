// SPDX-License-Identifier: Apache-2.0
// One of two copies to global memory is waited for.
// kernel: second_of_two
// run: -g 16 -l 8 -a iota:16 -a zeros:16 -a zeros:16
kernel void second_of_two(global const int *in, global int *a, global int *b) {
  local int t[8];
  int l = get_local_id(0), g = get_group_id(0);
  t[l] = in[get_global_id(0)] * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e[2];
  e[0] = async_work_group_copy(a + 8 * g, t, 8, 0);
  e[1] = async_work_group_copy(b + 8 * g, t, 8, 0);  // wrong
#ifdef RIGHT
  wait_group_events(2, e);
#else
  wait_group_events(1, e);
#endif
}
