// SPDX-License-Identifier: Apache-2.0
kernel void side_by_side(global const float* x, global float* y) {
  int i = get_global_id(0);
  y[i] = 2 * x[i];
}

kernel void by_columns(global const float* x, global float* y) {
  int i = get_global_id(0);
  y[i] = x[(i % 256) * 256 + i / 256];
}

kernel void wide(global const float4* x, global float4* y) { y[get_global_id(0)] = x[get_global_id(0)]; }

kernel void one_word(global const float* x, global float* y) {
  y[get_global_id(0)] = x[get_group_id(0)] + get_global_id(0);
}

kernel void banks(global float* y) {
  local float part[32 * 64];
  int l = get_local_id(0);
  part[l * 32] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = part[(63 - l) * 33 % 2048];
}

kernel void halves(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  if (i % 2 == 0)
    for (int k = 0; k < 60; ++k) v = sqrt(v + 0.5f) * 1.01f;
  else
    for (int k = 0; k < 60; ++k) v = 1 / (v + 0.25f) + v;
  y[i] = v;
}

kernel void lengths(global float* y) {
  float v = 0;
  for (int k = 0; k < get_local_id(0); ++k)
    v = v * 0.99f + y[k];
  y[get_global_id(0)] = v;
}

kernel void edges(global float* y) {
  if (get_local_size(0) > 0) y[get_global_id(0)] += 1;
}
