// SPDX-License-Identifier: Apache-2.0
// Values that wrap around between neighbouring work-items: unsigned indices below 0, hashes of ids, counters that fall.

__kernel void falling_counter(__global const int* in, __global int* out, int n) {
  const uint x = get_global_id(0), w = get_global_size(0), step = 16;
  uint sum = n;
  for (uint i = w - step + x; i < w; i -= step) sum = sum * 3 + in[i];
  out[GLOBAL_ID] = (int)sum;
}

__kernel void unsigned_neighbours(__global const int* in, __global int* out, int n) {
  const uint w = get_global_size(0);
  uint sum = 0;
  for (int d = -n; d <= n; ++d) {
    const uint i = get_global_id(0) + d;
    if (i < w) sum = sum * 3 + in[i];
  }
  out[GLOBAL_ID] = (int)sum;
}

__kernel void hashed_ids(__global const int* in, __global int* out, int n) {
  const uint h = get_global_id(0) * 1664525 * 16;
  const int s = get_global_id(0) * 16777619 * 8;
  const ulong wide = h;
  const long signedWide = s;
  out[GLOBAL_ID] = (int)(wide * 0x10001u >> 24) ^ (int)(signedWide * 65539 >> 20) ^ (signedWide < n ? 1 : 0);
}

__kernel void seeded_ids(__global const int* in, __global int* out, int n) {
  const uint counter = get_global_id(0) + (uint)(in[0] - in[0] - 2 * n);
  const int moved = (int)(get_global_id(0) + (ulong)(0x7fffffff - 2 * n));
  out[GLOBAL_ID] = (int)((ulong)counter * 0xD2511F53u >> 32) ^ (int)((long)moved >> 5);
}

__kernel void short_counter(__global const int* in, __global int* out, int n) {
  const uint w = get_global_size(0);
  ushort i = get_global_id(0) + 65536 - 2 * n;
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (i < w) sum += in[i];
    i += n;
  }
  out[GLOBAL_ID] = sum + i;
}

__kernel void loop_below_zero(__global const int* in, __global int* out, int n) {
  uint i = (uint)get_global_id(0) - 3;
  int sum = 0;
  while (i > 5u) {
    sum += in[i % GLOBAL_COUNT] + 1000;
    i -= 7;
    if (sum > 10000 * n) break;
  }
  out[GLOBAL_ID] = sum + i;
}

__kernel void backwards(__global const int* in, __global int* out, int n) {
  const uint w = get_global_size(0), x = get_global_id(0);
  const int last = (int)w - 1;
  uint sum = in[w - 1 - x] + in[last - (int)x] * 3 + in[get_global_size(0) - 1 - get_global_id(0)] * 5;
  for (int d = -n; d <= n; ++d) {
    const uint i = w + d - 1 - x;
    if (i < w) sum = sum * 3 + in[i];
  }
  out[GLOBAL_ID] = (int)sum ^ ~(int)x;
}

__kernel void rows_part(__global const int* in, __global int* out, int n) {
  const int y = get_global_id(1);
  int w;
  if ((in[y] + y) % 2 == 0) {
    w = in[y] + n;
    out[GLOBAL_ID] = w;
  } else {
    w = y * 3;
    out[GLOBAL_ID] = in[GLOBAL_ID];
  }
  out[GLOBAL_ID] += w;
}

// From work-item to work-item, and from turn to turn, by more than any memory has.
__kernel void far_apart(__global const int* in, __global int* out, int n) {
  const ulong x = get_global_id(0) + get_global_id(1), first = x * 0x5E3779B97F4A7C15,
              second = (x + n) * 0x5F58476D1CE4E5B9;
  const ulong third = first + second, fourth = third * 0x14D049BB133111EB - first, bound = (ulong)n << 40;
  ulong sum = first ^ second >> 7;
  for (ulong i = 0; i < bound; i += 0x4000000000000001) sum += in[x * n % GLOBAL_COUNT + i];
  if (n < 0) {  // which the compiler does not know
    out[third] = in[first] + in[first + 1];
    out[x * 0x3000000000000001 + n] = in[fourth] + in[fourth + 0x3000000000000001];
    if (fourth < third) sum += in[x * 0x1FFFFFFFFFFFFFFF + n] + in[x * 0x1FFFFFFFFFFFFFFF + n + 1];
  }
  out[GLOBAL_ID] = (int)(sum ^ third >> 32 ^ fourth >> 24);
}

// Fixed-point numbers: products of bytes and shorts, of which a part is kept as a short and multiplied as one.
__kernel void fixed_point(__global const int* in, __global int* out, int n) {
  const int i = GLOBAL_ID;
  __global const char* bytes = (__global const char*)in;
  __global const short* shorts = (__global const short*)in;
  const char c = (char)(bytes[i * 4] - 90);
  const short a = shorts[i * 2], d = (short)(a | 1);
  const short sign = (short)(((long)c * 13) >> 32), part = (short)(((long)c * a * n) >> 20),
              whole = (short)((c * a) >> 18);
  out[i] = (short)((uint)sign * (uint)d) + (short)((uint)part * (uint)d) * 3 + (short)((uint)whole * (uint)d) * 5;
}

// Arithmetic of bytes whose values just fit 16 bits, with a sign or without, or just do not.
__kernel void bytes_in_ints(__global const int* in, __global int* out, int n) {
  const int id = GLOBAL_ID;
  __global const unsigned char* bytes = (__global const unsigned char*)in;
  const int a = bytes[id], b = bytes[4 * id], c = (signed char)bytes[id + 1 < (int)GLOBAL_COUNT ? id + 1 : 0];
  const int weighted = 77 * a + 150 * b + 29 * a + 255, tooLarge = weighted + 1;
  const int difference = 2 * a - 3 * b + c, size = difference < 0 ? -difference : difference;
  const int square = c * c * 2, tooSmall = -128 * a + c;
  int found = 0;
  if (weighted > 40000) found |= 1;
  if (weighted >> 8 < 100) found |= 2;
  if (tooLarge > 65530) found |= 4;
  if ((uint)difference > 70u) found |= 8;
  if (square == 32768) found |= 16;
  if (tooSmall < -32700) found |= 32;
  if (((a + b) & ~1) == 2 * n) found |= 64;
  const int clamped = size - 20 < -5 ? -5 : size - 20 > 100 ? 100 : size - 20;
  const unsigned char low = (unsigned char)(clamped * 3 ^ b), high = (unsigned char)(weighted >> 9);
  out[id] = found * 65536 + low * 256 + high;
}
