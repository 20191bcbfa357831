// SPDX-License-Identifier: Apache-2.0
// continue leaves the barrier of a round out.
// kernel: continue_past
// run: -g 16 -l 8 -a zeros:16
kernel void continue_past(global int *out) {
  const int l = get_local_id(0);
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
#ifdef RIGHT
    if (k % 2 == l % 2) sum += k;
#else
    if (k % 2 != l % 2) continue;
    sum += k;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);  // wrong
  }
  out[get_global_id(0)] = sum;
}
