// SPDX-License-Identifier: Apache-2.0
// Two work-items write neighbouring channels of a pixel as a whole word.
// kernel: color_channels
// run: -g 16 -l 4 -a zeros:16
kernel void color_channels(global uint *pixels) {
  const int i = get_global_id(0);
#ifdef RIGHT
  pixels[i] |= 0xffu << (8 * (i % 2));
#else
  pixels[i / 2] |= 0xffu << (8 * (i % 2));  // wrong
#endif
}
