// SPDX-License-Identifier: Apache-2.0
// A kernel that a debugger stops in, with a function that is inlined.
float scaled(float value, float by) {
  return value * by;
}

kernel void saxpy(global float* y, global const float* x, float a) {
  size_t i = get_global_id(0);
  float value = x[i];
  y[i] = scaled(value, a) + y[i];
}
