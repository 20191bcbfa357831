// SPDX-License-Identifier: Apache-2.0
// The copy is started if the size is large, and waited for in any case.
// kernel: event_of_other_branch
// run: -g 16 -l 16 -a iota:16 -a zeros:16 -a 0
kernel void event_of_other_branch(global const int *in, global int *out, int large) {
  local int s[16];
  const int l = get_local_id(0);
  event_t e;
#ifdef RIGHT
  e = async_work_group_copy(s, in, 16, 0);
#else
  if (large) e = async_work_group_copy(s, in, 16, 0);
  else s[l] = in[l];
#endif
  wait_group_events(1, &e);  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = s[15 - l];
}
