// SPDX-License-Identifier: Apache-2.0
// Work-items have an object each, whose functions get it by a generic pointer, and write one element of local memory.
// Every access is looked at, as the kernel uses sub-groups.
// kernel: cxx_object
// run: -g 8 -l 8 -a zeros:8
// build: -cl-std=clc++2021
class Counter {
public:
  explicit Counter(int first) : count(first) {}
  void step() { ++count; }
  int count;
};
kernel void cxx_object(global int *out) {
  local int tile[8];
  const int i = get_local_id(0);
  Counter own(i);
  own.step();
#ifdef RIGHT
  tile[i] = own.count;
#else
  tile[i / 2] = own.count;  // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[i / 2] + sub_group_reduce_add(1);
}
