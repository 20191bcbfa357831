// SPDX-License-Identifier: Apache-2.0
// The write and the read stand in functions, and no caller has a barrier.
// kernel: helper_two_deep
// run: -g 32 -l 8 -a iota:32 -a zeros:32 -a local:8
void put(local int *at, int value) {
  *at = value;  // wrong
}
int get(local const int *at) {
  return *at;  // wrong
}
int exchanged(local int *scratch, int value) {
  put(scratch + get_local_id(0), value);
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  return get(scratch + get_local_size(0) - 1 - get_local_id(0));
}
kernel void helper_two_deep(global const int *in, global int *out, local int *scratch) {
  out[get_global_id(0)] = exchanged(scratch, in[get_global_id(0)]);
}
