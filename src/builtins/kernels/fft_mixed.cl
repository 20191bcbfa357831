// SPDX-License-Identifier: Apache-2.0
// This file transforms lengths that are products of small factors where work-items run in step. A work-group has
// several transforms ("lanes"); a work-item has the numbers of one combination of a pass in registers, and local memory
// exchanges them between passes. The first pass reads memory and the last one writes it.

#ifdef IN_STEP

#define C PASTE2(FFT_PAIR, SUFFIX)
#define LARGEST 16  // the largest radix, as in built_in/fourier_groups.cpp

static inline void FN(dft7)(private C* v, S sign) {
  const S c1 = (S)0.62348980185873353053, c2 = (S)-0.22252093395631440429, c3 = (S)-0.90096886790241912624;
  const S s1 = (S)0.78183148246802980871, s2 = (S)0.97492791218182360702, s3 = (S)0.43388373911755812048;
  const C a1 = v[1] + v[6], a2 = v[2] + v[5], a3 = v[3] + v[4], b1 = v[1] - v[6], b2 = v[2] - v[5], b3 = v[3] - v[4];
  const C m1 = v[0] + a1 * c1 + a2 * c2 + a3 * c3, n1 = FN(turned)(b1 * s1 + b2 * s2 + b3 * s3, sign);
  const C m2 = v[0] + a1 * c2 + a2 * c3 + a3 * c1, n2 = FN(turned)(b1 * s2 - b2 * s3 - b3 * s1, sign);
  const C m3 = v[0] + a1 * c3 + a2 * c1 + a3 * c2, n3 = FN(turned)(b1 * s3 - b2 * s1 + b3 * s2, sign);
  v[0] = v[0] + a1 + a2 + a3;
  v[1] = m1 + n1;
  v[2] = m2 + n2;
  v[3] = m3 + n3;
  v[4] = m3 - n3;
  v[5] = m2 - n2;
  v[6] = m1 - n1;
}

/// A transform of A * B numbers: B of A, and then A of B.
#define DFT_OF(N, A, B)                                                                                     \
  static inline void FN(dft##N)(private C* v, S sign) {                                                     \
    C between[N];                                                                                           \
    _Pragma("unroll") for (uint b = 0; b < B; ++b) {                                                        \
      C own[A];                                                                                             \
      _Pragma("unroll") for (uint a = 0; a < A; ++a) own[a] = v[a * B + b];                                 \
      FN(dft##A)(own, sign);                                                                                \
      _Pragma("unroll") for (uint a = 0; a < A; ++a) between[a * B + b] =                                   \
          a * b ? FN(times)(own[a], FN(rootBelow)(a * b, N, sign)) : own[a];                                \
    }                                                                                                       \
    _Pragma("unroll") for (uint a = 0; a < A; ++a) {                                                        \
      C own[B];                                                                                             \
      _Pragma("unroll") for (uint b = 0; b < B; ++b) own[b] = between[a * B + b];                           \
      FN(dft##B)(own, sign);                                                                                \
      _Pragma("unroll") for (uint b = 0; b < B; ++b) v[a + A * b] = own[b];                                 \
    }                                                                                                       \
  }
DFT_OF(6, 2, 3)
DFT_OF(9, 3, 3)
DFT_OF(10, 2, 5)
DFT_OF(12, 3, 4)
DFT_OF(15, 3, 5)

/// a / b, where a is below 2^20.
static inline uint FN(quotient)(uint a, uint b) { return (uint)(((float)a + 0.5f) * native_recip((float)b)); }

/// The root of one to the power of -k / whole, where that is below 1 / RADIX.
#define ROOT(RADIX, k, whole) \
  ((RADIX) < 8 ? FN(rootBelow)(k, whole, (S)-1) : PASTE2(MIXED_ROOT, SUFFIX)(k, whole))
#define MIXED_ROOT_f32(k, whole) FN(fftRootNear)(k, whole)
#define MIXED_ROOT_f64(k, whole) FN(rootBelow)(k, whole, (S)-1)

#define EACH_RADIX(DO) \
  DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(12) DO(15) DO(16)
#define READ_FIRST(RADIX)                                                                                    \
  case RADIX:                                                                                                \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r) v[r] = from[r * apart];                               \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r) v[r] = isInverse ? v[r].yx : v[r];                    \
    break;
