// SPDX-License-Identifier: Apache-2.0
// Accesses that lie side by side in one work-item, or from row to row, while neighbours lie apart.

__kernel void transposed(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), w = get_global_size(0), h = get_global_size(1);
  out[(z * w + x) * h + y] = in[GLOBAL_ID] * n;
}

__kernel void transposed_in_local_memory(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 512);
  const int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2), w = get_local_size(0), h = get_local_size(1);
  t[(lz * h + ly) * (w + 1) + lx] = in[GLOBAL_ID] + n;
  barrier(CLK_LOCAL_MEM_FENCE);
  // The work-item reads where the one at its place in the transposed group wrote.
  const int at = ly * w + lx, x = at / h, y = at % h;
  out[GLOBAL_ID] = t[(lz * h + y) * (w + 1) + x] + t[(lz * h + ly) * (w + 1) + lx] * 3;
}

__kernel void columns_of_a_square(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 16 * 17);
  const int lx = get_local_id(0) % 16, ly = get_local_id(1) % 16;
  t[ly * 17 + lx] = (lx * 31 + ly * 7) * n;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lx < (int)get_local_size(1) && ly < (int)get_local_size(0) && lx < 16 && ly < 16 && get_local_id(2) == 0) out[GLOBAL_ID] = t[lx * 17 + ly] + in[GLOBAL_ID];
  else out[GLOBAL_ID] = 5;
}

__kernel void four_at_an_index(__global const int* in, __global int* out, int n) {
  const int count = GLOBAL_COUNT / 4;
  if (count == 0) {
    out[GLOBAL_ID] = 1;
    return;
  }
  const int at = in[GLOBAL_ID] * n % count * 4;
  out[GLOBAL_ID] = in[at] + 2 * in[at + 1] - 3 * in[at + 2] + 5 * in[at + 3];
}

__kernel void seven_at_an_index(__global const int* in, __global int* out, int n) {
  const int count = GLOBAL_COUNT / 9;
  int sum = n;
  if (count > 0) {
    const int at = in[GLOBAL_ID] % count * 9;
    sum += in[at] + 2 * in[at + 1] - 3 * in[at + 2] + 5 * in[at + 3] - 7 * in[at + 5] + 11 * in[at + 6] - 13 * in[at + 7];
  }
  out[GLOBAL_ID] = sum;
}

__kernel void six_of_each_nine(__global const int* in, __global int* out, int n) {
  const int at = GLOBAL_ID * 9;
  if (at + 9 > (int)GLOBAL_COUNT) {
    if (GLOBAL_ID >= GLOBAL_COUNT / 9 * 9) out[GLOBAL_ID] = -1;
    return;
  }
  const int a = in[at], b = in[at + 1], c = in[at + 2], d = in[at + 4], e = in[at + 5], f = in[at + 8];
  out[at] = b;
  out[at + 1] = a;
  out[at + 2] = f + n;
  out[at + 3] = c - d;
  out[at + 4] = e * a;
  out[at + 5] = d;
  out[at + 6] = b ^ c;
  out[at + 7] = 7;
  out[at + 8] = e;
}

__kernel void chosen_column(__global const int* in, __global int* out, int n) {
  // Lanes choose their row; within it everybody reads along y.
  const int h = get_global_size(1), w = get_global_size(0), row = in[get_global_id(0)] % w;
  out[GLOBAL_ID] = in[row * h + get_global_id(1)] - n;
}

__kernel void back_to_front(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const uint l = LOCAL_ID, last = LOCAL_COUNT - 1;
  t[last - l] = in[GLOBAL_ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint other = LOCAL_COUNT - l;
  other -= 1;
  out[GLOBAL_ID] = t[l] * n - t[other];
}

// Four neighbours for each work-item that has them, in int arithmetic on 64-bit ids.
__kernel void four_each(__global const int* in, __global int* out, int n) {
  const int base = GLOBAL_ID * 4;
  int v[4];
  if (base + 3 >= GLOBAL_COUNT) return;
  for (int i = 0; i < 4; i++) v[i] = in[base + i];
  for (int i = 0; i < 4; i++) v[i] = v[i] * n + v[(i + 1) % 4];
  for (int i = 0; i < 4; i++) out[base + i] = v[i];
}
