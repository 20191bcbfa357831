// SPDX-License-Identifier: Apache-2.0
// A scratch area of bytes in local memory is used for shorts at odd places.
// kernel: local_bytes
// run: -g 8 -l 8 -a zeros:8 -a local:64
kernel void local_bytes(global int *out, local uchar *scratch) {
  const int l = get_local_id(0);
#ifdef RIGHT
  local short *mine = (local short *)(scratch + l * 4);
#else
  local short *mine = (local short *)(scratch + l * 4 + 1);
#endif
  *mine = (short)l;  // wrong
  out[l] = l;
}
