// SPDX-License-Identifier: Apache-2.0
// All work-items write the same value to one element.
// kernel: same_value
// run: -g 16 -l 8 -a zeros:16
kernel void same_value(global int *out) {
  local int count;
#ifdef RIGHT
  if (get_local_id(0) == 0) count = 8;
#else
  count = 8;  // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = count;
}
