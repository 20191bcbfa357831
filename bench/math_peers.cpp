// SPDX-License-Identifier: Apache-2.0
// This file calls SLEEF's vector functions, the widest that the processor has for which it is compiled.
#include "math_peers.h"

#include <immintrin.h>
#include <sleef.h>

#include <cstring>
#include <string_view>

namespace bench {
namespace {

#if defined(__AVX512F__)
#define OF_FLOAT(name, accuracy) Sleef_##name##f16_##accuracy##avx512f
#define OF_DOUBLE(name, accuracy) Sleef_##name##d8_##accuracy##avx512f
using FloatVector = __m512;
using DoubleVector = __m512d;
constexpr const char* vectors = "AVX-512, 16 floats";
#elif defined(__AVX2__) && defined(__FMA__)
#define OF_FLOAT(name, accuracy) Sleef_##name##f8_##accuracy##avx2
#define OF_DOUBLE(name, accuracy) Sleef_##name##d4_##accuracy##avx2
using FloatVector = __m256;
using DoubleVector = __m256d;
constexpr const char* vectors = "AVX2, 8 floats";
#elif defined(__AVX__)
#define OF_FLOAT(name, accuracy) Sleef_##name##f8_##accuracy##avx
#define OF_DOUBLE(name, accuracy) Sleef_##name##d4_##accuracy##avx
using FloatVector = __m256;
using DoubleVector = __m256d;
constexpr const char* vectors = "AVX, 8 floats";
#else
#define OF_FLOAT(name, accuracy) Sleef_##name##f4_##accuracy##sse2
#define OF_DOUBLE(name, accuracy) Sleef_##name##d2_##accuracy##sse2
using FloatVector = __m128;
using DoubleVector = __m128d;
constexpr const char* vectors = "SSE2, 4 floats";
#endif

// The loop around a vector function of one or two arguments.
template <class Vector, class T, class Function>
void run(const void* x, const void* y, void* out, std::size_t count, Function function) {
  for (std::size_t at = 0; at < count * sizeof(T); at += sizeof(Vector)) {
    Vector first, second;
    std::memcpy(&first, static_cast<const char*>(x) + at, sizeof first);
    std::memcpy(&second, static_cast<const char*>(y) + at, sizeof second);
    const Vector result = function(first, second);
    std::memcpy(static_cast<char*>(out) + at, &result, sizeof result);
  }
}

using Host = decltype(MathFunction::host);
// A macro with the name of SLEEF's function, since template arguments lose the attributes of vector types.
#define LOOP(Vector, T, call)                                                                                    \
  Host([](const void* x, const void* y, void* out, std::size_t count) {                                          \
    run<Vector, T>(x, y, out, count, []([[maybe_unused]] Vector a, [[maybe_unused]] Vector b) { return call; }); \
  })

bool isSame(std::string_view name, std::string_view peer) { return name == peer; }

}  // namespace

#define PEER(peer, accuracy) (*#accuracy ? #peer " " #accuracy : #peer)
#define ROW_1(name, peer, accuracy, low, high, isDouble, loop) \
  list.push_back({#name, PEER(peer, accuracy), isSame(#name, #peer), isDouble, false, false, low, high, 0, 0, loop});
#define ROW_2(name, peer, accuracy, low, high, low2, high2, isDouble, isInt, loop) \
  list.push_back(                                                                  \
      {#name, PEER(peer, accuracy), isSame(#name, #peer), isDouble, true, isInt, low, high, low2, high2, loop});

std::vector<MathFunction> mathFunctions() {
  std::vector<MathFunction> list;
#define MATH_1(name, peer, accuracy, low, high) \
  ROW_1(name, peer, accuracy, low, high, false, LOOP(FloatVector, float, OF_FLOAT(peer, accuracy)(a)))
#define MATH_2(name, peer, accuracy, low, high, low2, high2)        \
  ROW_2(name, peer, accuracy, low, high, low2, high2, false, false, \
        LOOP(FloatVector, float, OF_FLOAT(peer, accuracy)(a, b)))
#define MATH_INT(name, peer, accuracy, low, high, low2, high2)     \
  ROW_2(name, peer, accuracy, low, high, low2, high2, false, true, \
        LOOP(FloatVector, float, OF_FLOAT(peer, accuracy)(a, b)))
#define INVERSE_1(name, peer, accuracy, low, high)                                 \
  list.push_back({#name, "1 / " #peer, true, false, false, false, low, high, 0, 0, \
                  LOOP(FloatVector, float, 1.0f / OF_FLOAT(peer, accuracy)(a))});
#define NATIVE_1 MATH_1
#define ALONE_1(name, low, high) list.push_back({#name, "", false, false, false, false, low, high, 0, 0, nullptr});
#define ALONE_2(name, low, high, low2, high2) \
  list.push_back({#name, "", false, false, true, false, low, high, low2, high2, nullptr});
#include "math_functions.def"
#define MATH_1(name, peer, accuracy, low, high) \
  ROW_1(name, peer, accuracy, low, high, true, LOOP(DoubleVector, double, OF_DOUBLE(peer, accuracy)(a)))
#define MATH_2(name, peer, accuracy, low, high, low2, high2)       \
  ROW_2(name, peer, accuracy, low, high, low2, high2, true, false, \
        LOOP(DoubleVector, double, OF_DOUBLE(peer, accuracy)(a, b)))
#define MATH_INT(name, peer, accuracy, low, high, low2, high2)    \
  ROW_2(name, peer, accuracy, low, high, low2, high2, true, true, \
        LOOP(DoubleVector, double, OF_DOUBLE(peer, accuracy)(a, b)))
#define INVERSE_1(name, peer, accuracy, low, high)                                \
  list.push_back({#name, "1 / " #peer, true, true, false, false, low, high, 0, 0, \
                  LOOP(DoubleVector, double, 1.0 / OF_DOUBLE(peer, accuracy)(a))});
#define ALONE_1(name, low, high) list.push_back({#name, "", false, true, false, false, low, high, 0, 0, nullptr});
#define ALONE_2(name, low, high, low2, high2) \
  list.push_back({#name, "", false, true, true, false, low, high, low2, high2, nullptr});
#include "math_functions.def"
  return list;
}

const char* vectorsOfPeers() { return vectors; }

}  // namespace bench
