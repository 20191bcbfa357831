// SPDX-License-Identifier: Apache-2.0
// This file transforms by Fourier, complex numbers as pairs, along the second axis of outer x n x inner numbers. A pass
// of radix r combines r transforms of `before` numbers each into one; after all of them the numbers are in order
// (Stockham). A length with a large prime factor is a convolution with a chirp, of a length that has none (Bluestein).

#define C PASTE2(FFT_PAIR, SUFFIX)
#define FFT_PAIR_f32 float2
#define FFT_PAIR_f64 double2

static inline C FN(times)(C a, C b) { return (C)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

/// The root of one to the power of part / whole; `sign` is -1 for the transform and 1 for its inverse.
static inline C FN(rootOf)(ulong part, ulong whole, S sign) {
  const S turns = 2 * ((S)(part % whole) / (S)whole);
  return (C)(cospi(turns), sign * sinpi(turns));
}

/// The number times i, or -i for the transform.
static inline C FN(turned)(C a, S sign) { return (C)(-sign * a.y, sign * a.x); }

static inline void FN(dft2)(C* v, S sign) {
  const C a = v[0];
  v[0] = a + v[1];
  v[1] = a - v[1];
}
static inline void FN(dft3)(C* v, S sign) {
  const C sum = v[1] + v[2], difference = (v[1] - v[2]) * (S)0.86602540378443864676;
  const C middle = v[0] - sum * (S)0.5, side = FN(turned)(difference, sign);
  v[0] = v[0] + sum;
  v[1] = middle + side;
  v[2] = middle - side;
}
static inline void FN(dft4)(C* v, S sign) {
  const C a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = FN(turned)(v[1] - v[3], sign);
  v[0] = a + c;
  v[1] = b + d;
  v[2] = a - c;
  v[3] = b - d;
}
static inline void FN(dft5)(C* v, S sign) {
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
static inline void FN(dft8)(C* v, S sign) {
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
