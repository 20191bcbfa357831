// SPDX-License-Identifier: Apache-2.0
// One component of a vector of divisors is zero.
// kernel: vector
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void vector(global const int4 *in, global int4 *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = 100 / max(in[i], (int4)(1));
#else
  out[i] = 100 / in[i];  // wrong
#endif
}
