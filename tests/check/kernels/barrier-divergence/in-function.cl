// SPDX-License-Identifier: Apache-2.0
// The barrier stands in a function that only some work-items call.
// kernel: in_function
// run: -g 32 -l 8 -a iota:32 -a zeros:32
void meet(void) {
  barrier(CLK_LOCAL_MEM_FENCE);  // wrong
}
int worked(int value) {
  meet();
  return value * 3;
}
kernel void in_function(global const int *in, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const int result = worked(in[i]);
  out[i] = in[i] > 20 ? result : 0;
#else
  out[i] = in[i] > 20 ? worked(in[i]) : 0;
#endif
}
