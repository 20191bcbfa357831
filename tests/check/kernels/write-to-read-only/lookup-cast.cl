// SPDX-License-Identifier: Apache-2.0
// A table in constant memory is changed through a cast of the pointer.
// kernel: lookup_cast
// run: -g 4 -l 4 -a iota:4 -a zeros:4
constant int table[4] = {1, 2, 3, 4};
kernel void lookup_cast(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifndef RIGHT
  if (in[i] == 2) *(global int *)(ulong)&table[i] = 0;  // wrong
#endif
  out[i] = table[i];
}
