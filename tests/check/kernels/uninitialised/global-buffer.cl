// SPDX-License-Identifier: Apache-2.0
// A buffer that nothing has written is read.
// kernel: global_buffer
// run: -g 4 -l 4 -a new:4 -a zeros:4
kernel void global_buffer(global int *scratch, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  scratch[i] = i;
#endif
  out[i] = scratch[i] + 1;  // wrong
}
