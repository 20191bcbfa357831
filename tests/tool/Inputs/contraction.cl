// SPDX-License-Identifier: Apache-2.0
kernel void sum(global float* x) {
  size_t i = get_global_id(0);
  x[i] = (float)i * 0.1f + x[i];
}
