// SPDX-License-Identifier: Apache-2.0
// Work-items share a thread where what they load in common is a part of an iteration that counts.
// RUN: %clarity compile %s --processor sm_90 --report --kernel rays --local 16,16 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RAYS
// RUN: %clarity compile %s --processor sm_90 --report --kernel weights --local 16,16 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WEIGHTS

// Four samples of a row for each angle, each under a condition: the angle is a small part of that.
// RAYS: kernel 'rays'
// RAYS: a thread executes one work-item
kernel void rays(global const float* rows, constant float* cosines, constant float* sines, constant float* axes,
                 global float* out, int bins, int count) {
  const float x = 2 * (int)get_global_id(0), y = 2 * (int)get_global_id(1);
  float sums[4] = {0, 0, 0, 0};
  for (int a = 0; a < count; ++a) {
    const float c = cosines[a], s = sines[a], axis = axes[a];
    const float at[4] = {axis + x * c - y * s, axis + (x + 1) * c - y * s, axis + x * c - (y + 1) * s,
                         axis + (x + 1) * c - (y + 1) * s};
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (at[k] >= 0 && at[k] < bins) {
        const float below = floor(at[k]), above = min(ceil(at[k]), bins - 1.0f);
        const float first = rows[a * bins + (int)below], second = rows[a * bins + (int)above];
        sums[k] += first * (above - at[k]) + second * (at[k] - below);
      }
  }
  const int wide = 2 * get_global_size(0);
#pragma unroll
  for (int k = 0; k < 4; ++k) out[((int)y + k / 2) * wide + (int)x + k % 2] = sums[k];
}

// One sample for each weight.
// WEIGHTS: kernel 'weights'
// WEIGHTS: a thread executes {{[12]}} x 8 work-items
kernel void weights(global const float* a, constant float* weight, global float* out, int width, int radius) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i <= 2 * radius; ++i) sum += a[y * width + x + i] * weight[i];
  out[y * width + x] = sum;
}
