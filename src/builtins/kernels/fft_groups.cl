// SPDX-License-Identifier: Apache-2.0
// This file transforms by Fourier where work-items run in step: a work-group has several transforms ("lanes") in local
// memory, and memory is read and written once. Passes are those of fft.cl. Lengths that are powers of two have code of
// their own: a work-item has HELD numbers of a transform in registers, number s of which is ITEMS * s from its first,
// and local memory only exchanges them between passes.

#ifdef IN_STEP

#define C PASTE2(FFT_PAIR, SUFFIX)
#define ROOT PASTE2(FFT_ROOT, SUFFIX)

/// The root of one to the power of -part / whole, where that is 1 / 8 at most and `whole` a power of two.
static inline float2 FN(fftRootNear)(uint part, uint whole) {
  const float turns = (float)part * (2.0f / (float)whole), u = turns * turns;
  const float sine =
      fma(fma(fma(fma(0.0821458866f, u, -0.599264529f), u, 2.55016404f), u, -5.16771278f), u, 3.14159265f);
  const float cosine =
      fma(fma(fma(fma(fma(-0.0258068913f, u, 0.235330630f), u, -1.33526277f), u, 4.05871213f), u, -4.93480220f), u, 1);
  return (float2)(cosine, -turns * sine);
}
#define FFT_ROOT_f32(part, whole) FN(fftRootNear)(part, whole)
#define FFT_ROOT_f64(part, whole) FN(rootBelow)(part, whole, -1)

static inline void FN(dft16)(private C* v, S sign) {
  const S h = (S)0.70710678118654752440, c = (S)0.92387953251128675613, s = (S)0.38268343236508977173;
  C a[4] = {v[0], v[4], v[8], v[12]}, b[4] = {v[1], v[5], v[9], v[13]};
  C d[4] = {v[2], v[6], v[10], v[14]}, e[4] = {v[3], v[7], v[11], v[15]};
  FN(dft4)(a, sign);
  FN(dft4)(b, sign);
  FN(dft4)(d, sign);
  FN(dft4)(e, sign);
  b[1] = FN(times)(b[1], (C)(c, sign * s));
  b[2] = FN(times)(b[2], (C)(h, sign * h));
  b[3] = FN(times)(b[3], (C)(s, sign * c));
  d[1] = FN(times)(d[1], (C)(h, sign * h));
  d[2] = FN(turned)(d[2], sign);
  d[3] = FN(times)(d[3], (C)(-h, sign * h));
  e[1] = FN(times)(e[1], (C)(s, sign * c));
  e[2] = FN(times)(e[2], (C)(-h, sign * h));
  e[3] = FN(times)(e[3], (C)(-c, -sign * s));
#pragma unroll
  for (uint r = 0; r < 4; ++r) {
    C part[4] = {a[r], b[r], d[r], e[r]};
    FN(dft4)(part, sign);
    v[r] = part[0];
    v[r + 4] = part[1];
    v[r + 8] = part[2];
    v[r + 12] = part[3];
  }
}

/// Multiplies number r of `radix` by the power r of a root.
static inline void FN(fftTurn)(private C* w, uint radix, C root) {
  C power[16];
  power[1] = root;
#pragma unroll
  for (uint r = 2; r < radix; ++r) power[r] = FN(times)(power[r / 2], power[r - r / 2]);
#pragma unroll
  for (uint r = 1; r < radix; ++r) w[r] = FN(times)(w[r], power[r]);
}

/// Places in local memory: one is left out after 16, so that neighbours' numbers are in different banks.
#define PADDED(i) ((i) + (i) / 16)
/// The place of number i of the transform, where lanes lie one after the other, and where they lie side by side.
#define AT_ROWS(i) (lane * PADDED(ITEMS * HELD) + PADDED(i))
#define AT_COLUMNS(i) (PADDED(i) * LANES + lane)
/// Where a lane's numbers are written by neighbours, to be read by lanes: in different banks, too.
#define AT_TURNED(i) ((i) * (LANES + 1) + lane)

/// A pass of a work-item: HELD / RADIX combinations.
#define COMBINE(RADIX, BEFORE)                                                                                   \
  _Pragma("unroll") for (uint q = 0; q < HELD / RADIX; ++q) {                                                     \
    C w[RADIX];                                                                                                  \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r) w[r] = v[q + r * (HELD / RADIX)];                          \
    if (BEFORE > 1) FN(fftTurn)(w, RADIX, ROOT((t + q * ITEMS) % BEFORE, BEFORE * RADIX));                       \
    FN(dft##RADIX)(w, (S)-1);                                                                                    \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r) v[q + r * (HELD / RADIX)] = w[r];                          \
  }
