// SPDX-License-Identifier: Apache-2.0
kernel void turn(global int* a) {  // accesses to count
  local int t[4];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[3 - l];
}

kernel void count(global const int* a, global int* bins) {
  atomic_inc(bins + a[get_global_id(0)] % 4);
}
