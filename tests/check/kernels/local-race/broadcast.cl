// SPDX-License-Identifier: Apache-2.0
// One work-item sets a value that the others read at once.
// kernel: broadcast
// run: -g 32 -l 8 -a iota:32 -a zeros:32
kernel void broadcast(global const float *in, global float *out) {
  local float scale;
  if (get_local_id(0) == 0) scale = in[get_group_id(0)];  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = in[get_global_id(0)] * scale;  // wrong
}
