// SPDX-License-Identifier: Apache-2.0
// A row of five floats is read as float4.
// kernel: vector_of_row
// run: -g 4 -l 4 -a iota:20 -a zeros:4
kernel void vector_of_row(global const float *m, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const float4 row = vload4(0, m + 5 * i);
#else
  const float4 row = *(global const float4 *)(m + 5 * i);  // wrong
#endif
  out[i] = row.x + row.w;
}
