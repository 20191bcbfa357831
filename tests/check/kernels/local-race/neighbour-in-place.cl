// SPDX-License-Identifier: Apache-2.0
// Each work-item smooths an element in place with its neighbours.
// kernel: neighbour_in_place
// run: -g 32 -l 16 -a iota:32 -a zeros:32 -a local:16
kernel void neighbour_in_place(global const float *in, global float *out, local float *row) {
  const int l = get_local_id(0);
  row[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef RIGHT
  const float mean = l > 0 ? 0.5f * (row[l - 1] + row[l]) : row[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  row[l] = mean;
#else
  if (l > 0) row[l] = 0.5f * (row[l - 1] + row[l]);  // wrong
#endif
  out[get_global_id(0)] = row[l];
}
