// SPDX-License-Identifier: Apache-2.0
// The kernel ends with a copy to global memory.
// kernel: copy_out
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void copy_out(global const int *in, global int *out) {
  local int t[8];
  int l = get_local_id(0);
  t[l] = in[l] * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out, t, 8, 0);  // wrong
#ifdef RIGHT
  wait_group_events(1, &e);
#endif
}