/// Results of the pass for the next one.
#define EXCHANGE(AT, RADIX, BEFORE)                                                                              \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
  _Pragma("unroll") for (uint q = 0; q < HELD / RADIX; ++q) {                                                     \
    const uint j = t + q * ITEMS, k = j % BEFORE;                                                                \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r)                                                           \
        numbers[AT(((j - k) * RADIX + k + r * BEFORE))] = v[q + r * (HELD / RADIX)];                              \
  }                                                                                                              \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
  _Pragma("unroll") for (uint s = 0; s < HELD; ++s) v[s] = numbers[AT((t + ITEMS * s))];
#define PASSES_64(AT) COMBINE(8, 1) EXCHANGE(AT, 8, 1) COMBINE(8, 8)
#define PASSES_128(AT) COMBINE(8, 1) EXCHANGE(AT, 8, 1) COMBINE(16, 8)
#define PASSES_256(AT) COMBINE(16, 1) EXCHANGE(AT, 16, 1) COMBINE(16, 16)
#define PASSES_512(AT) COMBINE(8, 1) EXCHANGE(AT, 8, 1) COMBINE(8, 8) EXCHANGE(AT, 8, 8) COMBINE(8, 64)
#define PASSES_1024(AT) COMBINE(4, 1) EXCHANGE(AT, 4, 1) COMBINE(16, 4) EXCHANGE(AT, 16, 4) COMBINE(16, 64)
#define PASSES_2048(AT) COMBINE(8, 1) EXCHANGE(AT, 8, 1) COMBINE(16, 8) EXCHANGE(AT, 16, 8) COMBINE(16, 128)
#define PASSES_4096(AT) COMBINE(16, 1) EXCHANGE(AT, 16, 1) COMBINE(16, 16) EXCHANGE(AT, 16, 16) COMBINE(16, 256)

/// Transforms that lie one after the other. For the inverse, real and imaginary parts change places before and after.
#define FFT_ROWS(LENGTH)                                                                                         \
  kernel __attribute__((reqd_work_group_size(ITEMS* LANES, 1, 1))) void FN(fft_rows##LENGTH)(                    \
      ulong lanes, CONSTANT uint isInverse, const global C* x, global C* y, local C* numbers) {                  \
    const uint l = get_local_id(0), t = l % ITEMS, lane = l / ITEMS;                                             \
    const ulong number = get_group_id(0) * LANES + lane;                                                         \
    const bool isInside = number < lanes;                                                                        \
    x += number * LENGTH + t;                                                                                    \
    y += number * LENGTH + t;                                                                                    \
    C v[HELD];                                                                                                    \
    _Pragma("unroll") for (uint s = 0; s < HELD; ++s) {                                                           \
      v[s] = isInside ? x[ITEMS * s] : (C)0;                                                                     \
      v[s] = isInverse ? v[s].yx : v[s];                                                                         \
    }                                                                                                            \
    PASSES_##LENGTH(AT_ROWS)                                                                                     \
    if (isInside)                                                                                                \
      _Pragma("unroll") for (uint s = 0; s < HELD; ++s) y[ITEMS * s] = isInverse ? v[s].yx : v[s];                \
  }

