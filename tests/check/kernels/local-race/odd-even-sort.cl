// SPDX-License-Identifier: Apache-2.0
// Odd-even sort with one barrier for two phases.
// kernel: odd_even_sort
// run: -g 16 -l 16 -a random:16 -a zeros:16
kernel void odd_even_sort(global const int *in, global int *out) {
  local int s[16];
  const int l = get_local_id(0);
  s[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int round = 0; round < 8; ++round) {
    for (int phase = 0; phase < 2; ++phase) {
      const int a = 2 * l + phase;
      if (a + 1 < 16) {
        const int x = s[a], y = s[a + 1];  // also
        s[a] = min(x, y);  // wrong
        s[a + 1] = max(x, y);  // also
      }
#ifdef RIGHT
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[l] = s[l];
}
