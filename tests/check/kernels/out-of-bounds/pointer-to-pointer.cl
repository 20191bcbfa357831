// SPDX-License-Identifier: Apache-2.0
// A helper function moves a pointer too far.
// kernel: pointer_to_pointer
// run: -g 4 -l 4 -a iota:4 -a zeros:4
void advance(global const int **p, int by) { *p += by; }
kernel void pointer_to_pointer(global const int *in, global int *out) {
  global const int *p = in;
  for (int k = 0; k < 4; ++k) {
    out[get_global_id(0)] = *p;  // wrong
#ifdef RIGHT
    advance(&p, 1);
#else
    advance(&p, 2);
#endif
  }
}
