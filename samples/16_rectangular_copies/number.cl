// SPDX-License-Identifier: Apache-2.0
// This file numbers the cells of a volume.
__kernel void number(__global uint *volume) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  size_t width = get_global_size(0), height = get_global_size(1);
  volume[(z * height + y) * width + x] = (uint)((z * height + y) * width + x);
}