/// Transforms whose numbers are apart; arguments are as those of fft_local. Where a lane's numbers follow each other in
/// x, they go through local memory first.
#define FFT_COLUMNS(LENGTH)                                                                                      \
  kernel __attribute__((reqd_work_group_size(ITEMS* LANES, 1, 1))) void FN(fft_columns##LENGTH)(                 \
      CONSTANT uint isInverse, uint lanes, uint period, ulong inStep, ulong inPeriods, CONSTANT ulong inApart,   \
      ulong inBlock, ulong inBegin, ulong outStep, ulong outPeriods, CONSTANT ulong outApart, ulong outBlock,    \
      ulong outBegin, CONSTANT uint whole, CONSTANT uint inner,                                                  \
      const global C* x, global C* y, local C* numbers) {                                                        \
    const uint l = get_local_id(0), first = get_group_id(0) * LANES;                                             \
    uint t = l / LANES, lane = l % LANES;                                                                        \
    uint number = first + lane;                                                                                  \
    x += inBegin + get_group_id(1) * inBlock;                                                                    \
    y += outBegin + get_group_id(1) * outBlock + number % period * outStep + number / period * outPeriods;       \
    C v[HELD];                                                                                                    \
    if (inApart == 1) {                                                                                          \
      t = l % ITEMS, lane = l / ITEMS;                                                                           \
      const uint other = first + lane;                                                                           \
      x += other % period * inStep + other / period * inPeriods + t;                                             \
      _Pragma("unroll") for (uint s = 0; s < HELD; ++s) v[s] = other < lanes ? x[ITEMS * s] : (C)0;               \
      _Pragma("unroll") for (uint s = 0; s < HELD; ++s) numbers[AT_TURNED((t + ITEMS * s))] = v[s];               \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
      t = l / LANES, lane = l % LANES;                                                                           \
      _Pragma("unroll") for (uint s = 0; s < HELD; ++s) v[s] = numbers[AT_TURNED((t + ITEMS * s))];               \
    } else {                                                                                                     \
      x += number % period * inStep + number / period * inPeriods + t * inApart;                                 \
      _Pragma("unroll") for (uint s = 0; s < HELD; ++s) v[s] = number < lanes ? x[ITEMS * s * inApart] : (C)0;    \
    }                                                                                                            \
    _Pragma("unroll") for (uint s = 0; s < HELD; ++s) v[s] = isInverse ? v[s].yx : v[s];                          \
    PASSES_##LENGTH(AT_COLUMNS)                                                                                  \
    if (whole) {                                                                                                 \
      const uint place = number / inner;                                                                         \
      C power = FN(rootBelow)((ulong)place * t, whole, (S)-1);                                                      \
      C steps[HELD];                                                                                              \
      steps[1] = FN(rootBelow)((ulong)place * ITEMS, whole, (S)-1);                                                 \
      _Pragma("unroll") for (uint s = 2; s < HELD; ++s) steps[s] = FN(times)(steps[s / 2], steps[s - s / 2]);     \
      v[0] = FN(times)(v[0], power);                                                                             \
      _Pragma("unroll") for (uint s = 1; s < HELD; ++s) v[s] = FN(times)(v[s], FN(times)(power, steps[s]));       \
    }                                                                                                            \
    if (number < lanes)                                                                                          \
      _Pragma("unroll") for (uint s = 0; s < HELD; ++s)                                                           \
          y[(t + ITEMS * s) * outApart] = isInverse ? v[s].yx : v[s];                                            \
  }

// HELD, ITEMS and LANES are as in built_in/fourier_groups.cpp.
#define HELD 8
#define ITEMS 8
#define LANES 32
FFT_ROWS(64)
FFT_COLUMNS(64)
#undef ITEMS
#undef LANES
#define ITEMS 64
#define LANES 4
FFT_ROWS(512)
#undef LANES
#define LANES 8
FFT_COLUMNS(512)
#undef HELD
#undef ITEMS
#undef LANES
#define HELD 16
#define ITEMS 8
#define LANES 32
FFT_ROWS(128)
FFT_COLUMNS(128)
#undef ITEMS
#undef LANES
#define ITEMS 16
#define LANES 16
FFT_ROWS(256)
FFT_COLUMNS(256)
#undef ITEMS
#undef LANES
#define ITEMS 64
#define LANES 4
FFT_ROWS(1024)
#undef LANES
#define LANES 8
FFT_COLUMNS(1024)
#undef ITEMS
#undef LANES
#define ITEMS 128
#define LANES 2
FFT_ROWS(2048)
#undef LANES
#define LANES 4
FFT_COLUMNS(2048)
#undef ITEMS
#undef LANES
#define ITEMS 256
#define LANES 1
FFT_ROWS(4096)
#undef LANES
#define LANES 4
FFT_COLUMNS(4096)
#undef HELD
#undef ITEMS
#undef LANES

/// The passes of any length, from one half of local memory to the other: combination e of the work-group is number
/// e >> shift of lane e & (lanes - 1).
#define ANY_PASS(RADIX)                                                                                          \
  for (uint e = l; e < (n / RADIX) << shift; e += ANY_ITEMS) {                                                   \
    const uint lane = e & mask, j = e >> shift, k = j % before, step = n / RADIX / before;                       \
    C v[RADIX];                                                                                                  \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r) {                                                         \
      v[r] = from[((j + r * (n / RADIX)) << shift) + lane];                                                      \
      if (r > 0) v[r] = FN(times)(v[r], roots[k * r * step]);                                                    \
    }                                                                                                            \
    FN(dft##RADIX)(v, (S)-1);                                                                                    \
    _Pragma("unroll") for (uint r = 0; r < RADIX; ++r)                                                           \
        to[(((j - k) * RADIX + k + r * before) << shift) + lane] = v[r];                                         \
  }

