// SPDX-License-Identifier: Apache-2.0
// One buffer is what is added up and what is added to.
// kernel: accumulate
// run: -g 4 -l 4 -a iota:8 -a same:0
kernel void accumulate(global const float *restrict in, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] += 1.0f;
#else
  out[i] += in[i + 0];  // wrong
#endif
}
