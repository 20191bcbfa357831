// SPDX-License-Identifier: Apache-2.0
// vstore4 with an index in elements in place of vectors.
// kernel: swizzle_store
// run: -g 4 -l 4 -a zeros:16
kernel void swizzle_store(global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  vstore4((float4)(i), i, out);
#else
  vstore4((float4)(i), 4 * i, out);  // wrong
#endif
}
