// SPDX-License-Identifier: Apache-2.0
// The range begins at an offset, and the kernel adds it once more.
// kernel: half_of_range_offset
// run: -g 16 -l 8 -a iota:16 -a zeros:16 --offset 8
kernel void half_of_range_offset(global const int *in, global int *out) {
  const size_t i = get_global_id(0);
#ifdef RIGHT
  const size_t at = i - get_global_offset(0);
#else
  const size_t at = i;
#endif
  out[at] = in[at];  // wrong
}
