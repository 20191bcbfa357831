// SPDX-License-Identifier: Apache-2.0
// All work-items read what one of them then replaces.
// kernel: replace
// run: -g 8 -l 8 -a zeros:8
kernel void replace(global int *out) {
  local int shared;
  const int l = get_local_id(0);
  if (l == 0) shared = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int seen = shared;  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (l == 7) shared = 6;  // wrong
  out[l] = seen;
}
