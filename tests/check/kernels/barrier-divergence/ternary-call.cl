// SPDX-License-Identifier: Apache-2.0
// A function with a barrier is called in one case of a choice.
// kernel: ternary_call
// run: -g 8 -l 8 -a iota:8 -a zeros:8
int syncAnd(int v) {
  barrier(CLK_GLOBAL_MEM_FENCE);  // wrong
  return v;
}
kernel void ternary_call(global const int *in, global int *out) {
  const int l = get_local_id(0);
#ifdef RIGHT
  const int v = syncAnd(4);
  out[l] = in[l] & 1 ? v : 5;
#else
  out[l] = in[l] & 1 ? syncAnd(4) : 5;
#endif
}
