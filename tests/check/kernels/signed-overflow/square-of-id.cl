// SPDX-License-Identifier: Apache-2.0
// The square of an index is an int before it becomes a long.
// kernel: square_of_id
// run: -g 65536 -l 64 -a zeros:65536
// check: all,overflow
kernel void square_of_id(global long *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (long)i * i;
#else
  out[i] = i * i;  // wrong
#endif
}
