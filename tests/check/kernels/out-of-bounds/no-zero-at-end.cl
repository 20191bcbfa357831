// SPDX-License-Identifier: Apache-2.0
// The length of a string is sought, but nothing ends it.
// kernel: no_zero_at_end
// run: -g 1 -l 1 -a random:32:1:9 -a zeros:1 -a 32
kernel void no_zero_at_end(global const char *text, global int *length, int size) {
  int n = 0;
#ifdef RIGHT
  while (n < size && text[n] != 0) ++n;
#else
  while (text[n] != 0 && n < 100) ++n;  // wrong
#endif
  *length = n;
}
