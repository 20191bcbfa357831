// SPDX-License-Identifier: Apache-2.0
// Results are copied out of local memory before all of them are written.
// kernel: async_out_too_early
// run: -g 32 -l 16 -a zeros:32
kernel void async_out_too_early(global int *out) {
  local int tile[16];
  tile[get_local_id(0)] = get_global_id(0);  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  event_t done = async_work_group_copy(out + get_group_id(0) * 16, tile, 16, 0);  // wrong
  wait_group_events(1, &done);
}
