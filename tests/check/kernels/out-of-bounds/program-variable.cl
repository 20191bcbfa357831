// SPDX-License-Identifier: Apache-2.0
// A program-scope array has 4 counters, and 5 are counted.
// kernel: program_variable
// run: -g 20 -l 5 -a iota:20
// build: -cl-std=CL2.0
global int counters[4];
kernel void program_variable(global const int *in) {
  const int i = get_global_id(0);
#ifdef RIGHT
  atomic_inc(&counters[in[i] % 4]);
#else
  atomic_inc(&counters[in[i] % 5]);  // wrong
#endif
}
