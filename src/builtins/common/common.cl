// SPDX-License-Identifier: Apache-2.0
// This file defines the common functions on floating-point types (OpenCL C 3.0, 6.15.4). min and max are the
// comparisons of the specification's text, which one vector instruction implements.

#include "prelude.clh"

#define LESSER(T, x, y) ((y) < (x) ? (y) : (x))
#define GREATER(T, x, y) ((x) < (y) ? (y) : (x))

#define EVERY_WIDTH(N, T, I, U)                                                                                        \
  BUILTIN T##N max(T##N x, T##N y) { return GREATER(T, x, y); }                                                        \
  BUILTIN T##N min(T##N x, T##N y) { return LESSER(T, x, y); }                                                         \
  BUILTIN T##N clamp(T##N x, T##N low, T##N high) {                                                                    \
    T##N raised = GREATER(T, x, low);                                                                                  \
    return LESSER(T, raised, high);                                                                                    \
  }                                                                                                                    \
  BUILTIN T##N degrees(T##N radians) { return radians * (T)(180.0 / M_PI); }                                           \
  BUILTIN T##N radians(T##N degrees) { return degrees * (T)(M_PI / 180.0); }                                           \
  BUILTIN T##N mix(T##N x, T##N y, T##N a) {                                                                         \
    FUSED                                                                                                              \
    return x + (y - x) * a;                                                                                            \
  }                                                                                                                    \
  BUILTIN T##N step(T##N edge, T##N x) { return x < edge ? (T##N)(T)0 : (T##N)(T)1; }                                  \
  BUILTIN T##N smoothstep(T##N edge0, T##N edge1, T##N x) {                                                            \
    T##N t = (x - edge0) / (edge1 - edge0);                                                                            \
    t = GREATER(T, t, (T##N)(T)0);                                                                                     \
    t = LESSER(T, t, (T##N)(T)1);                                                                                      \
    return t * t * ((T)3 - (T)2 * t);                                                                                  \
  }                                                                                                                    \
  BUILTIN T##N sign(T##N x) {                                                                                          \
    T##N unit = __builtin_elementwise_copysign((T##N)(T)1, x);                                                         \
    T##N other = x == (T##N)(T)0 ? x : (T##N)(T)0;                                                                     \
    return ((x < (T##N)(T)0) | (x > (T##N)(T)0)) ? unit : other;                                                       \
  }

#define SCALAR_EDGES(N, T, I, U)                                                                                       \
  BUILTIN T##N max(T##N x, T y) { return GREATER(T, x, (T##N)y); }                                                     \
  BUILTIN T##N min(T##N x, T y) { return LESSER(T, x, (T##N)y); }                                                      \
  BUILTIN T##N clamp(T##N x, T low, T high) { return clamp(x, (T##N)low, (T##N)high); }                                \
  BUILTIN T##N mix(T##N x, T##N y, T a) { return mix(x, y, (T##N)a); }                                                 \
  BUILTIN T##N step(T edge, T##N x) { return step((T##N)edge, x); }                                                    \
  BUILTIN T##N smoothstep(T edge0, T edge1, T##N x) { return smoothstep((T##N)edge0, (T##N)edge1, x); }

EACH_FLOAT(EVERY_WIDTH)
EACH_FLOAT_VECTOR(SCALAR_EDGES)
