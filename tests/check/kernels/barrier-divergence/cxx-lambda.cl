// SPDX-License-Identifier: Apache-2.0
// A lambda with a barrier is called by all work-items but one.
// kernel: cxx_lambda
// run: -g 8 -l 8 -a zeros:8
// build: -cl-std=clc++2021
kernel void cxx_lambda(global int *out) {
  int l = get_local_id(0);
  auto sync = [] { work_group_barrier(CLK_LOCAL_MEM_FENCE); };  // wrong
#ifdef RIGHT
  sync();
#else
  if (l != 5) sync();  // also
#endif
  out[l] = l;
}
