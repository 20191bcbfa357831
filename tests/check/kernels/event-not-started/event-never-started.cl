// SPDX-License-Identifier: Apache-2.0
// The event that is waited for has no value.
// kernel: event_never_started
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void event_never_started(global const int *in, global int *out) {
  local int tile[8];
  const int l = get_local_id(0);
  tile[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e;
#ifdef RIGHT
  e = async_work_group_copy(tile, in, 8, 0);
#endif
  wait_group_events(1, &e);  // wrong
  out[l] = tile[l];
}
