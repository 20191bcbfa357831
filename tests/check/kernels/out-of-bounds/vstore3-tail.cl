// SPDX-License-Identifier: Apache-2.0
// The last vstore3 lies with one component inside and two behind the end.
// kernel: vstore3_tail
// run: -g 22 -l 2 -a zeros:64
kernel void vstore3_tail(global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  if (i < 21) vstore3((float3)(1.0f, 2.0f, 3.0f), i, out);
#else
  vstore3((float3)(1.0f, 2.0f, 3.0f), i, out);  // wrong
#endif
}
