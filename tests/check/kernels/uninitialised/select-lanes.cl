// SPDX-License-Identifier: Apache-2.0
// The right twin leaves components open that a mask hides; the other one uses them.
// kernel: select_lanes
// run: -g 4 -l 4 -a iota:4 -a zeros:16
kernel void select_lanes(global const int *in, global int4 *out) {
  const int i = get_global_id(0);
  int4 v;  // also
  v.xy = (int2)(in[i], 1);
#ifdef RIGHT
  const int4 mask = (int4)(-1, -1, 0, 0);
#else
  const int4 mask = (int4)(-1, -1, -1, 0);
#endif
  out[i] = select((int4)(7), v, mask);  // wrong
}
