// SPDX-License-Identifier: Apache-2.0
// This file gives the vector forms of the runtime math. They are SLEEF's deterministic functions with fused multiply-add,
// which give the same bits for a number whatever the width of the vector that it travels in, one lane included.
#include <vector>

#include "builtins/builtins.h"

// Only the addresses are needed, so that nothing here depends on the vector types that this file is compiled for.
#define CLARITY_VECTOR_MATH_1(name, accuracy)                   \
  extern "C" void Sleef_finz_##name##f1_##accuracy##purecfma(); \
  extern "C" void Sleef_finz_##name##f4_##accuracy##avx2128();  \
  extern "C" void Sleef_finz_##name##f8_##accuracy##avx2();     \
  extern "C" void Sleef_finz_##name##f16_##accuracy##avx512f(); \
  extern "C" void Sleef_finz_##name##d1_##accuracy##purecfma(); \
  extern "C" void Sleef_finz_##name##d2_##accuracy##avx2128();  \
  extern "C" void Sleef_finz_##name##d4_##accuracy##avx2();     \
  extern "C" void Sleef_finz_##name##d8_##accuracy##avx512f();
#define CLARITY_VECTOR_MATH_2 CLARITY_VECTOR_MATH_1
#include "builtins/vector_math.def"
#undef CLARITY_VECTOR_MATH_1

namespace clarity::builtins {
namespace {

std::vector<VectorMath> supported() {
  std::vector<VectorMath> table;
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    return table;
  }
  const bool wide = __builtin_cpu_supports("avx512f");
  const auto add = [&](const char* scalar, unsigned lanes, const char* symbol, void (*function)()) {
    table.push_back({scalar, lanes, symbol, reinterpret_cast<void*>(function)});
  };
#define ADD(name, type, lanes, function) add("__clarity_" #name "_" type, lanes, "__clarity_" #name "_" type "_v" #lanes, &function);
#define CLARITY_VECTOR_MATH_1(name, accuracy)                        \
  ADD(name, "f32", 1, Sleef_finz_##name##f1_##accuracy##purecfma)    \
  ADD(name, "f32", 4, Sleef_finz_##name##f4_##accuracy##avx2128)     \
  ADD(name, "f32", 8, Sleef_finz_##name##f8_##accuracy##avx2)        \
  ADD(name, "f64", 1, Sleef_finz_##name##d1_##accuracy##purecfma)    \
  ADD(name, "f64", 2, Sleef_finz_##name##d2_##accuracy##avx2128)     \
  ADD(name, "f64", 4, Sleef_finz_##name##d4_##accuracy##avx2)        \
  if (wide) {                                                        \
    ADD(name, "f32", 16, Sleef_finz_##name##f16_##accuracy##avx512f) \
    ADD(name, "f64", 8, Sleef_finz_##name##d8_##accuracy##avx512f)   \
  }
#include "builtins/vector_math.def"
  return table;
}

}  // namespace

std::span<const VectorMath> vectorMath() {
  static const std::vector<VectorMath> table = supported();
  return table;
}

}  // namespace clarity::builtins
