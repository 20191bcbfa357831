// SPDX-License-Identifier: Apache-2.0
// This file computes references for functions of float with SLEEF's vector functions of double, whose error is below 2
// ulp of double and which are ten times as fast as the C library's. For every result that does not take its fast path
// the judge computes the reference again (referenceOfOne), and measure() compares both references on a sample of the
// inputs, so that an error in a vector function is detected.
#include "accuracy/references.h"

#if __has_include(<sleef.h>) && defined(__x86_64__)
#include <immintrin.h>
#include <sleef.h>

#include <cstring>
#include <string_view>

namespace accuracy {
namespace {

#if defined(__AVX512F__)
#define SLEEF(name) Sleef_##name##avx512f
#define WIDTH(name, accuracy) SLEEF(name##d8_##accuracy)
using Vector = __m512d;
#elif defined(__AVX2__) && defined(__FMA__)
#define SLEEF(name) Sleef_##name##avx2
#define WIDTH(name, accuracy) SLEEF(name##d4_##accuracy)
using Vector = __m256d;
#else
#define SLEEF(name) Sleef_##name##sse2
#define WIDTH(name, accuracy) SLEEF(name##d2_##accuracy)
using Vector = __m128d;
#endif
constexpr std::size_t lanes = sizeof(Vector) / sizeof(double);

Vector all(double value) {
  double values[lanes];
  std::fill_n(values, lanes, value);
  Vector vector;
  std::memcpy(&vector, values, sizeof vector);
  return vector;
}

Vector absolute(Vector x) { return WIDTH(fabs, )(x); }

// Calls `compute(x, y, n)`, which returns a vector, for all calls of the block.
template <class Compute>
void forBlock(const Block<float>& block, Truth<float>* truth, Wide<float> Truth<float>::* result, Compute compute) {
  for (std::size_t at = 0; at < block.count; at += lanes) {
    const std::size_t count = std::min(lanes, block.count - at);
    double values[3][lanes] = {}, results[lanes];
    for (std::size_t i = 0; i < count; ++i)
      values[0][i] = block.x[at + i], values[1][i] = block.y[at + i], values[2][i] = block.n[at + i];
    Vector x, y, n;
    std::memcpy(&x, values[0], sizeof x);
    std::memcpy(&y, values[1], sizeof y);
    std::memcpy(&n, values[2], sizeof n);
    const Vector computed = compute(x, y, n);
    std::memcpy(results, &computed, sizeof results);
    for (std::size_t i = 0; i < count; ++i) truth[at + i].*result = results[i];
  }
}

// Macros, since template arguments lose the attributes of vector types.
#define COMPUTED(expression)                                                                             \
  [](const Block<float>& block, Truth<float>* truth) {                                                   \
    forBlock(block, truth, &Truth<float>::first,                                                         \
             [](Vector x, [[maybe_unused]] Vector y, [[maybe_unused]] Vector n) { return expression; }); \
  }

void sineAndCosine(const Block<float>& block, Truth<float>* truth) {
  forBlock(block, truth, &Truth<float>::first, [](Vector x, Vector, Vector) { return WIDTH(sin, u10)(x); });
  forBlock(block, truth, &Truth<float>::second, [](Vector x, Vector, Vector) { return WIDTH(cos, u10)(x); });
}

// The sign of gamma changes at every integer below 0, where there are poles.
void logarithmAndSignOfGamma(const Block<float>& block, Truth<float>* truth) {
  forBlock(block, truth, &Truth<float>::first, [](Vector x, Vector, Vector) { return WIDTH(lgamma, u10)(x); });
  for (std::size_t i = 0; i < block.count; ++i) {
    const float x = block.x[i], floor = std::floor(x);
    const bool odd = floor / 2 != std::floor(floor / 2);
    truth[i].second = !(x <= 0) ? 1 : floor == x && std::isfinite(x) ? 0 : odd ? -1 : 1;
  }
}

void roots(const Block<float>& block, Truth<float>* truth) {
  forBlock(block, truth, &Truth<float>::first,
           [](Vector x, Vector, Vector n) { return WIDTH(pow, u10)(absolute(x), all(1) / n); });
  for (std::size_t i = 0; i < block.count; ++i)
    if (block.x[i] < 0) truth[i].first = -truth[i].first;
}

using Reference = decltype(Function<float>::quick);
struct Row {
  std::string_view name;
  Reference reference;
};

const Row rows[] = {
    {"acos", COMPUTED(WIDTH(acos, u10)(x))},
    {"acosh", COMPUTED(WIDTH(acosh, u10)(x))},
    {"acospi", COMPUTED(WIDTH(acos, u10)(x) / all(pi<double>))},
    {"asin", COMPUTED(WIDTH(asin, u10)(x))},
    {"asinh", COMPUTED(WIDTH(asinh, u10)(x))},
    {"asinpi", COMPUTED(WIDTH(asin, u10)(x) / all(pi<double>))},
    {"atan", COMPUTED(WIDTH(atan, u10)(x))},
    {"atanh", COMPUTED(WIDTH(atanh, u10)(x))},
    {"atanpi", COMPUTED(WIDTH(atan, u10)(x) / all(pi<double>))},
    {"cbrt", COMPUTED(WIDTH(cbrt, u10)(x))},
    {"cos", COMPUTED(WIDTH(cos, u10)(x))},
    {"cosh", COMPUTED(WIDTH(cosh, u10)(x))},
    {"cospi", COMPUTED(WIDTH(cospi, u05)(x))},
    {"erf", COMPUTED(WIDTH(erf, u10)(x))},
    {"erfc", COMPUTED(WIDTH(erfc, u15)(x))},
    {"exp", COMPUTED(WIDTH(exp, u10)(x))},
    {"exp10", COMPUTED(WIDTH(exp10, u10)(x))},
    {"exp2", COMPUTED(WIDTH(exp2, u10)(x))},
    {"expm1", COMPUTED(WIDTH(expm1, u10)(x))},
    {"lgamma", COMPUTED(WIDTH(lgamma, u10)(x))},
    {"lgamma_r", logarithmAndSignOfGamma},
    {"log", COMPUTED(WIDTH(log, u10)(x))},
    {"log10", COMPUTED(WIDTH(log10, u10)(x))},
    {"log1p", COMPUTED(WIDTH(log1p, u10)(x))},
    {"log2", COMPUTED(WIDTH(log2, u10)(x))},
    {"sin", COMPUTED(WIDTH(sin, u10)(x))},
    {"sincos", sineAndCosine},
    {"sinh", COMPUTED(WIDTH(sinh, u10)(x))},
    {"sinpi", COMPUTED(WIDTH(sinpi, u05)(x))},
    {"tan", COMPUTED(WIDTH(tan, u10)(x))},
    {"tanh", COMPUTED(WIDTH(tanh, u10)(x))},
    {"tanpi", COMPUTED(WIDTH(sinpi, u05)(x) / WIDTH(cospi, u05)(x))},
    {"tgamma", COMPUTED(WIDTH(tgamma, u10)(x))},
    {"atan2", COMPUTED(WIDTH(atan2, u10)(x, y))},
    {"atan2pi", COMPUTED(WIDTH(atan2, u10)(x, y) / all(pi<double>))},
    {"hypot", COMPUTED(WIDTH(hypot, u05)(x, y))},
    {"pow", COMPUTED(WIDTH(pow, u10)(x, y))},
    {"pown", COMPUTED(WIDTH(pow, u10)(x, n))},
    {"powr", COMPUTED(WIDTH(pow, u10)(x, y))},
    {"rootn", roots},
};

}  // namespace

void (*quickReference(const char* function))(const Block<float>&, Truth<float>*) {
  for (const Row& row : rows)
    if (row.name == function) return row.reference;
  return nullptr;
}

}  // namespace accuracy

#else

namespace accuracy {
void (*quickReference(const char*))(const Block<float>&, Truth<float>*) { return nullptr; }
}  // namespace accuracy

#endif
