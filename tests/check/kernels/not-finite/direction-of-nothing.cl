// SPDX-License-Identifier: Apache-2.0
// A vector without a length is divided by it.
// kernel: direction_of_nothing
// run: -g 4 -l 4 -a zeros:16 -a zeros:16
// check: all,not-finite
kernel void direction_of_nothing(global const float4 *in, global float4 *out) {
  const int i = get_global_id(0);
  const float4 v = in[i];
#ifdef RIGHT
  out[i] = v / fmax(length(v), 1e-6f);
#else
  out[i] = v / length(v);  // wrong
#endif
}
