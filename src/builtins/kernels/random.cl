// SPDX-License-Identifier: Apache-2.0
// This file makes random numbers by Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011).
// Four numbers of 32 bits come from the counter `i / 4` and the key `seed`, so number i is the same however many are
// made, on every device.

#ifndef PHILOX
#define PHILOX
static inline uint4 philox(ulong counter, ulong seed) {
  uint4 c = (uint4)((uint)counter, (uint)(counter >> 32), 0, 0);
  uint k0 = (uint)seed, k1 = (uint)(seed >> 32);
  for (int round_ = 0; round_ < 10; ++round_) {
    const uint high0 = mul_hi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
    const uint high1 = mul_hi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
    c = (uint4)(high1 ^ c.y ^ k0, low1, high0 ^ c.w ^ k1, low0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

/// The middle of one of 2^24 parts of (0, 1).
static inline float uniformOf(uint bits) { return ((bits >> 8) + 0.5f) * 0x1p-24f; }
#endif

#if IS_bits

kernel void FNO(random)(ulong n, ulong seed, ulong first, global T* y) {
  const ulong block = get_global_id(0) + first / 4;
  const uint4 four = philox(block, seed);
  const uint numbers[4] = {four.x, four.y, four.z, four.w};
  for (uint e = 0; e < 4; ++e) {
    const ulong i = block * 4 + e - first;  // wraps for those before the first, which are not below n
    if (i < n) y[i] = numbers[e];
  }
}

#else

kernel void FNO(random)(ulong n, ulong seed, ulong first, S a, S b, global T* y) {
  const ulong block = get_global_id(0) + first / 4;
  const uint4 four = philox(block, seed);
#if IS_uniform
  const S numbers[4] = {a + (b - a) * uniformOf(four.x), a + (b - a) * uniformOf(four.y),
                        a + (b - a) * uniformOf(four.z), a + (b - a) * uniformOf(four.w)};
#else
  const float radius0 = sqrt(-2 * log(uniformOf(four.x))), radius1 = sqrt(-2 * log(uniformOf(four.z)));
  const float angle0 = 2 * uniformOf(four.y), angle1 = 2 * uniformOf(four.w);
  const S numbers[4] = {a + b * (radius0 * cospi(angle0)), a + b * (radius0 * sinpi(angle0)),
                        a + b * (radius1 * cospi(angle1)), a + b * (radius1 * sinpi(angle1))};
#endif
  for (uint e = 0; e < 4; ++e) {
    const ulong i = block * 4 + e - first;
    if (i < n) STORE(y, i, numbers[e]);
  }
}

#endif
