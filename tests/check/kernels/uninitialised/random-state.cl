// SPDX-License-Identifier: Apache-2.0
// A random generator whose state has no seed decides a branch.
// kernel: random_state
// run: -g 8 -l 8 -a zeros:8
uint next(uint *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state;
}
kernel void random_state(global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  uint state = i;
#else
  uint state;  // also
#endif
  int inside = 0;
  for (int k = 0; k < 8; ++k)
    if (next(&state) & 1) ++inside;  // wrong
  out[i] = inside;
}
