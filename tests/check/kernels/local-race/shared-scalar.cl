// SPDX-License-Identifier: Apache-2.0
// All work-items of a work-group write a local variable, each another value.
// kernel: shared_scalar
// run: -g 32 -l 8 -a iota:32 -a zeros:32
kernel void shared_scalar(global const int *in, global int *out) {
  local int largest;
  const int l = get_local_id(0);
  if (l == 0) largest = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  atomic_max(&largest, in[get_global_id(0)]);
#else
  if (in[get_global_id(0)] > largest)  // wrong
    largest = in[get_global_id(0)];    // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = largest;
}
