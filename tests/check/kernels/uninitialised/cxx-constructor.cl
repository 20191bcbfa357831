// SPDX-License-Identifier: Apache-2.0
// A constructor forgets a member that a method divides by.
// kernel: cxx_constructor
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// build: -cl-std=clc++2021
struct Average {
  int sum, count;
  Average(int first) : sum(first) {
#ifdef RIGHT
    count = 1;
#endif
  }
  int value() const { return sum / count; }  // wrong
};
kernel void cxx_constructor(global const int *in, global int *out) {
  Average average(in[get_global_id(0)]);  // also
  out[get_global_id(0)] = average.value();
}
