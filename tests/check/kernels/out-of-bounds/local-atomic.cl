// SPDX-License-Identifier: Apache-2.0
// A local histogram has fewer bins than the values ask for.
// kernel: local_atomic
// run: -g 32 -l 16 -a iota:32 -a zeros:16
kernel void local_atomic(global const uint *in, global uint *out) {
  local uint bins[16];
  const int l = get_local_id(0);
  bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  atomic_add(&bins[in[get_global_id(0)] % 16], 1u);
#else
  atomic_add(&bins[in[get_global_id(0)]], 1u);  // wrong
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[l], bins[l]);
}
