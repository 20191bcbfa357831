// SPDX-License-Identifier: Apache-2.0
// Each work-item of a work-group writes the result of the work-group.
// kernel: group_result
// run: -g 64 -l 16 -a iota:64 -a zeros:4
kernel void group_result(global const int *in, global int *out) {
#ifdef RIGHT
  if (get_local_id(0) == 0)
#endif
    out[get_group_id(0)] = in[get_global_id(0)];  // wrong
}
