// SPDX-License-Identifier: Apache-2.0
// Every work-item writes its id to the same element.
// kernel: all_write_one
// run: -g 64 -l 16 -a zeros:1
kernel void all_write_one(global int *out) {
#ifdef RIGHT
  if (get_global_id(0) == 63)
#endif
    out[0] = get_global_id(0);  // wrong
}
