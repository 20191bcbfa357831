// SPDX-License-Identifier: Apache-2.0
// All components of a vector are shifted by a constant that is too large.
// kernel: nested_vector_shift
// run: -g 4 -l 4 -a iota:16 -a zeros:16
kernel void nested_vector_shift(global const int4 *in, global int4 *out) {
  int i = get_global_id(0);
#ifdef RIGHT
  out[i] = in[i] << 31;
#else
  out[i] = in[i] << 33;  // wrong
#endif
}
