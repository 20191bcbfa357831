// SPDX-License-Identifier: Apache-2.0
// A scan over the whole range in place reads elements of other work-groups.
// kernel: scan_across_groups
// run: -g 32 -l 8 -a iota:32 -a zeros:32
kernel void scan_across_groups(global int *data, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  const int left = i >= 8 ? data[i - 8] : 0;
  out[i] = data[i] + left;
#else
  const int left = i >= 8 ? data[i - 8] : 0;  // wrong
  data[i] += left;                            // wrong
  out[i] = left;
#endif
}
