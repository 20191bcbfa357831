// SPDX-License-Identifier: Apache-2.0
// Atomic functions, of local and global memory, at one place and at many: what is left in the end does not depend on
// the order.

__kernel void one_place(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 6);
  LOCAL_ARRAY(uint, u, 2);
  const int l = LOCAL_ID, v = in[GLOBAL_ID];
  if (l == 0) {
    t[0] = n;
    t[1] = 500;
    t[2] = 500;
    t[3] = 0;
    t[4] = -1;
    t[5] = 0;
    u[0] = 500u;
    u[1] = 500u;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&t[0], v);
  atomic_min(&t[1], v - n);
  atomic_max(&t[2], v - 400);
  if (v % 3 != 0) {
    atomic_or(&t[3], v);
    atomic_and(&t[4], v | n);
    atomic_sub(&t[0], 5);
  }
  for (int k = 0; k < v % 4; k++) atomic_xor(&t[5], v + k);
  atomic_min(&u[0], (uint)(v - n));
  if (v > 300) atomic_max(&u[1], (uint)(v - 400));
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = t[0] + 3 * t[1] + 5 * t[2] + 7 * t[3] + 11 * t[4] + 13 * t[5] + (int)(17 * u[0] + 19 * u[1]);
}

__kernel void many_places(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 8);
  const int l = LOCAL_ID, v = in[GLOBAL_ID];
  for (int i = l; i < 8; i += LOCAL_COUNT) t[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&t[v % 8]);
  if (v % 5 != 0) atomic_add(&t[v / 8 % 8], n);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = t[l % 8] * 10 + t[7];
}

__kernel void tickets(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 4);
  const int l = LOCAL_ID, v = in[GLOBAL_ID];
  if (l == 0) {
    t[0] = 0;
    t[1] = n;
    t[2] = t[3] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int ticket = atomic_inc(&t[0]);
  atomic_add(&t[2], ticket * ticket);
  if (v % 2 == 0) {
    ticket = atomic_dec(&t[1]);
    atomic_xor(&t[3], ticket * 77);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = t[0] + 1000 * t[1] + t[2] + 3 * t[3];
}

__kernel void until_exchanged(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 2);
  const int l = LOCAL_ID, v = in[GLOBAL_ID];
  if (l < 2) t[l] = n;
  if (l == 0 && LOCAL_COUNT == 1) t[1] = n;
  barrier(CLK_LOCAL_MEM_FENCE);
  int old = 0, found = 0;
  do {
    old = atomic_add(&t[v % 2], 0);
    found = atomic_cmpxchg(&t[v % 2], old, old * 1 + v);
  } while (found != old);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = t[0] + 7 * t[1];
}

__kernel void global_places(__global const int* in, __global int* out, int n) {
  const int v = in[GLOBAL_ID];
  atomic_add(&out[0], v);
  if (v % 7 > 2) atomic_max(&out[1], v * n);
  atomic_sub(&out[2], atomic_add(&out[0], 0) * 0 + n);
}

__kernel void global_tickets(__global const int* in, __global int* out, int n) {
  // Every place is taken once, by whomever.
  if (in[GLOBAL_ID] % 2 == 0 || n > 2) {
    const int ticket = atomic_inc(&out[0]) - 0x5a5a5a5a;
    if (ticket + 1 < (int)GLOBAL_COUNT) atomic_add(&out[ticket + 1], n);
  }
}
