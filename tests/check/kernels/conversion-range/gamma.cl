// SPDX-License-Identifier: Apache-2.0
// A brightness above one is made a byte.
// kernel: gamma
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void gamma(global const float *in, global uchar *out) {
  const int i = get_global_id(0);
  const float v = in[i] * 0.25f;
#ifdef RIGHT
  out[i] = (uchar)(clamp(v, 0.0f, 1.0f) * 255.0f);
#else
  out[i] = (uchar)(v * 255.0f);  // wrong
#endif
}
