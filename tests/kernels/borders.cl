// SPDX-License-Identifier: Apache-2.0
// Neighbours at borders: clamped, wrapped around, mirrored, left out. Rows are as long as the NDRange is wide.

#define WIDTH ((int)get_global_size(0))
#define ROW ((int)(get_global_id(2) * get_global_size(1) + get_global_id(1)) * WIDTH)

__kernel void clamped(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW;
  int sum = 0;
  for (int d = -n; d <= n; d++) sum = sum * 3 % 100003 + in[row + clamp(x + d, 0, WIDTH - 1)];
  out[row + x] = sum;
}

__kernel void clamped_by_hand(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW;
  int left = x - n, right = x + n;
  if (left < 0) left = 0;
  if (right >= WIDTH) right = WIDTH - 1;
  out[row + x] = in[row + left] - 2 * in[row + right];
}

__kernel void around(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW, width = WIDTH;
  out[row + x] =
      in[row + (x + width - 1) % width] + 3 * in[row + (x + n) % width] - in[row + (x + 5 * width - 2) % width];
}

__kernel void around_unsigned(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0), row = ROW, width = WIDTH;
  out[row + x] = in[row + (x + width - 1u) % width] + 3 * in[row + (x + (uint)n) % width];
}

// Rows of a power of two, as far as there are elements.
__kernel void around_by_mask(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW, mask = (n == 7 ? 1024 : 64 * n) - 1;
  const uint y = x;
  int sum = (x + 1) & mask, left = (x - n) & mask, right = (int)((y - 3u) & (uint)(mask - 1 + (n & 1)));
  out[row + x] =
      (sum < WIDTH ? in[row + sum] : 1) - (left < WIDTH ? in[row + left] : 2) + (right < WIDTH ? in[row + right] : 3);
}

__kernel void around_by_hand(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW, width = WIDTH;
  const int left = x == 0 ? width - 1 : x - 1, right = x + 1 < width ? x + 1 : 0;
  out[row + x] = in[row + left] * n - in[row + right];
}

__kernel void mirrored(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW, width = WIDTH;
  int sum = 0;
  for (int d = -n; d <= n; d++) {
    int at = x + d < 0 ? -(x + d) : x + d;
    at = at >= width ? 2 * width - 2 - at : at;
    sum = sum * 5 % 100003 + in[row + clamp(at, 0, width - 1)];
  }
  out[row + x] = sum;
}

__kernel void left_out(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW, width = WIDTH;
  int sum = 1;
  for (int d = -n; d <= n; d += 2) {
    if (x + d < 0 || x + d >= width) continue;
    sum = sum * 7 % 100003 + in[row + x + d];
  }
  out[row + x] = sum;
}

// Below zero numbers are large.
__kernel void left_out_unsigned(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0), row = ROW, width = WIDTH, by = n;
  int sum = x - by < width ? in[row + x - by] : -1;
  sum += x + by < width ? in[row + x + by] : -2;
  out[row + x] = sum;
}

__kernel void left_out_wide(__global const int* in, __global int* out, int n) {
  const size_t x = get_global_id(0), row = ROW, width = WIDTH, by = n;
  int sum = x - by < width ? in[row + x - by] : -1;
  sum += x < width - by ? in[row + (x + by) % width] : -2;
  out[row + x] = sum;
}

__kernel void edges_apart(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW;
  if (x < n || x >= WIDTH - n)
    out[row + x] = in[row + x] + 1;
  else
    out[row + x] = in[row + x - n] ^ in[row + x + n];
}

__kernel void backwards(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW, width = WIDTH, from = width - 1 - x;
  int sum = in[row + max(from - n, 0)] - in[row + min(from + n, width - 1)];
  if (from > 1) sum += in[row + from - 2];
  out[row + x] = sum;
}

__kernel void every_other(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW, width = WIDTH;
  out[row + x] = in[row + min(2 * x + n, width - 1)] + (3 * x - n >= 0 && 3 * x - n < width ? in[row + 3 * x - n] : n);
}

// Queries in a loop that ends there, and in one iteration alone.
__kernel void until_the_end(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), row = ROW, width = WIDTH;
  int sum = 0;
  for (int d = 0; d < 3 * n && x + d < width; d++) sum = sum * 3 % 100003 + in[row + x + d];
  for (int d = 0; x - d >= 0 && d < n; d++) sum = sum * 3 % 100003 + in[row + x - d];
  out[row + x] = sum;
}

