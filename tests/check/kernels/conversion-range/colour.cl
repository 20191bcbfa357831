// SPDX-License-Identifier: Apache-2.0
// A colour brighter than 1 does not fit a byte.
// kernel: colour
// run: -g 8 -l 8 -a iota:8 -a zeros:8
uchar byte_of(float value) {
#ifdef RIGHT
  return (uchar)(clamp(value, 0.0f, 1.0f) * 255.0f);
#else
  return (uchar)(value * 255.0f);  // wrong
#endif
}
kernel void colour(global const float *in, global uchar *out) {
  const int i = get_global_id(0);
  out[i] = byte_of(in[i] * 0.25f);
}
