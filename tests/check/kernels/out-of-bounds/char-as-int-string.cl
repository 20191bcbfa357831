// SPDX-License-Identifier: Apache-2.0
// Text is compared four bytes at a time, and its length is no multiple of four.
// kernel: char_as_int_string
// run: -g 4 -l 4 -a zeros:14 -a zeros:4
kernel void char_as_int_string(global const char *text, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = i < 3 ? ((global const int *)text)[i] : 0;
#else
  out[i] = ((global const int *)text)[i];  // wrong
#endif
}
