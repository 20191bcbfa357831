// SPDX-License-Identifier: Apache-2.0
// This file multiplies the elements of one part and adds their place in it.
__kernel void scale(__global uint *part, uint factor) {
  size_t i = get_global_id(0);
  part[i] = part[i] * factor + (uint)i;
}
