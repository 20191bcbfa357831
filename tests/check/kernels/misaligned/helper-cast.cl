// SPDX-License-Identifier: Apache-2.0
// A function reads a double from any address that it gets.
// kernel: helper_cast
// run: -g 4 -l 4 -a zeros:64 -a zeros:4
double number(global const char *at) {
  return *(global const double *)at;  // wrong
}
kernel void helper_cast(global const char *bytes, global double *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = number(bytes + i * 8);
#else
  out[i] = number(bytes + i * 10);
#endif
}
