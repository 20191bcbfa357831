// SPDX-License-Identifier: Apache-2.0
// A sparse matrix whose row pointers are one too few.
// kernel: csr_row_pointer
// run: -g 4 -l 4 -a iota:4 -a iota:8 -a zeros:4
kernel void csr_row_pointer(global const int *rows, global const float *values, global float *out) {
  const int r = get_global_id(0);
#ifdef RIGHT
  if (r == 3) return;
#endif
  float sum = 0.0f;
  for (int k = rows[r]; k < rows[r + 1]; ++k)  // wrong
    sum += values[k];
  out[r] = sum;
}
