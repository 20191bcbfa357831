// SPDX-License-Identifier: Apache-2.0
// The barrier orders global memory, and the exchange goes through local memory given as an argument to a helper.
// kernel: global_flag_for_local
// run: -g 16 -l 16 -a iota:16 -a zeros:16
void put(local int *s, int at, int value) {
  s[at] = value;  // wrong
}
int get(local const int *s, int at) {
  return s[at];  // wrong
}
kernel void global_flag_for_local(global const int *in, global int *out) {
  local int s[16];
  const int l = get_local_id(0);
  put(s, l, in[l]);
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  out[l] = get(s, l ^ 3);
}
