// SPDX-License-Identifier: Apache-2.0
// The distance between two buffers is added to a pointer into the first: the write is in the other buffer.
// kernel: into_neighbour
// run: -g 32 -l 8 -a zeros:32 -a zeros:32
kernel void into_neighbour(global int *first, global int *second) {
  const int i = get_global_id(0);
  const long distance = ((long)(size_t)second - (long)(size_t)first) / (long)sizeof(int);
#ifdef RIGHT
  second[i] = (int)(distance != 0);
#else
  first[i + distance] = 1;  // wrong
#endif
}
