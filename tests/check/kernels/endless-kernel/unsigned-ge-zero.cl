// SPDX-License-Identifier: Apache-2.0
// An unsigned counter is never below zero.
// kernel: unsigned_ge_zero
// run: -g 4 -l 4 -a zeros:4
kernel void unsigned_ge_zero(global int *out) {
  int s = 0;
#ifdef RIGHT
  for (int i = 3; i >= 0; i--) {
#else
  for (uint i = 3; i >= 0; i--) {  // wrong
#endif
    s += i;  // also
    if (s == 123456789) atomic_inc(&out[1]);  // also
  }
  out[get_global_id(0)] = s;
}
