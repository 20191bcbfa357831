// SPDX-License-Identifier: Apache-2.0
// A negative float becomes an unsigned number.
// kernel: negative_to_unsigned
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void negative_to_unsigned(global const float *in, global uint *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = (uint)fabs(3.0f - in[i]);
#else
  out[i] = (uint)(3.0f - in[i]);  // wrong
#endif
}
