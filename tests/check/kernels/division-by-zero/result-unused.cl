// SPDX-License-Identifier: Apache-2.0
// The quotient is not used where the divisor is 0.
// kernel: result_unused
// run: -g 4 -l 4 -a iota:4 -a zeros:4
kernel void result_unused(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const int q = in[i] ? 8 / in[i] : 0;
#else
  const int q = 8 / in[i];  // wrong
#endif
  out[i] = in[i] ? q : -1;
}
