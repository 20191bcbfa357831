// SPDX-License-Identifier: Apache-2.0
kernel void saxpy(float a, global const float* x, global float* y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
float twice(local const float* t, int i) { return 2 * t[i]; }
kernel void neighbours(global float* a) {
  local float t[8];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  a[get_global_id(0)] = twice(t, (l + 1) % 8);
}
kernel void parted(global int* a) {
  if (get_local_id(0) < 3)
    barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = 1;
}
kernel void halves(global int* a) { a[0] = a[1] / a[2]; }

kernel void flags(global int *any) { *any = 1; }
kernel void forever(global int *n) {
  for (int i = 0; *n == 0; ++i) {
  }
}
kernel void astray(ulong place, global int *out) { *out = *(global int *)(place & ~3ul); }
kernel void unset(global const int *x, global int *out) {
  if (x[get_global_id(0)] > 0) out[get_global_id(0)] = 1;
}
#if __OPENCL_C_VERSION__ >= 200
kernel void reduced(global int *out) {
  const int l = get_local_id(0);
  if (l < 3) out[l] = work_group_reduce_add(l);
}
#endif
