// SPDX-License-Identifier: Apache-2.0
// The buffer of halves has room for half of the vectors.
// kernel: vstore_of_half4
// run: -g 32 -l 8 -a iota:32 -a zeros:64
kernel void vstore_of_half4(global const float4 *in, global half *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  if (i < 16)
#endif
    vstore_half4(in[i], i, out);  // wrong
}
