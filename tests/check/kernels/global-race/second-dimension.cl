// SPDX-License-Identifier: Apache-2.0
// The rows of the NDRange write to the same elements.
// kernel: columns
// run: -g 8,4 -l 4,2 -a zeros:32
kernel void columns(global int *out) {
  const size_t x = get_global_id(0), y = get_global_id(1);
#ifdef RIGHT
  out[y * get_global_size(0) + x] = y;
#else
  out[x] = y;  // wrong
#endif
}
