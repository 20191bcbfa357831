// SPDX-License-Identifier: Apache-2.0
// The index is multiplied by a stride in bytes, not in elements, and lands far outside.
// kernel: far_outside
// run: -g 64 -l 16 -a zeros:64 -a 1000000
kernel void far_outside(global int *out, int stride) {
  const long i = get_global_id(0);
#ifdef RIGHT
  out[i] = stride;
#else
  out[i * stride + 1000000] = stride;  // wrong
#endif
}
