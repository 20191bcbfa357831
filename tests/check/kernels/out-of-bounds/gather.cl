// SPDX-License-Identifier: Apache-2.0
// An index that comes from memory is not tested.
// kernel: gather
// run: -g 32 -l 8 -a iota:32 -a iota:20 -a zeros:32 -a 20
kernel void gather(global const int *index, global const float *values, global float *out, int n) {
  const int i = get_global_id(0);
#ifdef RIGHT
  out[i] = index[i] < n ? values[index[i]] : 0.0f;
#else
  out[i] = values[index[i]];  // wrong
#endif
}
