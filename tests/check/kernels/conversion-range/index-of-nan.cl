// SPDX-License-Identifier: Apache-2.0
// An angle that is not defined becomes an index.
// kernel: index_of_nan
// run: -g 8 -l 8 -a zeros:8 -a zeros:8
kernel void index_of_nan(global const float *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const float a = acos(clamp(in[i] + 0.5f, -1.0f, 1.0f));
#else
  const float a = acos(in[i] + 2.0f);
#endif
  out[i] = convert_int_rtz(a * 10.0f);  // wrong
}
