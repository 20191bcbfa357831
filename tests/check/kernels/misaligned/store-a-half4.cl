// SPDX-License-Identifier: Apache-2.0
// vstorea_half4 needs more alignment than an even element has.
// kernel: store_a_half4
// run: -g 4 -l 4 -a zeros:64 -a zeros:4
kernel void store_a_half4(global half *out, global int *other) {
#ifdef RIGHT
  vstorea_half4((float4)(1), get_global_id(0), (global half *)out);
#else
  vstorea_half4((float4)(1), get_global_id(0), (global half *)out + 2);  // wrong
#endif
}
