// SPDX-License-Identifier: Apache-2.0
// A flag in a local structure is set and read without a barrier.
// kernel: member
// run: -g 16 -l 8 -a iota:16 -a zeros:16
struct State {
  int found;
  int position[8];
};
kernel void member(global const int *in, global int *out) {
  local struct State state;
  const int l = get_local_id(0);
  if (l == 0) state.found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[get_global_id(0)] == 5) state.found = l + 1;  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = state.found;  // wrong
}
