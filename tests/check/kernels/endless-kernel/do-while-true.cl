// SPDX-License-Identifier: Apache-2.0
// The condition at the end of a loop stays true.
// kernel: do_while_true
// run: -g 4 -l 4 -a zeros:4 -a zeros:4
kernel void do_while_true(global const int *in, global int *out) {
  int i = get_global_id(0), n = 0;
#ifdef RIGHT
  do {
    n++;
  } while (n < 5 + in[i]);
#else
  do {  // wrong
    n++;  // also
  } while (n > in[i]);  // also
#endif
  out[i] = n;
}
