// SPDX-License-Identifier: Apache-2.0
// Of the work-items side by side every second one takes a branch.
kernel void halves(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  if (i % 2)
    for (int k = 0; k < 40; ++k) v = sqrt(v + 1);
  else
    for (int k = 0; k < 40; ++k) v = 1 / (v + 1);
  y[i] = v;
}
