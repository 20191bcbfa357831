// SPDX-License-Identifier: Apache-2.0
// Neighbouring work-items read and write one byte of each other.
// kernel: bytes
// run: -g 32 -l 8 -a zeros:64 -a zeros:32
kernel void bytes(global uchar *data, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  data[2 * i] = (uchar)i;
  out[i] = data[2 * i + 1];
#else
  data[i] = (uchar)i;  // wrong
  out[i] = data[i + 1];  // wrong
#endif
}
