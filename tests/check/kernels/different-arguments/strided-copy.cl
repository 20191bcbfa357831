// SPDX-License-Identifier: Apache-2.0
// The stride of a copy depends on the work-item.
// kernel: stride
// run: -g 4 -l 4 -a iota:32 -a zeros:4 -a 2
kernel void stride(global const int *in, global int *out, int step) {
  local int t[4];
  const int l = get_local_id(0);
#ifndef RIGHT
  step += l;
#endif
  event_t e = async_work_group_strided_copy(t, in, 4, step, 0);  // wrong
  wait_group_events(1, &e);
  out[l] = t[l];
}
