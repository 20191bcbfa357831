// SPDX-License-Identifier: Apache-2.0
// The bin of a value is computed for one below the lower bound.
// kernel: bin_of_value
// run: -g 8 -l 8 -a iota:8 -a zeros:8
uint bin_of(float value, float low, float width) {
#ifdef RIGHT
  if (value < low) return 0;
#endif
  return (uint)((value - low) / width);  // wrong
}
kernel void bin_of_value(global const float *in, global uint *out) {
  const int i = get_global_id(0);
  out[i] = bin_of(in[i], 4.0f, 0.5f);
}
