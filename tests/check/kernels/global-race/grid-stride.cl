// SPDX-License-Identifier: Apache-2.0
// Chunks of a loop overlap by one element.
// kernel: grid_stride
// run: -g 16 -l 4 -a zeros:64
kernel void grid_stride(global int *out) {
  const int first = get_global_id(0) * 4;
#ifdef RIGHT
  const int last = first + 4;
#else
  const int last = min(first + 5, 64);
#endif
  for (int k = first; k < last; ++k) out[k] = k;  // wrong
}
