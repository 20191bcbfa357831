// SPDX-License-Identifier: Apache-2.0
// A step is too small to change a large number.
// kernel: float_step
// run: -g 4 -l 4 -a zeros:4
kernel void float_step(global float *out) {
  float x = 16777216.0f;
#ifdef RIGHT
  const float step = 4;
#else
  const float step = 0.5f;
#endif
  while (x < 16777300.0f)  // wrong
    x += step;  // also
  out[get_global_id(0)] = x;
}