#define READ_NEXT(RADIX)                                                                                     \
  case RADIX:                                                                                                \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r) v[r] = own[PLACE(j + r * parts)];                     \
    FN(fftTurn)(v, RADIX, ROOT(RADIX, k, before * RADIX));                                                   \
    break;
#define COMBINE(RADIX) \
  case RADIX: FN(dft##RADIX)(v, (S)-1); break;
#define WRITE_NEXT(RADIX)                                                                                    \
  case RADIX:                                                                                                \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r) own[PLACE((j - k) * RADIX + k + r * before)] = v[r];  \
    break;
#define WRITE_LAST(RADIX)                                                                                    \
  case RADIX:                                                                                                \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r) to[r * apart] = isInverse ? v[r].yx : v[r];           \
    break;
/// One number is left out after 16.
#define PLACE(i) ((i) + (i) / 16)

/// The passes' radices have 5 bits each. `each` lanes are a work-group's; other arguments are those of fft_group.
kernel void FN(fft_mixed)(CONSTANT uint n, CONSTANT ulong radices, CONSTANT uint each, CONSTANT uint isInverse,
                          uint lanes, uint period, ulong inStep, ulong inPeriods, CONSTANT ulong inApart, ulong inBlock,
                          ulong inBegin, ulong outStep, ulong outPeriods, CONSTANT ulong outApart, ulong outBlock,
                          ulong outBegin, CONSTANT uint whole, CONSTANT uint inner, const global C* x, global C* y,
                          local C* numbers) {
  const uint l = get_local_id(0), first = get_group_id(0) * each, pitch = (n + n / 16) | 1;
  x += inBegin + get_group_id(1) * inBlock;
  y += outBegin + get_group_id(1) * outBlock;
  C v[LARGEST];
#pragma unroll
  for (uint before = 1; radices;) {
    const uint radix = radices & 31, parts = n / radix;
    radices >>= 5;
    // Neighbouring work-items have neighbouring numbers of a lane, or the same one of neighbouring lanes, as in memory.
    const bool isAlong = (radices || before == 1 ? inApart : outApart) == 1;
    const uint high = FN(quotient)(l, isAlong ? parts : each), low = l - high * (isAlong ? parts : each);
    const uint j = isAlong ? low : high, lane = isAlong ? high : low, number = first + lane;
    const bool isActive = j < parts && lane < each && number < lanes;
    const uint k = j - FN(quotient)(j, before) * before;
    local C* const own = numbers + lane * pitch;
    if (isActive && before == 1) {
      const global C* const from = x + number % period * inStep + number / period * inPeriods + j * inApart;
      const ulong apart = parts * inApart;
      switch (radix) { EACH_RADIX(READ_FIRST) }
    } else if (isActive) {
      switch (radix) { EACH_RADIX(READ_NEXT) }
    }
    if (isActive)
      switch (radix) { EACH_RADIX(COMBINE) }
    if (radices == 0) {
      if (!isActive) return;
      if (whole) {
        const ulong place = number / inner;
        C power = FN(rootBelow)(place * j, whole, (S)-1);
        const C step = FN(rootBelow)(place * before, whole, (S)-1);
#pragma unroll
        for (uint r = 0; r < LARGEST; ++r)
          if (r < radix) {
            v[r] = FN(times)(v[r], power);
            power = FN(times)(power, step);
          }
      }
      global C* const to = y + number % period * outStep + number / period * outPeriods + j * outApart;
      const ulong apart = before * outApart;
      switch (radix) { EACH_RADIX(WRITE_LAST) }
      return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (isActive)
      switch (radix) { EACH_RADIX(WRITE_NEXT) }
    barrier(CLK_LOCAL_MEM_FENCE);
    before *= radix;
  }
}

#undef C
#undef LARGEST
#undef DFT_OF
#undef ROOT
#undef MIXED_ROOT_f32
#undef MIXED_ROOT_f64
#undef EACH_RADIX
#undef READ_FIRST
#undef READ_NEXT
#undef COMBINE
#undef WRITE_NEXT
#undef WRITE_LAST
#undef PLACE

#endif
