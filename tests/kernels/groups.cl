// SPDX-License-Identifier: Apache-2.0
// Work-groups that are only numbers, ids as size_t, and indices behind guards.

__kernel void numbers(__global const int* in, __global int* out, int n) {
  const size_t at = GLOBAL_ID;
  out[at] =
      in[at] * n + (int)(get_local_id(0) * 3 + get_group_id(0) * 5 + get_local_id(1) * 7 + get_group_id(1) * 11 +
                         get_local_id(2) * 13 + get_group_id(2) * 17 + get_num_groups(0) * 19 + get_local_size(0) * 23);
}

__kernel void start_of_group_and_local_id(__global const int* in, __global int* out, int n) {
  const int x = get_group_id(0) * get_local_size(0) + get_local_id(0),
            y = get_local_id(1) + get_local_size(1) * get_group_id(1);
  const unsigned z = (unsigned)(get_group_id(2) * get_local_size(2)) + (unsigned)get_local_id(2);
  const int w = get_global_size(0), h = get_global_size(1);
  out[((int)z * h + y) * w + x] = in[((int)z * h + y) * w + (w - 1 - x)] + x * n;
}

__kernel void group_decides(__global const int* in, __global int* out, int n) {
  const size_t at = GLOBAL_ID;
  if (get_local_id(0) == 0)
    out[at] = in[get_group_id(0)] + n;
  else
    out[at] = in[get_local_id(0)] - (int)get_group_id(1);
}

__kernel void local_rows(__global const int* in, __global int* out, int n) {
  const size_t at = GLOBAL_ID;
  out[at] = in[get_local_id(1) + get_group_id(1)] + (get_local_id(2) == 0 ? n : 3) + in[at];
}

__kernel void short_local_ids(__global const int* in, __global int* out, int n) {
  const unsigned char local_id = (unsigned char)(get_local_id(0) * 37);
  out[GLOBAL_ID] =
      in[GLOBAL_ID] + local_id + (int)(get_group_id(0) * get_local_size(0) + (unsigned char)get_local_id(0)) * n;
}

__kernel void sizes(__global const int* in, __global int* out, int n) {
  const size_t x = get_global_id(0), at = GLOBAL_ID;
  const float real = (float)x * 2.0f;
  out[at] = in[at] + (int)(x % 5 + x / 3 * 2 + (x & 6) + (x >> 1) + (x & 4294967295u) + x % (size_t)n) +
            (x < 10 ? 100 : 7) + (x * 2 == 6 ? 1000 : 0) + (int)real;
}

__kernel void neighbours(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0), i = GLOBAL_ID;
  if (x == 0 || x == w - 1)
    out[i] = in[i] * n;
  else
    out[i] = in[i - 1] + in[i + 1] * 3 - in[i];
}

__kernel void back_behind_guards(__global const int* in, __global int* out, int n) {
  const unsigned x = get_global_id(0);
  const unsigned row = (unsigned)GLOBAL_ID - x;
  const int lx = get_global_id(0);
  int v = in[row + x];
  if (x >= 2u) v += in[row + (x - 2u)] * 3;
  if (lx >= n) v += in[(int)row + (lx - n)] * 5;
  if (lx > 4) v += in[(unsigned)(lx - 5)] * 7;
  out[row + x] = v;
}

__kernel void two_for_each(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0), row = (int)GLOBAL_ID - x, twice = get_global_id(0) * 2;
  int v = n;
  if (twice + 1 < w) v += in[row + twice] + in[row + (twice | 1)] * 3;
  out[row + x] = v;
}

__kernel void bits_apart(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0) + n, w = get_global_size(0), i = GLOBAL_ID;
  int v = in[i];
  if ((x & 3) == 0 && (x | 3) < w) v += in[x | 3] * 3;
  if ((x & 1) == 0 && (x | 1) < w) v -= in[(x | 1)];
  out[i] = v;
}

__kernel void uneven_rows(__global const int* in, __global int* out, int n) {
  const int i = GLOBAL_ID, count = GLOBAL_COUNT, length = in[i] % 17;
  int sum = 0;
  for (int k = 0; k < length; ++k) sum += in[(in[(i + k * n) % count] + k) % count];
  out[i] = sum;
}