#define ANY_ITEMS 256

/// The same of any length whose prime factors are small: 1 << shift lanes for a work-group, of which 1 << across
/// work-items read or write one where its numbers follow each other. `numbers` has room for two of each, and then for
/// as many roots as a lane has numbers.
kernel __attribute__((reqd_work_group_size(ANY_ITEMS, 1, 1))) void FN(fft_group)(
    uint n, ulong radices, uint shift, uint across, uint isInverse, uint lanes, uint period, ulong inStep,
    ulong inPeriods, ulong inApart, ulong inBlock, ulong inBegin, ulong outStep, ulong outPeriods, ulong outApart,
    ulong outBlock, ulong outBegin, uint whole, uint inner, const global C* x, global C* y, local C* numbers) {
  const uint l = get_local_id(0), mask = (1u << shift) - 1, first = get_group_id(0) << shift;
  local C *from = numbers, *to = numbers + (n << shift);
  local C* const roots = to + (n << shift);
  x += inBegin + get_group_id(1) * inBlock;
  y += outBegin + get_group_id(1) * outBlock;
  for (uint i = l; i < n; i += ANY_ITEMS) roots[i] = FN(rootBelow)(i, n, (S)-1);
  if (inApart == 1) {
    for (uint lane = l >> across; lane <= mask && first + lane < lanes; lane += ANY_ITEMS >> across) {
      const uint number = first + lane;
      const global C* const own = x + number % period * inStep + number / period * inPeriods;
      for (uint i = l & ((1u << across) - 1); i < n; i += 1u << across) {
        const C value = own[i];
        from[(i << shift) + lane] = isInverse ? value.yx : value;
      }
    }
  } else {
    const uint lane = l & mask, number = first + lane;
    const global C* const own = x + number % period * inStep + number / period * inPeriods;
    if (number < lanes)
      for (uint i = l >> shift; i < n; i += ANY_ITEMS >> shift) {
        const C value = own[i * inApart];
        from[(i << shift) + lane] = isInverse ? value.yx : value;
      }
  }
  for (uint before = 1; radices; radices >>= 5) {
    const uint radix = radices & 31;
    barrier(CLK_LOCAL_MEM_FENCE);
    switch (radix) {
      case 2: ANY_PASS(2) break;
      case 3: ANY_PASS(3) break;
      case 4: ANY_PASS(4) break;
      case 5: ANY_PASS(5) break;
      case 8: ANY_PASS(8) break;
      default:
        for (uint e = l; e < n << shift; e += ANY_ITEMS) {
          const uint lane = e & mask, i = e >> shift, parts = n / radix;
          const uint place = i % (before * radix), j = i / (before * radix) * before + i % before;
          const uint turn = place * (parts / before);
          C sum = 0;
          for (uint q = 0, turned = 0; q < radix; ++q) {
            sum += FN(times)(from[((j + q * parts) << shift) + lane], roots[turned]);
            turned += turn;
            if (turned >= n) turned -= n;
          }
          to[e] = sum;
        }
    }
    before *= radix;
    local C* const other = from;
    from = to, to = other;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (outApart == 1) {
    for (uint lane = l >> across; lane <= mask && first + lane < lanes; lane += ANY_ITEMS >> across) {
      const uint number = first + lane;
      global C* const own = y + number % period * outStep + number / period * outPeriods;
      for (uint i = l & ((1u << across) - 1); i < n; i += 1u << across) {
        const C value = from[(i << shift) + lane];
        own[i] = isInverse ? value.yx : value;
      }
    }
  } else {
    const uint lane = l & mask, number = first + lane;
    global C* const own = y + number % period * outStep + number / period * outPeriods;
    if (number < lanes)
      for (uint i = l >> shift; i < n; i += ANY_ITEMS >> shift) {
        C value = from[(i << shift) + lane];
        if (whole) value = FN(times)(value, FN(rootBelow)((ulong)(number / inner) * i, whole, (S)-1));
        own[i * outApart] = isInverse ? value.yx : value;
      }
  }
}

#undef C
#undef ROOT
#undef PADDED
#undef AT_ROWS
#undef AT_COLUMNS
#undef AT_TURNED
#undef COMBINE
#undef EXCHANGE
#undef FFT_ROWS
#undef FFT_COLUMNS
#undef ANY_PASS
#undef ANY_ITEMS

#endif
