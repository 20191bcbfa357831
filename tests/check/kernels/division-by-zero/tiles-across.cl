// SPDX-License-Identifier: Apache-2.0
// A number of tiles that is rounded down to zero divides an index.
// kernel: tiles_across
// run: -g 8 -l 8 -a zeros:8 -a 4 -a 8
kernel void tiles_across(global int *out, int width, int tile) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const int across = (width + tile - 1) / tile;
#else
  const int across = width / tile;
#endif
  out[i] = i % across;  // wrong
}
