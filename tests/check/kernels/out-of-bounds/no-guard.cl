// SPDX-License-Identifier: Apache-2.0
// The range is rounded up to whole work-groups, and the work-items behind the end write.
// kernel: no_guard
// run: -g 64 -l 16 -a zeros:50 -a 50
kernel void no_guard(global int *out, int n) {
  const int i = get_global_id(0);
#ifdef RIGHT
  if (i < n) out[i] = i * i;
#else
  out[i] = i * i;  // wrong
#endif
}
