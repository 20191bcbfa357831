// SPDX-License-Identifier: Apache-2.0
// A constant variable begins with a shift that has no bits left.
// kernel: both_constant
// run: -g 4 -l 4 -a zeros:4
kernel void both_constant(global uint *out) {
  int i = get_global_id(0);
#ifdef RIGHT
  const uint top = 1u << 31;
#else
  const uint top = 1u << 32;  // wrong
#endif
  out[i] = top + i;
}
