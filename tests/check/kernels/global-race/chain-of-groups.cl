// SPDX-License-Identifier: Apache-2.0
// Each work-group hands a sum to the next one by a flag; one hands it on before it has written it.
// kernel: chain_of_groups
// run: -g 32 -l 8 -a iota:32 -a zeros:4 -a zeros:16 -a zeros:1 --type 2=uchar
// build: -cl-std=CL2.0
kernel void chain_of_groups(global const int *in, global int *sums, global atomic_int *flags, global int *out) {
  const int g = get_group_id(0);
  if (get_local_id(0) != 0) return;
  int before = 0;
  if (g > 0 && atomic_load_explicit(&flags[g - 1], memory_order_acquire, memory_scope_device))
    before = sums[g - 1];  // wrong
#ifdef RIGHT
  sums[g] = before + in[g * 8];
  atomic_store_explicit(&flags[g], 1, memory_order_release, memory_scope_device);
#else
  atomic_store_explicit(&flags[g], 1, memory_order_release, memory_scope_device);
  sums[g] = before + in[g * 8];  // wrong
#endif
  if (g == 3) out[0] = sums[3];
}
