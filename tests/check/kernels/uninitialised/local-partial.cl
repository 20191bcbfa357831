// SPDX-License-Identifier: Apache-2.0
// Only a part of the work-items writes its partial sum, and all are added.
// kernel: local_partial
// run: -g 32 -l 16 -a iota:32 -a zeros:2
kernel void local_partial(global const int *in, global int *out) {
  local int part[16];  // also
  const int l = get_local_id(0), i = get_global_id(0);
#ifdef RIGHT
  part[l] = in[i] % 3 == 0 ? in[i] : 0;
#else
  if (in[i] % 3 == 0) part[l] = in[i];
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += part[k];  // also
    out[get_group_id(0)] = sum;  // wrong
  }
}
