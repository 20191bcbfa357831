// SPDX-License-Identifier: Apache-2.0
// This file lists the runtime math functions at every width. They are SLEEF's deterministic functions, which return the
// same bits at every width of vector, one lane included. One family uses fused multiply-add (finz), one does not
// (cinz); a processor uses one family for all widths. fmod is exact and defined in this folder, and so are sin, cos and
// tan of float with fused multiply-add (vector_angles.h).
#include <array>
#include <vector>

#include "builtins/builtins.h"

// Only addresses are taken, so that nothing depends on the vector types that are legal in this file.
#define CLARITY_MATH_1(name, accuracy)                          \
  extern "C" void Sleef_cinz_##name##f1_##accuracy##purec();    \
  extern "C" void Sleef_cinz_##name##f4_##accuracy##sse2();     \
  extern "C" void Sleef_cinz_##name##f8_##accuracy##avx();      \
  extern "C" void Sleef_cinz_##name##d1_##accuracy##purec();    \
  extern "C" void Sleef_cinz_##name##d2_##accuracy##sse2();     \
  extern "C" void Sleef_cinz_##name##d4_##accuracy##avx();      \
  extern "C" void Sleef_finz_##name##f1_##accuracy##purecfma(); \
  extern "C" void Sleef_finz_##name##f4_##accuracy##avx2128();  \
  extern "C" void Sleef_finz_##name##f8_##accuracy##avx2();     \
  extern "C" void Sleef_finz_##name##f16_##accuracy##avx512f(); \
  extern "C" void Sleef_finz_##name##d1_##accuracy##purecfma(); \
  extern "C" void Sleef_finz_##name##d2_##accuracy##avx2128();  \
  extern "C" void Sleef_finz_##name##d4_##accuracy##avx2();     \
  extern "C" void Sleef_finz_##name##d8_##accuracy##avx512f();
#define CLARITY_MATH_ANGLE(name, accuracy)        \
  CLARITY_MATH_1(name, accuracy)                  \
  extern "C" void clarity_##name##_avx2_float1(); \
  extern "C" void clarity_##name##_avx2_float4(); \
  extern "C" void clarity_##name##_avx2_float8(); \
  extern "C" void clarity_##name##_avx512_float16();
#define CLARITY_MATH_2 CLARITY_MATH_1
#define CLARITY_MATH_EXACT_2(name)                   \
  extern "C" void clarity_##name##_sse2_float1();    \
  extern "C" void clarity_##name##_sse2_double1();   \
  extern "C" void clarity_##name##_sse2_float4();    \
  extern "C" void clarity_##name##_sse2_double2();   \
  extern "C" void clarity_##name##_avx_float8();     \
  extern "C" void clarity_##name##_avx_double4();    \
  extern "C" void clarity_##name##_avx2_float1();    \
  extern "C" void clarity_##name##_avx2_double1();   \
  extern "C" void clarity_##name##_avx2_float4();    \
  extern "C" void clarity_##name##_avx2_float8();    \
  extern "C" void clarity_##name##_avx2_double2();   \
  extern "C" void clarity_##name##_avx2_double4();   \
  extern "C" void clarity_##name##_avx512_float16(); \
  extern "C" void clarity_##name##_avx512_double8();
#include "builtins/runtime_math.def"
#undef CLARITY_MATH_1
#undef CLARITY_MATH_2
#undef CLARITY_MATH_EXACT_2

// A driver with a SLEEF of its own has stubs for these functions (api/private_libraries.cpp), and this function for
// what is behind a stub.
extern "C" [[gnu::weak]] void* clarityFunctionBehind(void* function);

