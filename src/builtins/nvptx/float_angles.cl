// SPDX-License-Identifier: Apache-2.0
// This file gives sine, cosine, tangent and their inverses of float with the approximate instructions of NVIDIA GPUs
// (float_math.cl).

#include "float_math.clh"

// ---- angles -----------------------------------------------------------------------------------------------

/// x = n pi/2 + angle; the lowest two bits of n count.
struct Angle {
  float angle;
  int n;
};

/// 2/pi, 32 bits a word, the most significant word first; 32 zero bits before the binary point.
__constant static const uint twoByPi[] = {0,          0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                          0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

/// For any finite x: the bits of x * 2/pi around the binary point, from those of 2/pi that matter.
static __attribute__((noinline)) struct Angle angleOfLarge(float x) {
  int bits = BITS(x);
  int exponent = ((bits >> 23) & 255) - 127;  // 2^exponent <= |x|
  uint mantissa = (uint)(bits & 0x7fffff) | 0x800000u;
  // x = mantissa 2^(exponent - 23): bits of 2/pi above those of weight 2^(24 - exponent) give multiples of 4.
  int first = exponent + 7;  // the first of 96 bits in the table, so that the product has its units in bits 63 and 62
  int word = first >> 5, shift = first & 31;
  ulong high = (ulong)twoByPi[word] << 32 | twoByPi[word + 1];
  ulong low = (ulong)twoByPi[word + 2] << 32 | (word + 3 < 8 ? twoByPi[word + 3] : 0u);
  ulong top = shift ? high << shift | low >> (64 - shift) : high;
  uint rest = (uint)((shift ? low << shift : low) >> 32);
  ulong product = top * mantissa + ((ulong)rest * mantissa >> 32);
  // The lowest bits of the product's integer part are bits 63 and 62.
  int n = (int)(product >> 62);
  long fraction = (long)(product << 2);  // in half of an angle, as a signed number
  n += fraction < 0;
  struct Angle result;
  result.angle = (float)((double)fraction * 0x1.921fb54442d18p-64);
  if (bits < 0) {
    result.angle = -result.angle;
    n = -n;
  }
  result.n = n;
  return result;
}

/// pi/2 in three parts. After the first one x - n pi/2 is exact up to this bound: no bit of the product is below those
/// of x.
#define QUICK_ANGLES 65536.0f
HELPER struct Angle angleOf(float x) {
  struct Angle result;
  if (__builtin_expect(!(__builtin_fabsf(x) <= QUICK_ANGLES), false)) {
    if (!(__builtin_fabsf(x) < INFINITE)) x = NOT_A_NUMBER;
    if (x == x) return angleOfLarge(x);
    result.angle = x;
    result.n = 0;
    return result;
  }
  float rounded = FMA(x, 0x1.45f306p-1f, ROUNDER), n = rounded - ROUNDER;
  result.angle = FMA(n, -0x1.846988p-48f, FMA(n, -0x1.4442d0p-24f, FMA(n, -0x1.921fb4p+0f, x)));
  result.n = BITS(rounded);
  return result;
}

HELPER float withSign(float x, int n) { return FLOAT(BITS(x) ^ ((n & 2) << 30)); }

float __clarity_sin_f32(float x) {
  struct Angle it = angleOf(x);
  float sine = sineOf(it.angle), cosine = cosineOf(it.angle);
  float result = withSign(it.n & 1 ? cosine : sine, it.n);
  return x == 0 ? x : result;  // with the sign of a zero
}
float __clarity_cos_f32(float x) {
  struct Angle it = angleOf(x);
  float sine = sineOf(it.angle), cosine = cosineOf(it.angle);
  return withSign(it.n & 1 ? sine : cosine, it.n + 1);
}
float __clarity_tan_f32(float x) {
  struct Angle it = angleOf(x);
  float sine = sineOf(it.angle), cosine = cosineOf(it.angle);
  float result = (it.n & 1 ? -cosine : sine) * INVERSE(it.n & 1 ? sine : cosine);
  return x == 0 ? x : result;
}

// ---- inverses of angles -----------------------------------------------------------------------------------

/// atan(a) = a + a^3 ARC_TANGENT(a^2) for 0 <= a <= 1, asin(a) = a + a^3 ARC_SINE(a^2) up to 1/2; errors 2e-8, 5e-9.
#define ARC_TANGENT(t)                                                                                       \
  (((((((0x1.7ecebp-9f * t + -0x1.0c2a54p-6f) * t + 0x1.61fc7p-5f) * t + -0x1.35561ep-4f) * t +               \
      0x1.b4e0e4p-4f) * t + -0x1.230ad2p-3f) * t + 0x1.9978f2p-3f) * t + -0x1.5554dcp-2f)
#define ARC_SINE(t)                                                                                           \
  ((((0x1.596d32p-5f * t + 0x1.8c283p-6f) * t + 0x1.747e4cp-5f) * t + 0x1.3301e4p-4f) * t + 0x1.5555c8p-3f)
#define HALF_PI 0x1.921fb6p+0f
HELPER float arcTangent(float a) {
  float t = a * a;
  return FMA(a * t, ARC_TANGENT(t), a);
}
HELPER float arcSine(float a) {  // of 0 <= a <= 1, halved above 1/2
  bool large = a > 0.5f;
  float square = a * a, t = large ? FMA(-0.5f, a, 0.5f) : square, root = ROOT(t);
  float s = large ? root : a;
  return FMA(s * t, ARC_SINE(t), s);
}

float __clarity_atan_f32(float x) {
  float a = __builtin_fabsf(x);
  float inverse = INVERSE(a), arc = arcTangent(a > 1.0f ? inverse : a);
  return __builtin_copysignf(a > 1.0f ? HALF_PI - arc : arc, x);
}
float __clarity_atan2_f32(float y, float x) {
  float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y);
  bool steep = ax < ay;
  float lesser = steep ? ax : ay, greater = steep ? ay : ax;
  float quotient = quotientOf(lesser, greater);
  if (lesser == greater) quotient = greater == 0 ? 0.0f : 1.0f;  // zeros and infinities
  if (greater == INFINITE && lesser < INFINITE) quotient = 0.0f;
  float arc = arcTangent(quotient);
  arc = steep ? HALF_PI - arc : arc;
  arc = BITS(x) < 0 ? PI - arc : arc;
  return x != x || y != y ? x + y : __builtin_copysignf(arc, y);
}
float __clarity_asin_f32(float x) {
  float a = __builtin_fabsf(x), arc = arcSine(a);
  return __builtin_copysignf(a > 0.5f ? FMA(-2.0f, arc, HALF_PI) : arc, x);
}
float __clarity_acos_f32(float x) {
  float a = __builtin_fabsf(x), arc = arcSine(a);
  float far = x < 0 ? FMA(-2.0f, arc, PI) : 2.0f * arc;
  return a > 0.5f ? far : HALF_PI - __builtin_copysignf(arc, x);
}
