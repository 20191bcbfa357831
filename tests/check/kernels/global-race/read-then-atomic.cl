// SPDX-License-Identifier: Apache-2.0
// A work-item looks at a counter that others update before it updates it itself.
// kernel: read_then_atomic
// run: -g 128 -l 32 -a zeros:128 -a zeros:128
kernel void read_then_atomic(global int *counts, global int *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = atomic_or(&counts[i], 0);
#else
  out[i] = counts[i];  // wrong
#endif
  atomic_inc(&counts[i & 3]);  // wrong
}
