// SPDX-License-Identifier: Apache-2.0
// The last work-group copies its results behind the end of the buffer.
// kernel: async_copy_out
// run: -g 64 -l 16 -a zeros:56 -a 56
kernel void async_copy_out(global float *out, int n) {
  local float tile[16];
  tile[get_local_id(0)] = 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int first = get_group_id(0) * 16;
#ifdef RIGHT
  event_t done = async_work_group_copy(out + first, tile, min(16, n - first), 0);
#else
  event_t done = async_work_group_copy(out + first, tile, 16, 0);  // wrong
#endif
  wait_group_events(1, &done);
}
