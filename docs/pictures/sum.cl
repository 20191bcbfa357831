// SPDX-License-Identifier: Apache-2.0
// The kernel of README's picture of `clarity check`. The mistake is meant: no barrier between the steps of the tree.
kernel void sum(global const float* in, global float* out, local float* part) {
  const size_t i = get_local_id(0);
  part[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t width = get_local_size(0) / 2; width > 0; width /= 2)
    if (i < width) part[i] += part[i + width];
  if (i == 0) out[get_group_id(0)] = part[0];
}
