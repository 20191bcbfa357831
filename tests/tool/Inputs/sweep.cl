// SPDX-License-Identifier: Apache-2.0
// Kernels for tests of sweeps over work-group sizes.

kernel void rows(global const int* a, global int* b) {
  const size_t i = get_global_id(0) + get_global_size(0) * get_global_id(1);
  b[i] = a[i] + 1;
}

kernel void tiled(global const int* a, global int* b) {
  local int tile[64];
  const size_t i = get_global_id(0) + get_global_size(0) * get_global_id(1);
  const int x = get_local_id(0), y = get_local_id(1);
  tile[(x + 8 * y) % 64] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[i] = tile[(63 - x - 8 * y) & 63];
}

kernel __attribute__((reqd_work_group_size(8, 1, 1))) void required(global int* a) { a[get_global_id(0)] = 1; }
