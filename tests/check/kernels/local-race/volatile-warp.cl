// SPDX-License-Identifier: Apache-2.0
// The last steps of a reduction leave out barriers, as if work-items ran together.
// kernel: reduce
// run: -g 128 -l 64 -a iota:128 -a zeros:2
// findings: 1
kernel void reduce(global const int *in, global int *out) {
  local volatile int s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  for (int d = 32; d; d >>= 1) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
#else
  if (l < 32) {
    s[l] += s[l + 32];  // wrong
    s[l] += s[l + 16];  // also
    s[l] += s[l + 8];  // wrong
    s[l] += s[l + 4];  // also
    s[l] += s[l + 2];  // also
    s[l] += s[l + 1];  // also
  }
#endif
  if (l == 0) out[get_group_id(0)] = s[0];  // also
}
