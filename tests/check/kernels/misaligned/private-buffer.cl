// SPDX-License-Identifier: Apache-2.0
// A private buffer of bytes is read as an int behind its first byte.
// kernel: private_buffer
// run: -g 4 -l 4 -a iota:4 -a zeros:4
// bounds: the alignment of private variables is not looked at
kernel void private_buffer(global const int *in, global int *out) {
  const int i = get_global_id(0);
  uchar buffer[16] __attribute__((aligned(16)));
  for (int k = 0; k < 16; ++k) buffer[k] = (uchar)(in[i] + k);
#ifdef RIGHT
  out[i] = *(int *)(buffer + (in[i] & 3) * 4);
#else
  out[i] = *(int *)(buffer + (in[i] & 3) + 1);  // wrong
#endif
}
