// SPDX-License-Identifier: Apache-2.0
kernel void row(global const float* a, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  c[y * n + x] = a[y * n + x + 1];
}
kernel void count(global int* counts) { atomic_inc(counts + get_local_id(0)); }
