// SPDX-License-Identifier: Apache-2.0
// Rows are copied to local memory with the pitch of the tile, and the last of them ends behind the buffer.
// kernel: async_2d_rows
// run: -g 8 -l 8 -a iota:60 -a zeros:8
kernel void async_2d_rows(global const int *in, global int *out) {
  local int tile[8][8];
  event_t e = 0;
#ifdef RIGHT
  const int rows = 7;
#else
  const int rows = 8;
#endif
  for (int r = 0; r < rows; ++r)
    e = async_work_group_copy(tile[r], in + 8 * r, 8, e);  // wrong
  wait_group_events(1, &e);
  out[get_local_id(0)] = tile[0][get_local_id(0)];
}
