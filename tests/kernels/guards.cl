// SPDX-License-Identifier: Apache-2.0
// Guards at the beginning of a kernel, or behind a barrier, that only some work-items pass: multiples of ids below and
// above bounds, remainders of ids.

__kernel void multiple_below(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0);
  if (3 * x + 1 < w * n / 2) out[GLOBAL_ID] = in[GLOBAL_ID] + x;
}

__kernel void multiple_not_below(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0);
  if (2 * x - 3 >= n) out[GLOBAL_ID] = in[GLOBAL_ID] - x;
}

__kernel void multiple_above(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (5 * x > 7 * n && 2 * y + 1 <= n) out[GLOBAL_ID] = in[GLOBAL_ID] * x;
}

__kernel void falling(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0);
  if (w - 3 * x > n) out[GLOBAL_ID] = in[GLOBAL_ID] ^ x;
}

// The factor may be positive, negative and 0.
__kernel void factor_of_any_sign(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), factor = 2 * (4 - n);
  if (x * factor + n <= 5 * factor) out[GLOBAL_ID] = in[GLOBAL_ID] + factor;
}

__kernel void factor_not_below(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), factor = 4 - n;
  if (x * factor - n > 3 * factor) out[GLOBAL_ID] = in[GLOBAL_ID] + factor;
}

// Products of unsigned numbers wrap around for some work-items.
__kernel void wrapping_product(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0), factor = 0x10000001u * (uint)n;
  if (x * factor + 5u < 0x40000000u) out[GLOBAL_ID] = in[GLOBAL_ID] + 1;
}

__kernel void wrapping_offset(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0);
  if (2u * x - (uint)n < 9u) out[GLOBAL_ID] = in[GLOBAL_ID] + 2;
}

__kernel void size_t_multiple(__global const int* in, __global int* out, int n) {
  const size_t x = get_global_id(0), factor = n;
  if (x * factor + 3 <= get_global_size(0)) out[GLOBAL_ID] = in[GLOBAL_ID] + 3;
}

// Where the first guard leaves work-items, the second is not evaluated by those before them.
__kernel void one_behind_the_other(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0);
  if (x < n) return;
  if ((x - n) * n > 20) return;
  out[GLOBAL_ID] = in[GLOBAL_ID] + x;
}

__kernel void remainder_is(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0);
  if (x % (uint)(n + 1) == 2u) out[GLOBAL_ID] = in[GLOBAL_ID] + 1;  // no work-item's where n is 1
}

__kernel void next_is_multiple(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0);
  if ((x + 1) % (2 * n) == 0) out[GLOBAL_ID] = in[GLOBAL_ID] - in[GLOBAL_ID - n];
}

__kernel void signed_remainder(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0);
  if (x % (2 - n - (n == 2)) == n - 1) out[GLOBAL_ID] = in[GLOBAL_ID] + 4;  // by 1, -1, -2, -5
}

__kernel void odd_ones(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0);
  if (x % 2 == 1 && x + n < (int)get_global_size(0))
    out[GLOBAL_ID] = in[GLOBAL_ID] * 2 - in[GLOBAL_ID - 1] - in[GLOBAL_ID + n];
}

__kernel void odd_or_even(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0);
  if ((x & 1) == (n >> 1)) out[GLOBAL_ID] = in[GLOBAL_ID] * 3;  // of none where n is 4 or 7
}

__kernel void coloured(__global const int* in, __global int* out, int n) {
  const int x = get_global_id(0), w = get_global_size(0);
  if ((x + n) % 2 == 0 && x > 0 && x < w - 1) out[GLOBAL_ID] = in[GLOBAL_ID - 1] + in[GLOBAL_ID + 1];
}

__kernel void bits_that_wrap(__global const int* in, __global int* out, int n) {
  const uint x = (uint)get_global_id(0) - 5u * (uint)n;
  if ((x & 3u) == 1u) out[GLOBAL_ID] = in[GLOBAL_ID] + 7;
}

__kernel void scan_by_pairs(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(uint, sums, 256);
  const int lid = LOCAL_ID, count = LOCAL_COUNT;
  sums[lid] = in[GLOBAL_ID];
  for (int stride = 1; stride < count; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int index = (lid + 1) * stride * 2 - 1;
    if (index < count) sums[index] += sums[index - stride] * (uint)n;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = (int)sums[lid];
}

__kernel void sums_of_fours(__global const int* in, __global int* out, int n) {
  LOCAL_ARRAY(uint, sums, 256);
  const uint lid = get_local_id(0), count = get_local_size(0), row = LOCAL_ID - lid;
  sums[row + lid] = in[GLOBAL_ID];
  for (uint stride = 1; stride < count; stride *= 4) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint at = 4 * stride * lid;
    if (at + 3 * stride < count)
      sums[row + at] += sums[row + at + stride] + sums[row + at + 2 * stride] * (uint)n + sums[row + at + 3 * stride];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[GLOBAL_ID] = (int)sums[row + lid];
}

__kernel void beside_an_offset(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  const uint offset = (uint)n % 5 - 2;  // below 0, too
  if (x + offset < w && y + 1 < h && get_global_id(2) == 0) out[x * h + y] = in[y * w + x + offset] + in[(y + 1) * w];
}

// Private arrays, whose lifetimes begin ahead of the guard.
__kernel void arrays_behind(__global const int* in, __global int* out, int n) {
  uint sums[8];
  const int x = get_global_id(0), w = get_global_size(0);
  if (x + n % 3 >= w) return;
  for (int i = 0; i < 8; ++i) sums[i] = i;
  for (int i = 0; i < 20; ++i) sums[((uint)in[GLOBAL_ID] + i) & 7] += (uint)in[GLOBAL_ID] * i;
  for (int i = 0; i < 8; ++i) out[GLOBAL_ID] = (int)(sums[i] + 3 * (uint)out[GLOBAL_ID]);
}

__kernel void one_counts(__global const int* in, __global int* out, int n) {
  int found[16];
  if (LOCAL_ID > 0) return;
  for (int i = 0; i < 16; ++i) found[i] = 0;
  for (int i = 0; i < LOCAL_COUNT; ++i) found[in[i] & 15]++;
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum = 3 * sum + found[i];
  out[GLOBAL_ID] = sum + n;
}

// Rare ways through gathers, one after the other.
__kernel void rare_ways(__global const int* in, __global int* out, int n) {
  const int count = GLOBAL_COUNT, at = GLOBAL_ID;
  uint sum = 0;
  for (int i = in[at] & 7; i < (in[(at + 1) % count] & 15); ++i) {
    const uint next = (uint)in[(at + i) % count] % (uint)count;
    if (in[next] & 1) {
      const uint further = (uint)in[next] * 7 % (uint)count;
      if (in[further] % 3 == 0) sum = 3 * sum + (uint)in[further];
      if (in[(further + i) % (uint)count] & 2) sum += (uint)in[next] ^ (uint)n;
    }
  }
  out[at] = (int)sum;
}
