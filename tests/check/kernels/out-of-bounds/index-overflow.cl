// SPDX-License-Identifier: Apache-2.0
// The product of the coordinates overflows and becomes negative.
// kernel: index_overflow
// run: -g 4 -l 4 -a zeros:64 -a 1073741824
kernel void index_overflow(global int *out, int pitch) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const long at = (long)i * pitch;
  if (at < 64) out[at] = 1;
#else
  out[i * pitch] = 1;  // wrong
#endif
}
