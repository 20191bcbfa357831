// SPDX-License-Identifier: Apache-2.0
// The value that an exchange compares with was never set.
// kernel: expected_value
// run: -g 1 -a zeros:1 -a zeros:1
// build: -cl-std=CL2.0
kernel void expected_value(global atomic_int *a, global int *o) {
  int expected;  // also
#ifdef RIGHT
  expected = 0;
#endif
  *o = atomic_compare_exchange_strong(a, &expected, 7);  // wrong
}
