// SPDX-License-Identifier: Apache-2.0
// A switch has no case for one of the values.
// kernel: switch_missing
// run: -g 8 -l 8 -a iota:8 -a zeros:8
kernel void switch_missing(global const int *in, global int *out) {
  const int i = get_global_id(0);
  int code;  // also
  switch (in[i] % 3) {
  case 0:
    code = 5;
    break;
  case 1:
    code = 7;
    break;
#ifdef RIGHT
  default:
    code = 0;
#endif
  }
  out[i] = code;  // wrong
}
