// SPDX-License-Identifier: Apache-2.0
// Ranges that work-groups copy out overlap.
// kernel: async_copy_out_overlap
// run: -g 32 -l 16 -a zeros:48
kernel void async_copy_out_overlap(global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  event_t e = async_work_group_copy(out + get_group_id(0) * 16, tile, 16, 0);
#else
  event_t e = async_work_group_copy(out + get_group_id(0) * 8, tile, 16, 0);  // wrong
#endif
  wait_group_events(1, &e);
}
