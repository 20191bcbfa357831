// SPDX-License-Identifier: Apache-2.0
kernel void add(global const half *a, global const half *b, global half *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}
kernel void saxpy(half alpha, global const half *x, global half *y) {
  size_t i = get_global_id(0);
  y[i] = alpha * x[i] + y[i];
}
kernel void product(global const half *a, global const half *b, global half *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  half sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
kernel void quotient(global const half *a, global const half *b, global half *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] / b[i];
}
