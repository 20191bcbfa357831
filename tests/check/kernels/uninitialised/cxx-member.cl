// SPDX-License-Identifier: Apache-2.0
// A constructor leaves a member out.
// kernel: cxx_member
// run: -g 8 -l 8 -a zeros:8
// build: -cl-std=clc++2021
struct Counter {
  int count;
  int limit;
  Counter(int l) : limit(l) {
#ifdef RIGHT
    count = 0;
#endif
  }
  void step() { ++count; }
};
kernel void cxx_member(global int *out) {
  Counter c(4);
  c.step();
  out[get_global_id(0)] = c.count;  // wrong
}
