// SPDX-License-Identifier: Apache-2.0
// The source of a copy is overwritten before the copy has ended.
// kernel: source_overwritten
// run: -g 32 -l 16 -a zeros:32
kernel void source_overwritten(global int *out) {
  local int tile[16];
  const int l = get_local_id(0);
  tile[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out + get_group_id(0) * 16, tile, 16, 0);  // wrong
#ifdef RIGHT
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = 0;
#else
  tile[l] = 0;  // wrong
  wait_group_events(1, &e);
#endif
}
