// SPDX-License-Identifier: Apache-2.0
// A program-scope variable is set by every work-item.
// kernel: program_variable
// run: -g 32 -l 8 -a iota:32
// build: -cl-std=CL2.0
global int newest;
kernel void program_variable(global const int *in) {
#ifdef RIGHT
  atomic_max(&newest, in[get_global_id(0)]);
#else
  if (in[get_global_id(0)] > newest) newest = in[get_global_id(0)];  // wrong
#endif
}