namespace clarity::builtins {
namespace {

void* behind(void* function) { return &clarityFunctionBehind ? clarityFunctionBehind(function) : function; }

using Table = std::vector<VectorMath>;

/// Adds one form of a function to `table`.
#define ADD(name, type, lanes, function)                                                        \
  table.push_back({"__clarity_" #name "_" type, lanes, "__clarity_" #name "_" type "_v" #lanes, \
                   behind(reinterpret_cast<void*>(function))});

Table formsWithoutFma(bool avx) {
  Table table;
#define CLARITY_MATH_1(name, accuracy)                          \
  ADD(name, "f32", 1, &Sleef_cinz_##name##f1_##accuracy##purec) \
  ADD(name, "f32", 4, &Sleef_cinz_##name##f4_##accuracy##sse2)  \
  ADD(name, "f64", 1, &Sleef_cinz_##name##d1_##accuracy##purec) \
  ADD(name, "f64", 2, &Sleef_cinz_##name##d2_##accuracy##sse2)  \
  if (avx) {                                                    \
    ADD(name, "f32", 8, &Sleef_cinz_##name##f8_##accuracy##avx) \
    ADD(name, "f64", 4, &Sleef_cinz_##name##d4_##accuracy##avx) \
  }
#define CLARITY_MATH_2 CLARITY_MATH_1
#define CLARITY_MATH_EXACT_2(name)                     \
  ADD(name, "f32", 1, &clarity_##name##_sse2_float1)   \
  ADD(name, "f64", 1, &clarity_##name##_sse2_double1)  \
  ADD(name, "f32", 4, &clarity_##name##_sse2_float4)   \
  ADD(name, "f64", 2, &clarity_##name##_sse2_double2)  \
  if (avx) {                                           \
    ADD(name, "f32", 8, &clarity_##name##_avx_float8)  \
    ADD(name, "f64", 4, &clarity_##name##_avx_double4) \
  }
#include "builtins/runtime_math.def"
#undef CLARITY_MATH_1
#undef CLARITY_MATH_2
#undef CLARITY_MATH_EXACT_2
  return table;
}

Table formsWithFma(bool avx512) {
  Table table;
#define CLARITY_MATH_1(name, accuracy)                                \
  ADD(name, "f32", 1, &Sleef_finz_##name##f1_##accuracy##purecfma)    \
  ADD(name, "f32", 4, &Sleef_finz_##name##f4_##accuracy##avx2128)     \
  ADD(name, "f32", 8, &Sleef_finz_##name##f8_##accuracy##avx2)        \
  ADD(name, "f64", 1, &Sleef_finz_##name##d1_##accuracy##purecfma)    \
  ADD(name, "f64", 2, &Sleef_finz_##name##d2_##accuracy##avx2128)     \
  ADD(name, "f64", 4, &Sleef_finz_##name##d4_##accuracy##avx2)        \
  if (avx512) {                                                       \
    ADD(name, "f32", 16, &Sleef_finz_##name##f16_##accuracy##avx512f) \
    ADD(name, "f64", 8, &Sleef_finz_##name##d8_##accuracy##avx512f)   \
  }
#define CLARITY_MATH_ANGLE(name, accuracy)                          \
  ADD(name, "f32", 1, &clarity_##name##_avx2_float1)                \
  ADD(name, "f32", 4, &clarity_##name##_avx2_float4)                \
  ADD(name, "f32", 8, &clarity_##name##_avx2_float8)                \
  ADD(name, "f64", 1, &Sleef_finz_##name##d1_##accuracy##purecfma)  \
  ADD(name, "f64", 2, &Sleef_finz_##name##d2_##accuracy##avx2128)   \
  ADD(name, "f64", 4, &Sleef_finz_##name##d4_##accuracy##avx2)      \
  if (avx512) {                                                     \
    ADD(name, "f32", 16, &clarity_##name##_avx512_float16)          \
    ADD(name, "f64", 8, &Sleef_finz_##name##d8_##accuracy##avx512f) \
  }
#define CLARITY_MATH_2 CLARITY_MATH_1
#define CLARITY_MATH_EXACT_2(name)                         \
  ADD(name, "f32", 1, &clarity_##name##_avx2_float1)       \
  ADD(name, "f64", 1, &clarity_##name##_avx2_double1)      \
  ADD(name, "f32", 4, &clarity_##name##_avx2_float4)       \
  ADD(name, "f32", 8, &clarity_##name##_avx2_float8)       \
  ADD(name, "f64", 2, &clarity_##name##_avx2_double2)      \
  ADD(name, "f64", 4, &clarity_##name##_avx2_double4)      \
  if (avx512) {                                            \
    ADD(name, "f32", 16, &clarity_##name##_avx512_float16) \
    ADD(name, "f64", 8, &clarity_##name##_avx512_double8)  \
  }
#include "builtins/runtime_math.def"
  return table;
}

}  // namespace

VectorUnit vectorUnit() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return __builtin_cpu_supports("avx512f") ? VectorUnit::Avx512 : VectorUnit::Avx2;
  return __builtin_cpu_supports("avx") ? VectorUnit::Avx : VectorUnit::Sse2;
}

std::span<const VectorMath> vectorMath(VectorUnit unit) {
  static const std::array<Table, 4> tables = {formsWithoutFma(false), formsWithoutFma(true), formsWithFma(false),
                                              formsWithFma(true)};
  return tables[static_cast<std::size_t>(unit)];
}

std::span<const VectorMath> vectorMath() { return vectorMath(vectorUnit()); }

}  // namespace clarity::builtins
