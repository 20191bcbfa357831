// SPDX-License-Identifier: Apache-2.0
// A word is written while others write its bytes.
// kernel: bytes_of_int
// run: -g 32 -l 8 -a zeros:32
kernel void bytes_of_int(global uchar *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = i;
#else
  if (i % 4 == 0) *(global uint *)(out + i) = 0;  // wrong
  else out[i] = i;  // wrong
#endif
}
