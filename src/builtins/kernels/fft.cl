// SPDX-License-Identifier: Apache-2.0
// This file transforms by Fourier, complex numbers as pairs, along the second axis of outer x n x inner numbers. A pass
// of radix r combines r transforms of `before` numbers each into one; after all of them the numbers are in order
// (Stockham). A length with a large prime factor is a convolution with a chirp, of a length that has none (Bluestein).
// On processors with vectors, a work-item makes a whole transform in local memory, beside those of its neighbours; long
// ones are made of shorter ones.

#define C PASTE2(FFT_PAIR, SUFFIX)
#define FFT_PAIR_f32 float2
#define FFT_PAIR_f64 double2

static inline C FN(times)(C a, C b) { return (C)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

/// The root of one to the power of part / whole, where part is below whole; `sign` is -1 for the transform and 1 for
/// its inverse.
static inline C FN(rootBelow)(ulong part, ulong whole, S sign) {
  const S turns = 2 * ((S)part / (S)whole);
  return (C)(cospi(turns), sign * sinpi(turns));
}
/// The same of any part.
static inline C FN(rootOf)(ulong part, ulong whole, S sign) { return FN(rootBelow)(part % whole, whole, sign); }

/// The number times i, or -i for the transform.
static inline C FN(turned)(C a, S sign) { return (C)(-sign * a.y, sign * a.x); }

static inline void FN(dft2)(private C* v, S sign) {
  const C a = v[0];
  v[0] = a + v[1];
  v[1] = a - v[1];
}
static inline void FN(dft3)(private C* v, S sign) {
  const C sum = v[1] + v[2], difference = (v[1] - v[2]) * (S)0.86602540378443864676;
  const C middle = v[0] - sum * (S)0.5, side = FN(turned)(difference, sign);
  v[0] = v[0] + sum;
  v[1] = middle + side;
  v[2] = middle - side;
}
static inline void FN(dft4)(private C* v, S sign) {
  const C a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = FN(turned)(v[1] - v[3], sign);
  v[0] = a + c;
  v[1] = b + d;
  v[2] = a - c;
  v[3] = b - d;
}
static inline void FN(dft5)(private C* v, S sign) {
  const S c1 = (S)0.30901699437494742410, c2 = (S)-0.80901699437494742410;
  const S s1 = (S)0.95105651629515357212, s2 = (S)0.58778525229247312917;
  const C a = v[1] + v[4], b = v[2] + v[3], c = v[1] - v[4], d = v[2] - v[3];
  const C first = v[0] + a * c1 + b * c2, second = v[0] + a * c2 + b * c1;
  const C firstSide = FN(turned)(c * s1 + d * s2, sign), secondSide = FN(turned)(c * s2 - d * s1, sign);
  v[0] = v[0] + a + b;
  v[1] = first + firstSide;
  v[2] = second + secondSide;
  v[3] = second - secondSide;
  v[4] = first - firstSide;
}
static inline void FN(dft8)(private C* v, S sign) {
  const S h = (S)0.70710678118654752440;
  C even[4] = {v[0], v[2], v[4], v[6]}, odd[4] = {v[1], v[3], v[5], v[7]};
  FN(dft4)(even, sign);
  FN(dft4)(odd, sign);
  odd[1] = FN(times)(odd[1], (C)(h, sign * h));
  odd[2] = FN(turned)(odd[2], sign);
  odd[3] = FN(times)(odd[3], (C)(-h, sign * h));
  for (uint r = 0; r < 4; ++r) {
    v[r] = even[r] + odd[r];
    v[r + 4] = even[r] - odd[r];
  }
}

#define FFT_PASS(RADIX)                                                                                           \
  kernel void FN(fft##RADIX)(ulong n, ulong inner, ulong before, S sign, const global C* x, global C* y) {        \
    const bool isLine = inner == 1;                                                                               \
    const ulong i = isLine ? 0 : get_global_id(0), j = isLine ? get_global_id(0) : get_global_id(1);              \
    const ulong o = isLine ? get_global_id(1) : get_global_id(2), k = j % before;                                 \
    x += o * n * inner + i;                                                                                       \
    y += o * n * inner + i;                                                                                       \
    C v[RADIX];                                                                                                   \
    for (uint r = 0; r < RADIX; ++r) v[r] = x[(j + r * (n / RADIX)) * inner];                                     \
    if (before > 1) {                                                                                             \
      const C root = FN(rootOf)(k, before * RADIX, sign);                                                         \
      C power = root;                                                                                             \
      for (uint r = 1; r < RADIX; ++r) {                                                                          \
        v[r] = FN(times)(v[r], power);                                                                            \
        power = FN(times)(power, root);                                                                           \
      }                                                                                                           \
    }                                                                                                             \
    FN(dft##RADIX)(v, sign);                                                                                      \
    const ulong first = (j - k) * RADIX + k;                                                                      \
    for (uint r = 0; r < RADIX; ++r) y[(first + r * before) * inner] = v[r];                                      \
  }

FFT_PASS(2)
FFT_PASS(3)
FFT_PASS(4)
FFT_PASS(5)
FFT_PASS(8)

/// Any radix: each result is a sum.
kernel void FN(fft_any)(uint radix, ulong n, ulong inner, ulong before, S sign, const global C* x, global C* y) {
  const ulong i = get_global_id(0), j = get_global_id(1), o = get_global_id(2), k = j % before;
  x += o * n * inner + i;
  y += o * n * inner + i;
  const ulong first = (j - k) * radix + k;
  for (uint r = 0; r < radix; ++r) {
    C sum = 0;
    for (uint q = 0; q < radix; ++q)
      sum += FN(times)(x[(j + q * (n / radix)) * inner], FN(rootOf)(q * (k + r * before), before * radix, sign));
    y[(first + r * before) * inner] = sum;
  }
}

kernel void FN(fft_copy)(const global C* x, global C* y) { y[get_global_id(0)] = x[get_global_id(0)]; }

/// The chirp: exp(sign * pi * i * k * k / n).
static inline C FN(chirpOf)(ulong k, ulong n, S sign) { return FN(rootOf)(k * k % (2 * n), 2 * n, sign); }

/// The numbers times the chirp, and zeros up to `m`.
kernel void FN(fft_spread)(ulong n, ulong m, ulong inner, S sign, const global C* x, global C* y) {
  const ulong i = get_global_id(0), k = get_global_id(1), o = get_global_id(2);
  C value = 0;
  if (k < n) value = FN(times)(x[(o * n + k) * inner + i], FN(chirpOf)(k, n, sign));
  y[(o * m + k) * inner + i] = value;
}
/// The other chirp, around 0.
kernel void FN(fft_chirp)(ulong n, ulong m, S sign, global C* y) {
  const ulong k = get_global_id(0);
  y[k] = k < n ? FN(chirpOf)(k, n, -sign) : m - k < n ? FN(chirpOf)(m - k, n, -sign) : (C)0;
}
kernel void FN(fft_multiply)(ulong m, ulong inner, global C* x, const global C* y) {
  const ulong i = get_global_id(0), k = get_global_id(1), o = get_global_id(2), at = (o * m + k) * inner + i;
  x[at] = FN(times)(x[at], y[k]);
}
kernel void FN(fft_collect)(ulong n, ulong m, ulong inner, S sign, const global C* x, global C* y) {
  const ulong i = get_global_id(0), k = get_global_id(1), o = get_global_id(2);
  y[(o * n + k) * inner + i] = FN(times)(x[(o * m + k) * inner + i], FN(chirpOf)(k, n, sign)) / (S)m;
}

/// Roots of one for the transforms in local memory: number i is that to the power of -i / n.
kernel void FN(fft_roots)(uint n, global C* roots) {
  roots[get_global_id(0)] = FN(rootOf)(get_global_id(0), n, (S)-1);
}

/// The blocks of each k, whose roots are loaded once.
#define FFT_KEPT(RADIX)                                                                                     \
  for (size_t k = 0; k < before; ++k) {                                                                     \
    C root[RADIX];                                                                                          \
    for (uint r = 1; r < RADIX; ++r) root[r] = roots[k * r * blocks];                                       \
    const local S* source = from + k * each;                                                                \
    local S* target = to + k * each;                                                                        \
    for (size_t block = 0; block < blocks; ++block) {                                                       \
      FFT_COMBINE(RADIX, FFT_TURN_KEPT)                                                                     \
      source += toApart;                                                                                    \
      target += RADIX * toApart;                                                                            \
    }                                                                                                       \
  }

/// A pass in local memory, where numbers of a work-item are 2 * `width` apart, and their imaginary parts `width` behind
/// the real ones. The first pass turns by nothing; of the last, each turn is that of one combination.
#define FFT_TURN_NOT(r, number) number
#define FFT_TURN_KEPT(r, number) FN(times)(number, root[r])
#define FFT_TURN(r, number) FN(times)(number, roots[k * r])
#define FFT_COMBINE(RADIX, TURN)                                                          \
  {                                                                                       \
    C v[RADIX];                                                                           \
    v[0] = (C)(source[0], source[width]);                                                 \
    for (uint r = 1; r < RADIX; ++r)                                                      \
      v[r] = TURN(r, (C)(source[r * apart], source[r * apart + width]));                  \
    FN(dft##RADIX)(v, (S)-1);                                                             \
    for (uint r = 0; r < RADIX; ++r) {                                                    \
      target[r * toApart] = v[r].x;                                                       \
      target[r * toApart + width] = v[r].y;                                               \
    }                                                                                     \
  }
#define FFT_LOCAL_PASS(RADIX)                                                                               \
  static inline void FN(fftLocal##RADIX)(uint n, uint before, size_t width, const local S* from, local S* to, \
                                         const global C* roots) {                                           \
    const size_t each = 2 * width, parts = n / RADIX, blocks = parts / before;                              \
    const size_t apart = parts * each, toApart = before * each;                                             \
    const local S* source = from;                                                                           \
    local S* target = to;                                                                                   \
    if (before == 1) {                                                                                      \
      for (size_t j = 0; j < parts; ++j) {                                                                  \
        FFT_COMBINE(RADIX, FFT_TURN_NOT)                                                                    \
        source += each;                                                                                     \
        target += RADIX * each;                                                                             \
      }                                                                                                     \
    } else if (blocks == 1) {                                                                               \
      for (size_t k = 0; k < before; ++k) {                                                                 \
        FFT_COMBINE(RADIX, FFT_TURN)                                                                        \
        source += each;                                                                                     \
        target += each;                                                                                     \
      }                                                                                                     \
    } else {                                                                                                \
      FFT_KEPT(RADIX)                                                                                       \
    }                                                                                                       \
  }
/// The same with one loop, for radices that most lengths have not.
#define FFT_LOCAL_RARE(RADIX)                                                                               \
  static inline void FN(fftLocal##RADIX)(uint n, uint before, size_t width, const local S* from, local S* to, \
                                         const global C* roots) {                                           \
    const size_t each = 2 * width, parts = n / RADIX, blocks = parts / before;                              \
    const size_t apart = parts * each, toApart = before * each;                                             \
    FFT_KEPT(RADIX)                                                                                         \
  }

FFT_LOCAL_RARE(2)
FFT_LOCAL_RARE(3)
FFT_LOCAL_PASS(4)
FFT_LOCAL_RARE(5)
FFT_LOCAL_PASS(8)

static inline void FN(fftLocalAny)(uint radix, uint n, uint before, size_t width, const local S* from, local S* to,
                                   const global C* roots) {
  const uint parts = n / radix, step = parts / before;
  for (uint j = 0; j < parts; ++j) {
    const uint k = j % before, first = (j - k) * radix + k;
    for (uint r = 0; r < radix; ++r) {
      const uint turn = (k + r * before) * step;
      C sum = 0;
      for (uint q = 0, turned = 0; q < radix; ++q) {
        const local S* const number = from + (j + q * parts) * 2 * width;
        sum += FN(times)((C)(number[0], number[width]), roots[turned]);
        turned += turn;
        if (turned >= n) turned -= n;
      }
      local S* const result = to + (first + r * before) * 2 * width;
      result[0] = sum.x;
      result[width] = sum.y;
    }
  }
}

/// Numbers that follow each other are read and written so many at a time.
#define RUN 8
/// Roots of a work-item are products of two.
#define FEW 32

/// Work-item `lane` of block get_group_id(1) transforms n numbers. `radices` has 5 bits for each pass. Number i of a
/// lane is inApart * i from lane % period * inStep + lane / period * inPeriods in x; the same of y. With `whole`,
/// results are turned as those of a part of a transform of that length, where lane / inner is the place in the part.
/// For the inverse, real and imaginary parts change places before and after.
kernel void FN(fft_local)(uint n, ulong radices, uint isInverse, uint lanes, uint period, ulong inStep,
                          ulong inPeriods, ulong inApart, ulong inBlock, ulong inBegin, ulong outStep,
                          ulong outPeriods, ulong outApart, ulong outBlock, ulong outBegin, ulong whole, uint inner,
                          const global C* x, global C* y, const global C* roots, local S* work) {
  const size_t width = get_local_size(0);
  const uint lane = get_global_id(0);
  if (lane >= lanes) return;
  x += inBegin + get_group_id(1) * inBlock;
  y += outBegin + get_group_id(1) * outBlock;
  local S *from = work + get_local_id(0), *to = from + n * 2 * width;
  local S* const first = isInverse ? from + width : from;
  local S* const second = isInverse ? from : from + width;
  const bool isRegular = period >= lanes;
  if (isRegular && inStep == 1) {
    for (uint i = 0; i < n; ++i) {
      const C value = x[i * inApart + lane];
      first[i * 2 * width] = value.x;
      second[i * 2 * width] = value.y;
    }
  } else {
    const global C* const own = x + (isRegular ? lane * inStep : lane % period * inStep + lane / period * inPeriods);
    uint i = 0;
    if (inApart == 1)
      for (; i + RUN <= n; i += RUN) {
        C line[RUN];
        for (uint j = 0; j < RUN; ++j) line[j] = own[i + j];
        for (uint j = 0; j < RUN; ++j) {
          first[(i + j) * 2 * width] = line[j].x;
          second[(i + j) * 2 * width] = line[j].y;
        }
      }
    for (; i < n; ++i) {
      const C value = own[i * inApart];
      first[i * 2 * width] = value.x;
      second[i * 2 * width] = value.y;
    }
  }
  for (uint before = 1; radices; radices >>= 5) {
    const uint radix = radices & 31;
    switch (radix) {
      case 2: FN(fftLocal2)(n, before, width, from, to, roots); break;
      case 3: FN(fftLocal3)(n, before, width, from, to, roots); break;
      case 4: FN(fftLocal4)(n, before, width, from, to, roots); break;
      case 5: FN(fftLocal5)(n, before, width, from, to, roots); break;
      case 8: FN(fftLocal8)(n, before, width, from, to, roots); break;
      default: FN(fftLocalAny)(radix, n, before, width, from, to, roots); break;
    }
    before *= radix;
    local S* const other = from;
    from = to, to = other;
  }
  if (whole) {
    const ulong place = lane / inner;
    C few[FEW];
    for (uint i = 0; i < FEW; ++i) few[i] = FN(rootBelow)(place * i, whole, (S)-1);
    for (uint begin = 0; begin < n; begin += FEW) {
      const C many = FN(rootBelow)(place * begin, whole, (S)-1);
      for (uint i = 0; i < min((uint)FEW, n - begin); ++i) {
        local S* const number = from + (begin + i) * 2 * width;
        const C value = FN(times)((C)(number[0], number[width]), FN(times)(many, few[i]));
        number[0] = value.x;
        number[width] = value.y;
      }
    }
  }
  const local S* const real = isInverse ? from + width : from;
  const local S* const imaginary = isInverse ? from : from + width;
  if (isRegular && outStep == 1) {
    for (uint i = 0; i < n; ++i) y[i * outApart + lane] = (C)(real[i * 2 * width], imaginary[i * 2 * width]);
  } else {
    global C* const own = y + (isRegular ? lane * outStep : lane % period * outStep + lane / period * outPeriods);
    uint i = 0;
    if (outApart == 1)
      for (; i + RUN <= n; i += RUN) {
        C line[RUN];
        for (uint j = 0; j < RUN; ++j)
          line[j] = (C)(real[(i + j) * 2 * width], imaginary[(i + j) * 2 * width]);
        for (uint j = 0; j < RUN; ++j) own[i + j] = line[j];
      }
    for (; i < n; ++i) own[i * outApart] = (C)(real[i * 2 * width], imaginary[i * 2 * width]);
  }
}

#undef FFT_TURN_NOT
#undef FFT_TURN_KEPT
#undef FFT_TURN
#undef FFT_COMBINE
#undef FFT_LOCAL_PASS
#undef FFT_LOCAL_RARE
#undef FFT_KEPT
#undef RUN
#undef FEW

/// Real numbers as complex ones, and back: of a transform of real numbers the first n / 2 + 1 are kept.
kernel void FN(fft_from_real)(const global S* x, global C* y) {
  const ulong i = get_global_id(0);
  y[i] = (C)(x[i], 0);
}
kernel void FN(fft_keep)(ulong n, const global C* x, global C* y) {
  const ulong k = get_global_id(0), o = get_global_id(1);
  y[o * (n / 2 + 1) + k] = x[o * n + k];
}
kernel void FN(fft_restore)(ulong n, const global C* x, global C* y) {
  const ulong k = get_global_id(0), o = get_global_id(1);
  x += o * (n / 2 + 1);
  C value = k <= n / 2 ? x[k] : x[n - k] * (C)(1, -1);
  if (k == 0 || 2 * k == n) value.y = 0;
  y[o * n + k] = value;
}
kernel void FN(fft_to_real)(const global C* x, global S* y) {
  const ulong i = get_global_id(0);
  y[i] = x[i].x;
}

#undef C
#undef FFT_PASS
