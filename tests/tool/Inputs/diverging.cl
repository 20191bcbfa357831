// SPDX-License-Identifier: Apache-2.0
// A branch that every second work-item takes.
kernel void halves(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  if (i % 2)
    for (int k = 0; k < 40; ++k) v = sqrt(v + 1);
  else
    for (int k = 0; k < 40; ++k) v = 1 / (v + 1);
  y[i] = v;
}
