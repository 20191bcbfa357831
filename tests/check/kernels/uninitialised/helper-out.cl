// SPDX-License-Identifier: Apache-2.0
// A function leaves its result parameter alone if it finds nothing.
// kernel: helper_out
// run: -g 8 -l 8 -a iota:8 -a zeros:8
static void find(global const int *in, int wanted, int *place) {
  for (int k = 0; k < 8; ++k)
    if (in[k] == wanted) *place = k;
}
kernel void helper_out(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  int place = -1;
#else
  int place;  // also
#endif
  find(in, 2 * i, &place);
  out[i] = place;  // wrong
}
