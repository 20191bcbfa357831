// SPDX-License-Identifier: Apache-2.0
// A search begins anew for ever.
// kernel: two_loops
// run: -g 2 -l 2 -a iota:8 -a zeros:2
kernel void two_loops(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int wanted = 9, place = -1;
  while (place < 0) {  // also
    for (int k = 0; k < 8; ++k)  // wrong
      if (in[k] == wanted) place = k;
#ifdef RIGHT
    --wanted;
#endif
  }
  out[i] = place;
}
