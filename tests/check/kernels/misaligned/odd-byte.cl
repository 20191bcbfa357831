// SPDX-License-Identifier: Apache-2.0
// An int is read at every byte of a message.
// kernel: odd_byte
// run: -g 16 -l 4 -a iota:64 -a zeros:16
kernel void odd_byte(global const uchar *message, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = *(global const int *)(message + i * 4);
#else
  out[i] = *(global const int *)(message + i + 1);  // wrong
#endif
}
