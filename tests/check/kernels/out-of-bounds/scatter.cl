// SPDX-License-Identifier: Apache-2.0
// A work-item writes where a neighbour's number leads, once ahead of the buffer.
// kernel: scatter
// run: -g 32 -l 8 -a iota:32 -a zeros:32
kernel void scatter(global const int *position, global char *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[position[i]] = 1;
#else
  out[position[i] - 2] = 1;  // wrong
#endif
}
