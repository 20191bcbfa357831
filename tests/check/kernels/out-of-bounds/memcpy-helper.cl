// SPDX-License-Identifier: Apache-2.0
// A copy by bytes that is given elements times the size once more.
// kernel: memcpy_helper
// run: -g 1 -l 1 -a iota:8 -a zeros:8
void copy(global char *to, global const char *from, uint bytes) {
  for (uint k = 0; k < bytes; ++k)
    to[k] = from[k];  // wrong
}
kernel void memcpy_helper(global const int *in, global int *out) {
#ifdef RIGHT
  copy((global char *)out, (global const char *)in, 8 * sizeof(int));
#else
  copy((global char *)out, (global const char *)in, 8 * sizeof(int) + 1);
#endif
}
