// SPDX-License-Identifier: Apache-2.0
// Bytes of a vector in private memory are read through a pointer, one more than it has.
// kernel: vector_pointer_cast
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void vector_pointer_cast(global const uint *in, global int *out) {
  const int i = get_global_id(0);
  uint2 pair = (uint2)(in[i], in[i] + 1);
  const uchar *bytes = (const uchar *)&pair;
  int total = 0;
#ifdef RIGHT
  for (int k = 0; k < (int)sizeof(uint2); ++k) total += bytes[k];
#else
  for (int k = 0; k < (int)sizeof(uint3); ++k) total += bytes[k];  // wrong
#endif
  out[i] = total;
}
