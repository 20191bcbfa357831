// SPDX-License-Identifier: Apache-2.0
// The number of rounds of a loop with a barrier depends on the work-item.
// kernel: trip_counts
// run: -g 32 -l 8 -a zeros:32
kernel void trip_counts(global int *out) {
  const int l = get_local_id(0);
  int sum = 0;
#ifdef RIGHT
  const int rounds = 8;
#else
  const int rounds = 1 + l % 3;
#endif
  for (int k = 0; k < rounds; ++k) {
    sum += k * l;
    barrier(CLK_LOCAL_MEM_FENCE);  // wrong
  }
  out[get_global_id(0)] = sum;
}
