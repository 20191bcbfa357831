// SPDX-License-Identifier: Apache-2.0
// Two work-items read a vector that a third one writes without a barrier.
// kernel: vector_read_by_two
// run: -g 8 -l 8 -a iota:32 -a zeros:32
kernel void vector_read_by_two(global const float4 *in, global float4 *out) {
  local float4 tile[8];
  const int l = get_local_id(0);
  tile[l] = in[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float4 both = tile[l / 2] + tile[l];  // also
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (l == 7) tile[0] = both;  // wrong
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = tile[l] + both;
}
