// SPDX-License-Identifier: Apache-2.0
// The remainder by an argument that is 0.
// kernel: modulo_argument
// run: -g 16 -l 4 -a iota:16 -a zeros:16 -a 0
kernel void modulo_argument(global const uint *in, global uint *out, uint period) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = period ? in[i] % period : in[i];
#else
  out[i] = in[i] % period;  // wrong
#endif
}
