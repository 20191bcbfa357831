// SPDX-License-Identifier: Apache-2.0
// A function with a generic pointer reads behind a local array.
// kernel: generic_pointer
// run: -g 16 -l 8 -a iota:16 -a zeros:16
// build: -cl-std=CL2.0
int last(const int *values, int count) {
#ifdef RIGHT
  return values[count - 1];
#else
  return values[count];  // wrong
#endif
}
kernel void generic_pointer(global const int *in, global int *out) {
  local int copy[8];
  copy[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = last(copy, 8);
}
