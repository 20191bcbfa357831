// SPDX-License-Identifier: Apache-2.0
// A pointer leads to a variable of the loop's last iteration.
// kernel: value_of_last_turn
// run: -g 8 -a iota:64 -a zeros:8
kernel void value_of_last_turn(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int first = 0, sum = 0;
  int *before = &first;
#ifdef RIGHT
  int now[2];
#endif
  for (int k = 0; k < 8; ++k) {
#ifdef RIGHT
    int *const own = &now[k & 1];
#else
    int own[1];
#endif
    sum += *before;  // wrong
    own[0] = in[8 * i + k];
    before = own;
  }
  out[i] = sum;  // wrong
}
