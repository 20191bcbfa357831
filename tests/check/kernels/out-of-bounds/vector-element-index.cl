// SPDX-License-Identifier: Apache-2.0
// A vector of four is read as an array of five.
// kernel: vector_element_index
// run: -g 8 -l 8 -a zeros:8
kernel void vector_element_index(global int *out) {
  int4 v = (int4)(1, 2, 3, 4);
  int *p = (int *)&v;
  int s = 0;
#ifdef RIGHT
  for (int k = 0; k < 4; ++k)
#else
  for (int k = 0; k < 5; ++k)
#endif
    s += p[k];  // wrong
  out[get_global_id(0)] = s;
}
