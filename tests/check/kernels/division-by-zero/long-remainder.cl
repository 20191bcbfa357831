// SPDX-License-Identifier: Apache-2.0
// The remainder of longs by a value from memory.
// kernel: long_remainder
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void long_remainder(global const long *in, global long *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = in[i] == 0 ? 0 : 1000000007L % in[i];
#else
  out[i] = 1000000007L % in[i];  // wrong
#endif
}
