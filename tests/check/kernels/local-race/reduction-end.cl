// SPDX-License-Identifier: Apache-2.0
// The first work-item reads the sums of the others without a barrier behind them.
// kernel: reduction_end
// run: -g 32 -l 8 -a iota:32 -a zeros:4
kernel void reduction_end(global const float *in, global float *out) {
  local float sums[8];
  const int l = get_local_id(0);
  sums[l] = in[get_global_id(0)] * 2.0f;  // wrong
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (l == 0) {
    float total = 0.0f;
    for (int k = 0; k < 8; ++k) total += sums[k];  // wrong
    out[get_group_id(0)] = total;
  }
}
