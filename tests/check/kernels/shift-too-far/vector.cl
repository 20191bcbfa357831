// SPDX-License-Identifier: Apache-2.0
// One component of a vector is shifted too far.
// kernel: vector
// run: -g 8 -l 8 -a zeros:8 -a 1,2,3,40
kernel void vector(global int4 *out, int4 bits) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (int4)(i) << min(bits, (int4)(31));
#else
  out[i] = (int4)(i) << bits;  // wrong
#endif
}
