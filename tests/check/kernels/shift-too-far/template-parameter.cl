// SPDX-License-Identifier: Apache-2.0
// A parameter of a template is the number of bits.
// kernel: template_parameter
// run: -g 4 -l 4 -a iota:4 -a zeros:4
// build: -cl-std=clc++2021
template <int N> uint up(uint v) { return v << N; }  // wrong
kernel void template_parameter(global const uint *in, global uint *out) {
  int i = get_global_id(0);
#ifdef RIGHT
  out[i] = up<31>(in[i]);
#else
  out[i] = up<32>(in[i]);
#endif
}
