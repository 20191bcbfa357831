// SPDX-License-Identifier: Apache-2.0
// A loop over a buffer steps by the number of work-groups, not of work-items.
// kernel: fill
// run: -g 16 -l 4 -a zeros:64 -a 64
kernel void fill(global int *out, int count) {
#ifdef RIGHT
  const int step = get_global_size(0);
#else
  const int step = get_num_groups(0);
#endif
  for (int i = get_global_id(0); i < count; i += step) out[i] = i;  // wrong
}
