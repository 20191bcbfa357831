// SPDX-License-Identifier: Apache-2.0
// A second result is written though the caller did not ask for it.
// kernel: optional_output
// run: -g 16 -l 4 -a iota:16 -a zeros:16 -a null
kernel void optional_output(global const float *in, global float *square, global float *cube) {
  const int i = get_global_id(0);
  square[i] = in[i] * in[i];
#ifdef RIGHT
  if (cube) cube[i] = in[i] * in[i] * in[i];
#else
  cube[i] = in[i] * in[i] * in[i];  // wrong
#endif
}
