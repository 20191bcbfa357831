// SPDX-License-Identifier: Apache-2.0
// This file tests the built-in reductions.
#include "built_in_test.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

#define REDUCED \
  float, double, Half, Bfloat16, std::int8_t, std::uint8_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t

struct BuiltInReductions : BuiltInTest {
  using Shape = std::array<cl_ulong, 3>;
  static constexpr Shape shapes[] = {{1, 1, 1},   {1, 2, 1},   {1, 1023, 1}, {1, 16385, 1}, {1, 70001, 1}, {3, 1009, 1},
                                     {300, 7, 1}, {1, 7, 300}, {2, 1031, 5}, {5, 257, 1},   {1, 70001, 2}, {0, 5, 5}};

  /// Calls with the shape, the results as numbers and what they are made of.
  template <class T, class Result, class Each>
  void reduce(const char* name, const Shape& shape, const Each& each) {
    const auto [outer, n, inner] = shape;
    std::vector<T> values = numbers<T>(outer * n * inner);
    if constexpr (isReal<T>)
      if (values.size() > 1000 && std::string(name) != "clarity.reduce.sum")
        values[777] = static_cast<T>(std::nanf(""));
    cl_mem x = bufferWith(values), result = bufferWith(std::vector<Result>(outer * inner));
    run(named<T>(name), outer, n, inner, x, result);
    const std::vector<Result> results = read<Result>(result, outer * inner);
    for (cl_ulong o = 0; o < outer; ++o)
      for (cl_ulong i = 0; i < inner; ++i) {
        std::vector<ArithmeticOf<T>> column;
        for (cl_ulong k = 0; k < n; ++k)
          column.push_back(static_cast<ArithmeticOf<T>>(values[(o * n + k) * inner + i]));
        each(column, results[o * inner + i]);
      }
  }
};

TEST_F(BuiltInReductions, sum) {
  forTypes<REDUCED>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    for (const Shape& shape : shapes)
      reduce<T, S>("clarity.reduce.sum", shape, [&](const std::vector<S>& column, S result) {
        long double sum = 0, magnitudes = 0;
        for (const S each : column) sum += each, magnitudes += std::abs(static_cast<long double>(each));
        if constexpr (isReal<T>)
          ASSERT_NEAR(static_cast<double>(sum), static_cast<double>(result),
                      static_cast<double>(256 * epsilonOf<S> * magnitudes))
              << shape[0] << " x " << shape[1];
        else
          ASSERT_EQ(static_cast<S>(static_cast<__int128>(sum)), result)
              << shape[0] << " x " << shape[1] << " x " << shape[2];
      });
    cl_mem result = bufferWith(std::vector<S>{5, 5});
    run(named<T>("clarity.reduce.sum"), cl_ulong{1}, cl_ulong{0}, cl_ulong{2}, cl_mem{}, result);
    EXPECT_EQ(read<S>(result, 2), (std::vector<S>{0, 0}));
  });
}

TEST_F(BuiltInReductions, leastAndGreatest) {
  forTypes<float, double, Bfloat16, std::int8_t, std::uint64_t>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    for (const Shape& shape : shapes) {
      SCOPED_TRACE(testing::Message() << shape[0] << " x " << shape[1] << " x " << shape[2]);
      const auto isLess = [](S a, S b) { return a < b || (b != b && a == a); };
      const auto isMore = [](S a, S b) { return a > b || (b != b && a == a); };
      reduce<T, T>("clarity.reduce.min", shape, [&](const std::vector<S>& column, T result) {
        ASSERT_EQ(static_cast<S>(result), *std::ranges::min_element(column, isLess));
      });
      reduce<T, T>("clarity.reduce.max", shape, [&](const std::vector<S>& column, T result) {
        ASSERT_EQ(static_cast<S>(result), *std::ranges::min_element(column, isMore));
      });
      reduce<T, cl_ulong>("clarity.reduce.argmin", shape, [&](const std::vector<S>& column, cl_ulong result) {
        ASSERT_EQ(result, cl_ulong(std::ranges::min_element(column, isLess) - column.begin()));
      });
      reduce<T, cl_ulong>("clarity.reduce.argmax", shape, [&](const std::vector<S>& column, cl_ulong result) {
        ASSERT_EQ(result, cl_ulong(std::ranges::min_element(column, isMore) - column.begin()));
      });
    }
  });
}

TEST_F(BuiltInReductions, vectors) {
  forTypes<float, double, Half, Bfloat16>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    for (const cl_ulong n : {0, 1, 5, 257, 16384, 16385, 50021})
      for (const auto& [incx, incy] : {std::pair<cl_ulong, cl_ulong>(1, 1), {3, 2}}) {
        const std::vector<T> a = numbers<T>(n * incx), b = numbers<T>(n * incy);
        cl_mem x = bufferWith(a), y = bufferWith(b), result = bufferWith(std::vector<S>(3, 9));
        const auto is = [&](long double expected, long double magnitudes) {
          EXPECT_NEAR(static_cast<double>(expected), static_cast<double>(read<S>(result, 1)[0]),
                      static_cast<double>(256 * epsilonOf<S> * magnitudes))
              << n;
        };
        long double dot = 0, products = 0, sum = 0, squares = 0;
        for (cl_ulong i = 0; i < n; ++i) {
          const long double p = static_cast<S>(a[i * incx]), q = static_cast<S>(b[i * incy]);
          dot += p * q, products += std::abs(p * q), sum += std::abs(p), squares += p * p;
        }
        run(named<T>("clarity.dot"), n, x, incx, y, incy, result);
        is(dot, products);
        run(named<T>("clarity.asum"), n, x, incx, result);
        is(sum, sum);
        run(named<T>("clarity.nrm2"), n, x, incx, result);
        is(std::sqrt(squares), std::sqrt(squares));
      }
  });
}

// The same order for the same sizes.
TEST_F(BuiltInReductions, resultsAreTheSameEachTime) {
  const cl_ulong one = 1, n = 300007;
  cl_mem x = bufferWith(numbers<float>(n, 1 << 20)), result = bufferWith(std::vector<float>(1));
  run("clarity.reduce.sum.f32", one, n, one, x, result);
  const float first = read<float>(result, 1)[0];
  for (int i = 0; i < 20; ++i) {
    run("clarity.reduce.sum.f32", one, n, one, x, result);
    ASSERT_EQ(read<float>(result, 1)[0], first);
  }
}

TEST_F(BuiltInReductions, nothingHasNoLeastElement) {
  const cl_ulong one = 1, none = 0;
  if (context_) clReleaseContext(context_);
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  clReleaseCommandQueue(queue_);
  queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  cl_mem result = bufferWith(std::vector<float>(1));
  EXPECT_EQ(enqueue("clarity.reduce.min.f32", one, none, one, cl_mem{}, result), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(enqueue("clarity.reduce.sum.f32", one, one, one, result, result), CL_MEM_COPY_OVERLAP);
}

}  // namespace
