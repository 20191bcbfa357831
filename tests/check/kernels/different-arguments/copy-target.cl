// SPDX-License-Identifier: Apache-2.0
// A copy to global memory has another target in each work-item.
// kernel: target
// run: -g 8 -l 8 -a iota:8 -a zeros:16
kernel void target(global const int *in, global int *out) {
  local int t[8];
  const int l = get_local_id(0);
  t[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  event_t e = async_work_group_copy(out, t, 8, 0);
#else
  event_t e = async_work_group_copy(out + l, t, 8, 0);  // wrong
#endif
  wait_group_events(1, &e);
}
