// SPDX-License-Identifier: Apache-2.0
// One of two buffers is read, and one of them is written.
// kernel: chosen
// run: -g 16 -l 4 -a iota:17 -a zeros:17 -a 1
kernel void chosen(global const int *first, global int *second, int other) {
  const size_t i = get_global_id(0);
  global const int *from = other ? second : first;
#ifdef RIGHT
  second[i] = from[i] + 1;
#else
  second[i] = from[i + 1] + 1;  // wrong
#endif
}