__kernel void columns(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(1), y = get_global_id(0), width = get_global_size(1), height = get_global_size(0),
            plane = (int)get_global_id(2) * width * height;
  int sum = 0;
  for (int d = -n; d <= n; d++)
    sum = sum * 3 % 100003 + in[plane + y * width + clamp(x + d, 0, width - 1)] -
          in[plane + clamp(y + d, 0, height - 1) * width + x];
  out[plane + y * width + x] = sum;
}

// Offsets that lead beyond what an int holds: never for those that read.
__kernel void far_away(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0), row = ROW, width = WIDTH, far = 0xfffffff0u + (uint)n;
  const uint at = x + far;
  out[row + x] = at < width ? in[row + at] : (int)(at >> 24);
}

__kernel void from_local_memory(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, tile, 1024);
  const int l = LOCAL_ID, count = LOCAL_COUNT;
  tile[l] = in[GLOBAL_ID];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = l >= n ? tile[l - n] : 1;
  for (int d = -n; d <= n; d++) sum = sum * 3 % 100003 + tile[clamp(l + d, 0, count - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = sum + tile[(l + 1) % count];
}

// Tiles with a margin: neighbours of a work-group's borders belong to others.
__kernel void with_margin(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(int, tile, 1024);
  const int l = get_local_id(0), size = get_local_size(0), x = get_global_id(0), row = ROW, width = WIDTH;
  const int stride = size + 2, line = (int)(get_local_id(2) * get_local_size(1) + get_local_id(1)) * stride;
  tile[line + l + 1] = in[row + x];
  if (l == 0) tile[line] = in[row + max(x - 1, 0)];
  if (l == size - 1) tile[line + size + 1] = in[row + min(x + 1, width - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[row + x] = tile[line + l] + n * tile[line + l + 1] - tile[line + l + 2];
}

// Windows that the borders cut off: bounds that grow alike with the work-item.
__kernel void cut_windows(__global const int* in, __global int* out, int n) {
  const int w = get_global_size(0), h = get_global_size(1), x = get_global_id(0), y = get_global_id(1),
            z = get_global_id(2), r = n % 4 + 1;
  uint sum = 0;
  for (int j = y > r ? y - r : 0; j <= (y + r < h ? y + r : h - 1); ++j)
    for (int k = x - r < 0 ? 0 : x - r; k <= (x + r < w ? x + r : w - 1); ++k)
      sum = sum * 3 + (uint)in[(z * h + j) * w + k];
  out[(z * h + y) * w + x] = sum;
}

// Such windows, whose elements are weighted by their place in the window.
__kernel void weighted_windows(__global const int* in, __global int* out, int n) {
  const int w = get_global_size(0), h = get_global_size(1), x = get_global_id(0), y = get_global_id(1),
            row = ((int)get_global_id(2) * h + y) * w, r = n % 4 + 1, from = max(0, x - r), to = min(w, x + r);
  uint sum = 0;
  for (int k = from; k < to; ++k) sum = sum * 3 + (uint)in[row + k] * (uint)(in[k - from] + in[(k - from) / 2]);
  out[row + x] = sum;
}

// Windows that the borders cut off, counted from the work-item: bounds that fall with it.
__kernel void clipped_windows(__global const int* in, __global int* out, int n) {
  const int w = get_global_size(0), x = get_global_id(0), row = ROW, r = n % 4 + 1;
  uint sum = (uint)in[row + max(w - 1 - x - r, 0)];
  for (int k = max(-r, -x); k <= min(r, w - 1 - x); ++k) sum = sum * 3 + (uint)in[row + x + k] * (uint)(k + r + 1);
  const int from = x - r < 0 ? r - x : 0, to = x + r >= w ? w - x + r : 2 * r + 1;
  for (int k = from; k < to; ++k) sum = sum * 5 + (uint)in[row + x - r + k] * (uint)in[k % w];
  out[row + x] = sum;
}

// Such windows as convolutions walk through them, backwards: bounds that rise with the work-item.
__kernel void convolved_windows(__global const int* in, __global int* out, int n) {
  const int w = get_global_size(0), x = get_global_id(0), row = ROW, r = n % 4 + 1, length = 2 * r + 1;
  uint sum = 0;
  const int from = x + r >= w ? x + r + 1 - w : 0, to = x - r < 0 ? x + r + 1 : length;
  for (int k = from; k < to; ++k) sum = sum * 3 + (uint)in[row + x + r - k] * (uint)in[k % w];
  for (int k = max(0, x + r + 1 - w); k < min(length, x + r + 1); ++k) sum = sum * 5 + (uint)in[row + x + r - k];
  out[row + x] = sum;
}
