// SPDX-License-Identifier: Apache-2.0
// This kernel has much to compute for each element.
kernel void iterate(global uint* data, uint rounds) {
  const size_t i = get_global_id(0);
  uint value = data[i];
  for (uint round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  data[i] = value;
}
