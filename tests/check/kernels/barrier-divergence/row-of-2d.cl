// SPDX-License-Identifier: Apache-2.0
// Only the rows of a 2D group that have work reach the barrier of a function.
// kernel: row_of_2d
// run: -g 8,4 -l 4,4 -a zeros:32
void exchange(local int *s, int at) {
  s[at] = at;
  barrier(CLK_LOCAL_MEM_FENCE);  // wrong
}
kernel void row_of_2d(global int *out) {
  local int s[16];
  const int at = get_local_id(1) * 4 + get_local_id(0);
#ifdef RIGHT
  exchange(s, at);
#else
  if (get_local_id(1) < 3)  // also
    exchange(s, at);
#endif
  out[get_global_id(1) * 8 + get_global_id(0)] = s[at] = at;
}
