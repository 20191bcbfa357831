// SPDX-License-Identifier: Apache-2.0
// Every other element of a new buffer is set.
// kernel: new_buffer_partly
// run: -g 8 -l 8 -a new:16 -a zeros:8
kernel void new_buffer_partly(global int *scratch, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  scratch[2 * i + 1] = i;
#endif
  scratch[2 * i] = i;
  out[i] = scratch[2 * i] + scratch[2 * i + 1];  // wrong
}
