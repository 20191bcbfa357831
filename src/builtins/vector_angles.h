// SPDX-License-Identifier: Apache-2.0
// This file defines sin, cos and tan of float (OpenCL C 3.0, 6.15.2) for the angles that the library's straight-line
// code leaves to the runtime. Up to 2^20 double has the bits to reduce an angle in two steps; SLEEF, which is called
// for angles beyond that, takes four times as long from a few thousand on. Each including file is compiled for the
// instruction sets that its vectors need; fused multiply-add is one of them. Each lane's result is that of one number.
#pragma once

namespace clarity::builtins {
namespace {

template <typename T, unsigned lanes>
using AngleLanes __attribute__((vector_size(lanes * sizeof(T)))) = T;

/// Angles of float, less multiples of pi/2.
template <unsigned lanes>
class Angles {
public:
  using V = AngleLanes<float, lanes>;
  using I = AngleLanes<int, lanes>;

  explicit Angles(V x) : x_(x) {
    using D = AngleLanes<double, lanes>;
    using L = AngleLanes<long, lanes>;
    const V magnitude = __builtin_elementwise_abs(x);
    near_ = magnitude <= 0x1p20f;
    const D angle = __builtin_convertvector(magnitude, D);
    const D rounded = angle * 0x1.45f306dc9c883p-1 + 0x1.8p52, n = rounded - 0x1.8p52;
    const D high = __builtin_elementwise_fma(-n, D{} + 0x1.921fb54442d18p0, angle);
    rest_ = __builtin_convertvector(__builtin_elementwise_fma(-n, D{} + 0x1.1a62633145c07p-54, high), V);
    quarters_ = __builtin_convertvector((L)rounded, I);
    square_ = rest_ * rest_;
  }

  bool allNear() const { return __builtin_reduce_and(near_) != 0; }
  /// The results of near angles, and of others those of `far`.
  V choose(V near, V far) const { return near_ ? near : far; }

  V sin() const { return withSign(isOdd() ? cosine() : sine(), quarters_ << 30 ^ (I)x_); }
  V cos() const { return withSign(isOdd() ? sine() : cosine(), (quarters_ + 1) << 30); }
  V tan() const {
    // tan(r) = r + r^3 polynomial(r^2) with a relative error of 1.3e-9, as in math/float_angles.clh
    const V p = polynomial(0x1.1e8deep-8f, 0x1.9d8efcp-14f, 0x1.62c982p-7f, 0x1.5cc106p-6f, 0x1.bad9cp-5f,
                           0x1.110d9ep-3f, 0x1.55556p-2f);
    const V tangent = __builtin_elementwise_fma(rest_ * square_, p, rest_);
    return withSign((isOdd() ? V{} - 1 : tangent) / (isOdd() ? tangent : V{} + 1), (I)x_);
  }

private:
  /// Horner's scheme in the square.
  template <typename... More>
  V polynomial(float first, More... more) const {
    V value = V{} + first;
    ((value = __builtin_elementwise_fma(value, square_, V{} + more)), ...);
    return value;
  }
  // The polynomials of math/half_turns.clh.
  V sine() const {
    return __builtin_elementwise_fma(rest_ * square_, polynomial(-0x1.99436ep-13f, 0x1.11073ap-7f, -0x1.555546p-3f),
                                     rest_);
  }
  V cosine() const {
    return __builtin_elementwise_fma(square_, polynomial(0x1.99162ap-16f, -0x1.6c07fp-10f, 0x1.55553cp-5f, -0x1p-1f),
                                     V{} + 1);
  }
  I isOdd() const { return (quarters_ & 1) != 0; }
  /// Changes the sign where that of `sign` is set.
  static V withSign(V value, I sign) { return (V)((I)value ^ (sign & (1 << 31))); }

  V x_, rest_, square_;
  I near_, quarters_;
};

}  // namespace
}  // namespace clarity::builtins

/// Defines extern "C" clarity_<name>_<unit>_float<lanes>, which calls SLEEF's `far` where an angle is large.
#define CLARITY_VECTOR_ANGLE(name, unit, lanes, far)                                                         \
  extern "C" clarity::builtins::AngleLanes<float, lanes> far(clarity::builtins::AngleLanes<float, lanes> x); \
  extern "C" clarity::builtins::AngleLanes<float, lanes> clarity_##name##_##unit##_float##lanes(             \
      clarity::builtins::AngleLanes<float, lanes> x);                                                        \
  extern "C" clarity::builtins::AngleLanes<float, lanes> clarity_##name##_##unit##_float##lanes(             \
      clarity::builtins::AngleLanes<float, lanes> x) {                                                       \
    const clarity::builtins::Angles<lanes> angles(x);                                                        \
    return angles.allNear() ? angles.name() : angles.choose(angles.name(), far(x));                          \
  }

/// Defines extern "C" clarity_<name>_<unit>_float1 for one number, which is every lane of a short vector.
#define CLARITY_SCALAR_ANGLE(name, unit, far)                                                 \
  extern "C" float far(float x);                                                              \
  extern "C" float clarity_##name##_##unit##_float1(float x);                                 \
  extern "C" float clarity_##name##_##unit##_float1(float x) {                                \
    const clarity::builtins::Angles<4> angles(x - clarity::builtins::AngleLanes<float, 4>{}); \
    return angles.allNear() ? angles.name()[0] : far(x);                                      \
  }
