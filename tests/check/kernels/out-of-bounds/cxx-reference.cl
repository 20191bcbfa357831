// SPDX-License-Identifier: Apache-2.0
// A C++ reference is to the element behind the last one.
// kernel: cxx_reference
// run: -g 8 -l 8 -a zeros:8
// build: -cl-std=clc++2021
void setTo(__global int &x, int value) {
  x = value;  // wrong
}
kernel void cxx_reference(global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  setTo(out[i], 3);
#else
  setTo(out[i + 1], 3);
#endif
}
