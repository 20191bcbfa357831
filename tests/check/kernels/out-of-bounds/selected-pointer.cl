// SPDX-License-Identifier: Apache-2.0
// One of two buffers is chosen at run time, and the shorter one is indexed like the longer one.
// kernel: selected_pointer
// run: -g 32 -l 8 -a iota:32 -a iota:16 -a zeros:32
kernel void selected_pointer(global const int *even, global const int *odd, global int *out) {
  const int i = get_global_id(0);
  global const int *from = i % 2 ? odd : even;
#ifdef RIGHT
  out[i] = from[i / 2];
#else
  out[i] = from[i];  // wrong
#endif
}
