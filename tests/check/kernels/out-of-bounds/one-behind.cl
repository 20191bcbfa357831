// SPDX-License-Identifier: Apache-2.0
// The last work-item reads the element behind the last one.
// kernel: one_behind
// run: -g 64 -l 16 -a zeros:64 -a iota:64 -a 64
kernel void one_behind(global int *out, global const int *in, int n) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = i + 1 < n ? in[i + 1] - in[i] : 0;
#else
  out[i] = in[i + 1] - in[i];  // wrong
#endif
}
