// SPDX-License-Identifier: Apache-2.0
// A function clears the elements up to and with the end it is given.
// kernel: helper_writes
// run: -g 4 -l 2 -a zeros:64
void clear(global float *begin, int count) {
#ifdef RIGHT
  for (int i = 0; i < count; ++i) begin[i] = 0.0f;
#else
  for (int i = 0; i <= count; i += 16) begin[i] = 0.0f;  // wrong
#endif
}
kernel void helper_writes(global float *data) {
  if (get_global_id(0) == 0) clear(data, 64);
}
