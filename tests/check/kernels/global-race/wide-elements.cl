// SPDX-License-Identifier: Apache-2.0
// Each work-item stores four elements from its id on.
// kernel: quads
// run: -g 12 -l 4 -a zeros:48
kernel void quads(global float *out) {
  const size_t i = get_global_id(0);
#ifdef RIGHT
  vstore4((float4)(i), i, out);
#else
  vstore4((float4)(i), 0, out + i);  // wrong
#endif
}
