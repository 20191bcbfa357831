// SPDX-License-Identifier: Apache-2.0
// Each work-item copies from a place of its own, as if the copy were its own.
// kernel: source
// run: -g 16 -l 8 -a iota:32 -a zeros:16
kernel void source(global const int *in, global int *out) {
  local int t[8];
#ifdef RIGHT
  global const int *from = in + get_group_id(0) * 8;
#else
  global const int *from = in + get_global_id(0);
#endif
  event_t e = async_work_group_copy(t, from, 8, 0);  // wrong
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[get_local_id(0)];
}
