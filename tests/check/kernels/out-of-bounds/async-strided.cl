// SPDX-License-Identifier: Apache-2.0
// A strided copy takes the last column from behind the matrix.
// kernel: async_strided
// run: -g 8 -l 8 -a iota:64 -a zeros:8
kernel void async_strided(global const int *in, global int *out) {
  local int column[9];
#ifdef RIGHT
  event_t done = async_work_group_strided_copy(column, in, 8, 8, 0);
#else
  event_t done = async_work_group_strided_copy(column, in, 9, 8, 0);  // wrong
#endif
  wait_group_events(1, &done);
  out[get_local_id(0)] = column[get_local_id(0)];
}
