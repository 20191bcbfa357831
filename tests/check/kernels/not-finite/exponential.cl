// SPDX-License-Identifier: Apache-2.0
// A softmax without its largest value taken away.
// kernel: exponential
// run: -g 8 -l 8 -a iota:8 -a zeros:8
// check: all,not-finite
kernel void exponential(global const float *in, global float *out) {
  const int i = get_global_id(0);
  const float x = in[i] * 20.0f;
#ifdef RIGHT
  out[i] = exp(x - 140.0f);
#else
  out[i] = exp(x);  // wrong
#endif
}
