// SPDX-License-Identifier: Apache-2.0
// Each work-item overwrites its element with its neighbour's.
// kernel: in_place_shift
// run: -g 64 -l 16 -a iota:64 -a zeros:64
kernel void in_place_shift(global int *data, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = i + 1 < 64 ? data[i + 1] : data[i];
#else
  if (i + 1 < 64) data[i] = data[i + 1];  // wrong
#endif
}
