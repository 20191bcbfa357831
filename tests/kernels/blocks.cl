// SPDX-License-Identifier: Apache-2.0
// Ids split: rows and columns of one number, blocks of powers of two, partners of sorting networks and FFTs.

#define COUNT ((int)GLOBAL_COUNT)
// Sizes of blocks: some that packets fill, some that they do not.
#define SIZE(n) ((n) == 1 ? 64 : (n) == 2 ? 24 : (n) == 4 ? 16 : 128)

__kernel void columns_of_rows(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, width = SIZE(n), row = id / width, column = id % width;
  out[id] = in[row] * 3 + in[column % COUNT] + (column < COUNT ? in[(row * width + column) % COUNT] : 5);
}

__kernel void columns_of_rows_unsigned(__global const int* in, __global int* out, int n) {
  const uint id = GLOBAL_ID, width = SIZE(n), row = id / width, column = id % width;
  out[row * width + column] = in[row] * 3 + (column < (uint)COUNT ? in[column] : 1);
}

__kernel void three_numbers(__global const int* in, __global int* out, int n) {
  const int id = get_global_id(0), count = get_global_size(0), w = SIZE(n), h = n + 1;
  const int x = id % w, y = (id / w) % h, z = id / (w * h);
  const int from = (z * h + (h - 1 - y)) * w + x;
  const int plane = (int)(get_global_id(2) * get_global_size(1) + get_global_id(1)) * count;
  out[plane + id] = from < count ? in[plane + from] : x + 100 * y + 10000 * z;
}

__kernel void products(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID, width = SIZE(n), row = id / width, column = id % width;
  int sum = 0;
  for (int k = 0; k < 9; k++) sum += in[(row + k) % COUNT] * (column + k < COUNT ? in[column + k] : k);
  out[id] = sum;
}

__kernel void partners(__global const int* in, __global int* out, int n) {
  const uint i = GLOBAL_ID, j = SIZE(n), other = i ^ j;
  out[i] = other < (uint)COUNT ? in[other] - in[i] : in[i];
}

__kernel void mirrored_in_blocks(__global const int* in, __global int* out, int n) {
  const uint i = GLOBAL_ID, other = i ^ (uint)(SIZE(n) - 1);
  out[i] = other < (uint)COUNT ? in[other] * 2 : in[i];
}

__kernel void sorting_step(__global const int* in, __global int* out, int n) {
  const uint i = GLOBAL_ID, j = SIZE(n), k = 2 * j, other = i ^ j;
  if (other >= (uint)COUNT) {
    out[i] = in[i];
  } else if (other > i) {
    const int a = in[i], b = in[other];
    const bool rises = (i & k) == 0;
    out[i] = (a > b) == rises ? b : a;
    out[other] = (a > b) == rises ? a : b;
  }
}

__kernel void butterflies(__global const int* in, __global int* out, int n) {
  const int i = GLOBAL_ID, run = 1 << n, k = i & (run - 1), top = 2 * i - k, bottom = top + run;
  if (bottom >= COUNT) return;
  out[top] = in[top] + in[bottom];
  out[bottom] = in[top] - in[bottom];
}

__kernel void butterflies_by_shifts(__global const int* in, __global int* out, int n) {
  const uint i = GLOBAL_ID, block = i >> n, place = i & ~(~0u << n), top = (block << (n + 1)) | place,
             bottom = top | (1u << n);
  if (bottom >= (uint)COUNT) return;
  out[top] = in[bottom] - (int)block;
  out[bottom] = in[top] + (int)place;
}

__kernel void known_blocks(__global const int* in, __global int* out, int n) {
  const int i = GLOBAL_ID, row = i / 64, column = i % 64;
  out[i] = in[row] + (i | 32) + (i & ~31) - (column < COUNT ? in[column] : n);
}

__kernel void wide_blocks(__global const int* in, __global int* out, int n) {
  const size_t i = GLOBAL_ID, width = SIZE(n), row = i / width, column = i % width;
  out[row * width + column] = in[row] - (column < GLOBAL_COUNT ? in[column] : n);
}

__kernel void below_zero(__global const int* in, __global int* out, int n) {
  const int i = GLOBAL_ID, from = i - 32, width = SIZE(n), row = from / width, column = from % width;
  out[i] = in[column < 0 ? -column % COUNT : column % COUNT] + 7 * row + (from >= 0 ? in[row] : -column);
}

__kernel void in_local_memory(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, block, 1024);
  const int l = LOCAL_ID, count = LOCAL_COUNT;
  block[l] = in[GLOBAL_ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < count; distance *= 2) {
    const int other = l ^ distance;
    const int more = other < count ? block[other] : n;
    const int high = 2 * (l & ~(distance - 1)) + (l & (distance - 1));
    const int much = high < count ? block[high] : 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    block[l] = (int)((uint)block[l] * 3u + (uint)more - (uint)much);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[GLOBAL_ID] = block[l];
}
