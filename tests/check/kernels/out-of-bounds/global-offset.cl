// SPDX-License-Identifier: Apache-2.0
// The range begins at an offset that the kernel forgets to take off.
// kernel: global_offset
// run: -g 16 -l 4 --offset 8 -a zeros:16
kernel void global_offset(global int *out) {
#ifdef RIGHT
  const size_t i = get_global_id(0) - get_global_offset(0);
#else
  const size_t i = get_global_id(0);
#endif
  out[i] = (int)i;  // wrong
}
