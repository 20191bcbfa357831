// SPDX-License-Identifier: Apache-2.0
// The number of rows is computed by an integer division that gives 0, and then divided by.
// kernel: rows
// run: -g 8 -l 8 -a zeros:8 -a 3 -a 8
kernel void rows(global int *out, int count, int width) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const int height = (count + width - 1) / width;
#else
  const int height = count / width;
#endif
  out[i] = i / height + i % width;  // wrong
}
