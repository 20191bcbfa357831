// SPDX-License-Identifier: Apache-2.0
// A method of a C++ class adds without an atomic function.
// kernel: cxx_atomic
// run: -g 32 -l 8 -a zeros:32 -a zeros:1
// build: -cl-std=clc++2021
struct Accumulator {
  __global int *total;
  void add(int v) const {
#ifdef RIGHT
    atomic_add(total, v);
#else
    *total += v;  // wrong
#endif
  }
};
kernel void cxx_atomic(global const int *in, global int *total) {
  const Accumulator a{total};
  a.add(in[get_global_id(0)]);
}
