// SPDX-License-Identifier: Apache-2.0
// Work-items add to a member of an object in local memory.
// kernel: cxx_shared_object
// run: -g 16 -l 16 -a iota:16 -a zeros:1
// build: -cl-std=clc++2021
struct Sum {
  int value;
  void add(int by) __local {
#ifdef RIGHT
    atomic_add(&value, by);
#else
    value += by;  // wrong
#endif
  }
};
kernel void cxx_shared_object(global const int *in, global int *out) {
  local Sum sum;
  if (get_local_id(0) == 0) sum.value = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum.add(in[get_local_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[0] = sum.value;
}
