// SPDX-License-Identifier: Apache-2.0
// Components of a vector that were never set are moved into the result.
// kernel: shuffle_lanes
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void shuffle_lanes(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int4 v;  // also
  v.lo = (int2)(in[i], 1);
#ifdef RIGHT
  v.hi = (int2)(0);
#endif
  const int4 w = v.wzyx;
  out[i] = w.x + w.w;  // wrong
}
