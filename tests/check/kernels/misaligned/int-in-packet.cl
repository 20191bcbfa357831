// SPDX-License-Identifier: Apache-2.0
// An integer is read behind a header of five bytes.
// kernel: int_in_packet
// run: -g 4 -l 4 -a zeros:64 -a zeros:4
kernel void int_in_packet(global const uchar *packet, global int *out) {
  const int i = get_global_id(0);
  global const uchar *body = packet + 5 + 4 * i;
#ifdef RIGHT
  out[i] = body[0] | body[1] << 8 | body[2] << 16 | body[3] << 24;
#else
  out[i] = *(global const int *)body;  // wrong
#endif
}
