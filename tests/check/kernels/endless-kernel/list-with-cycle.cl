// SPDX-License-Identifier: Apache-2.0
// A linked list leads back to its first element.
// kernel: list_with_cycle
// run: -g 2 -l 2 -a zeros:8 -a zeros:2
kernel void list_with_cycle(global const int *next, global int *out) {
  int at = 3, length = 0;
#ifdef RIGHT
  for (; at != 0; at = next[at])
#else
  for (; at != -1; at = next[at])  // wrong
#endif
    ++length;
  out[get_global_id(0)] = length;
}
