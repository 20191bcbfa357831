// SPDX-License-Identifier: Apache-2.0
// Work-items ask for the values of different ones.
// kernel: ask
// build: -cl-std=CL2.0
// run: -g 8 -l 8 -a iota:8 -a zeros:8 -a 3
kernel void ask(global const int *in, global int *out, int from) {
  const int l = get_local_id(0);
#ifndef RIGHT
  from = 7 - l;
#endif
  out[l] = work_group_broadcast(in[l], from);  // wrong
}
