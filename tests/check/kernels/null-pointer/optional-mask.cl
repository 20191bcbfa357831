// SPDX-License-Identifier: Apache-2.0
// An optional mask is used where only its companion was tested.
// kernel: optional_mask
// run: -g 16 -l 4 -a iota:16 -a null -a zeros:16
kernel void optional_mask(global const float *in, global const uchar *mask, global float *out) {
  const int i = get_global_id(0);
#ifdef RIGHT
  if (in && mask && mask[i]) out[i] = in[i];
#else
  if (in && mask[i]) out[i] = in[i];  // wrong
#endif
}
