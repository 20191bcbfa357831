// SPDX-License-Identifier: Apache-2.0
// Private memory of a work-item: across barriers, in arrays, in structures, behind pointers.

__kernel void array_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  int mine[7];
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  for (int i = 0; i < 7; i++) mine[i] = in[GLOBAL_ID] + i * l;
  t[l] = mine[n % 7];
  barrier(CLK_LOCAL_MEM_FENCE);
  mine[l % 7] += t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < 7; i++) sum = sum * 3 + mine[i];
  out[GLOBAL_ID] = sum;
}

__kernel void array_in_loop(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  int mine[4] = {1, 2, 3, 4};
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  for (int i = 0; i < n; i++) {
    mine[(i + l) & 3] += in[GLOBAL_ID];
    t[l] = mine[i & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[l & 3] ^= t[(l + 1) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = mine[0] + mine[1] * 3 + mine[2] * 5 + mine[3] * 7;
}

typedef struct {
  int a;
  uchar b;
  ulong c;
  int d[3];
} Record;

__kernel void structure_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  Record r;
  r.a = in[GLOBAL_ID], r.b = (uchar)l, r.c = 1000000007ul * l, r.d[0] = 1, r.d[1] = n, r.d[2] = l;
  t[l] = r.a;
  barrier(CLK_LOCAL_MEM_FENCE);
  r.d[(l + n) % 3] += t[(l + 1) % size];
  Record copy = r;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = copy.a + copy.b + (int)(copy.c >> 3) + copy.d[0] * copy.d[1] - copy.d[2];
}

__kernel void pointer_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int a = in[GLOBAL_ID], b = l;
  int* p = (l + n) % 3 ? &a : &b;
  t[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  *p += t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = a * 3 + b;
}

// Written only by some, read by all in the next turn.
__kernel void conditionally_written(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int last = -1, mine = in[GLOBAL_ID];
  for (int i = 0; i < n; i++) {
    t[l] = mine + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((l + i) % 3 == 0) last = t[(l + 1) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
    mine += last;
  }
  out[GLOBAL_ID] = mine;
}

__kernel void many_values(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  const int v = in[GLOBAL_ID];
  int a = v / 3, b = v % 5, c = v * v, d = v ^ l, e = v / (l + 1), f = v % (n + 1), g = c / (n + 2), h = d % 11;
  float x = v / 7.0f, y = x * x, z = y - x;
  t[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int w = t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = a + b * 2 + c * 3 + d * 5 + e * 7 + f * 11 + g * 13 + h * 17 + w + (int)(x + y + z);
}

__kernel void pointer_chosen(__global const int* in, __global int* out, int n) {
  // All choose the same element, but of each eight neighbours the first four do not ask.
  int sum = 0;
  for (int k = 0; k < (int)(GLOBAL_ID / 4 % 2) * (in[GLOBAL_ID] % 5); k++) {
    int a[2];
    for (int i = 0; i < 2; i++) a[i] = k + i + (int)GLOBAL_ID;
    const int* at = a;
    if (in[0] < n * 100) at = a + (in[1] & 1);
    sum += *at;
    a[1] -= *at;
    sum ^= a[1];
  }
  out[GLOBAL_ID] = sum;
}

// All choose the same variable, but each has its own.
__kernel void pointer_chosen_across(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int a = in[GLOBAL_ID], b = l;
  int* p = (n * n - 1) % 5 > 2 ? &a : &b;
  t[l] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  *p += t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  b ^= *p;
  *p &= 7;
  out[GLOBAL_ID] = a * 3 + b;
}

__kernel void pointer_around_loop(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int a = in[GLOBAL_ID], b = l;
  int* p = &a;
  for (int i = 0; i < n; i++) {
    t[l] = *p;
    barrier(CLK_LOCAL_MEM_FENCE);
    *p ^= t[(l + 1) % size] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    p = i & 1 ? &b : &a;
  }
  out[GLOBAL_ID] = a * 3 + b;
}

__kernel void address_as_number(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int a[5] = {1, 2, 3, 4, 5};
  const ulong place = (ulong)&a[n % 4] + 4, same = place / (n + 1) * (n + 1) + place % (n + 1);
  t[l] = in[GLOBAL_ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  *(int*)same += t[(l + 1) % size];
  barrier(CLK_LOCAL_MEM_FENCE);
  *(int*)same ^= l;
  out[GLOBAL_ID] = a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7 + a[4] * 11;
}

// Loops over arrays with counters for indices: the arrays' elements become values of their own.
__kernel void register_tile(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, t, 256);
  const int l = LOCAL_ID, size = LOCAL_COUNT;
  int sums[4][3], row[3];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) sums[i][j] = i * j;
  for (int k = 0; k < n; k++) {
    t[l] = in[GLOBAL_ID] + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 3; j++) row[j] = t[(l + j) % size];
    for (int i = 0; i < 4; i++) {
      const int factor = t[(l + 2 * i) % size] & 255;
      for (int j = 0; j < 3; j++) sums[i][j] += factor * (row[j] & 255);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int all = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) all = (all & 0xffffff) * 3 + (sums[i][j] & 0xffff);
  out[GLOBAL_ID] = all;
}

// The same where some leave a loop earlier, one element is indexed by what only the launch knows, and another array is
// not.
__kernel void array_left_early(__global const int* in, __global int* out, int n) {
  const int a = in[GLOBAL_ID];
  int kept[6], seen[6], all = 0;
  for (int i = 0; i < 6; i++) kept[i] = (a >> i) & 15;
  for (int i = 5; i >= 0; i--) seen[i] = kept[5 - i] + i;
  for (int i = 0; i < 6; i++) {
    if (seen[i] > 16) break;
    all += seen[i] * (i + 1) + kept[(n + i) % 6];
  }
  out[GLOBAL_ID] = all;
}
