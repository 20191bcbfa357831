// SPDX-License-Identifier: Apache-2.0
// The last work-group is found by a counter, but the others count before they have written.
// kernel: last_group
// run: -g 32 -l 8 -a iota:32 -a zeros:4 -a zeros:1 -a zeros:1
kernel void last_group(global const int *in, volatile global int *partial, global int *done, global int *out) {
  const int g = get_group_id(0);
  if (get_local_id(0) != 0) return;
#ifdef RIGHT
  partial[g] = in[g * 8];
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  const int before = atomic_inc(done);
#else
  const int before = atomic_inc(done);
  partial[g] = in[g * 8];  // wrong
#endif
  if (before == 3)
    for (int k = 0; k < 4; ++k) out[0] += partial[k];  // wrong
}
