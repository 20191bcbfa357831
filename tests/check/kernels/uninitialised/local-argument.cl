// SPDX-License-Identifier: Apache-2.0
// Half of local memory that was passed is written, and all of it is summed.
// kernel: local_argument
// run: -g 8 -l 8 -a iota:8 -a local:16 -a zeros:1
kernel void local_argument(global const int *in, local int *scratch, global int *out) {
  const int l = get_local_id(0);
  scratch[l] = in[l];
#ifdef RIGHT
  scratch[l + 8] = 0;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += scratch[k];  // also
    *out = sum;  // wrong
  }
}
