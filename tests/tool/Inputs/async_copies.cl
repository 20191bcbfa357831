// SPDX-License-Identifier: Apache-2.0
// Local arrays whose elements no other code than asynchronous copies reads and writes.
kernel void whole(global const int2* in, global int2* out) {
  local int2 kept[32];
  event_t copied = async_work_group_copy(kept, in, 32, 0);
  wait_group_events(1, &copied);
  copied = async_work_group_copy(out, kept, 32, 0);
  wait_group_events(1, &copied);
}

kernel void parts(global const int* in, global int* out, int n) {
  local int rows[4][16], others[64];
  local int* chosen = n > 0 ? rows[n] : others;
  event_t copied = async_work_group_copy(rows[0], in, 16, 0);
  copied = async_work_group_strided_copy(chosen, in + 16, 16, 2, copied);
  copied = async_work_group_copy(others + 8, in + 48, 16, copied);
  wait_group_events(1, &copied);
  copied = async_work_group_copy(out, chosen, 16, 0);
  copied = async_work_group_copy(out + 16, rows[0], 16, copied);
  copied = async_work_group_strided_copy(out + 32, others + 8, 16, 2, copied);
  wait_group_events(1, &copied);
}
