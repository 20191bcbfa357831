// SPDX-License-Identifier: Apache-2.0
// This file tests the built-in kernels that move elements, and those of vectors.
#include "built_in_test.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

#define ALL_TYPES                                                                                                     \
  float, double, Half, Bfloat16, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, \
      std::int64_t, std::uint64_t
#define NUMBERS float, double, Half, Bfloat16, std::int32_t, std::uint32_t, std::int64_t

/// Bits, so that NaN is equal to itself.
template <class T>
std::vector<std::uint8_t> bytesOf(const std::vector<T>& values) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}

constexpr cl_ulong sizes[] = {0, 1, 2, 7, 31, 257, 1009, 65537};

struct BuiltInMovement : BuiltInTest {};

TEST_F(BuiltInMovement, fill) {
  forTypes<ALL_TYPES>([&]<class T>(std::type_identity<T>) {
    for (const cl_ulong n : sizes)
      for (const cl_ulong step : {1, 3}) {
        std::vector<T> expected = numbers<T>(n * step + 5);
        cl_mem x = bufferWith(expected);
        const ArithmeticOf<T> value = 7;
        run(named<T>("clarity.fill"), n, value, x, step);
        for (cl_ulong i = 0; i < n; ++i) expected[i * step] = static_cast<T>(value);
        EXPECT_EQ(bytesOf(read<T>(x, expected.size())), bytesOf(expected)) << n << " by " << step;
      }
  });
}

/// OpenCL's conversion: integers saturate, and NaN is 0.
template <class To, class From>
To converted(From from) {
  if constexpr (isReal<To>) {
    return static_cast<To>(static_cast<ArithmeticOf<From>>(from));
  } else if constexpr (isReal<From>) {
    const auto value = static_cast<double>(static_cast<ArithmeticOf<From>>(from));
    if (std::isnan(value)) return 0;
    if (value <= static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (value >= static_cast<double>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
  } else {
    const auto value = static_cast<__int128>(from);
    return static_cast<To>(std::clamp(value, static_cast<__int128>(std::numeric_limits<To>::min()),
                                      static_cast<__int128>(std::numeric_limits<To>::max())));
  }
}

/// Numbers at the ends of ranges.
template <class T>
std::vector<T> wideNumbers(std::mt19937& random, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (isReal<T>)
      values[i] = static_cast<T>(
          std::ldexp(static_cast<float>(random()) / 4294967296.0F - 0.5F, static_cast<int>(random() % 40) - 8));
    else
      values[i] = static_cast<T>((std::uint64_t{random()} << 32 | random()) >> random() % 64);
  }
  if constexpr (isReal<T>)
    if (count > 2) values[1] = static_cast<T>(std::nanf(""));
  return values;
}

TEST_F(BuiltInMovement, copy) {
  forTypes<ALL_TYPES>([&]<class T>(std::type_identity<T>) {
    forTypes<ALL_TYPES>([&]<class U>(std::type_identity<U>) {
      const std::string name = named<T>("clarity.copy") + "." + suffixOf<U>;
      for (const auto& [n, incx, incy] : {std::tuple<cl_ulong, cl_ulong, cl_ulong>(1009, 1, 1), {101, 2, 3}}) {
        const std::vector<T> from = wideNumbers<T>(random_, n * incx);
        std::vector<U> expected = numbers<U>(n * incy);
        cl_mem x = bufferWith(from), y = bufferWith(expected);
        run(name, n, x, incx, y, incy);
        for (cl_ulong i = 0; i < n; ++i) expected[i * incy] = converted<U>(from[i * incx]);
        const std::vector<U> result = read<U>(y, expected.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
          if constexpr (isReal<U>) {
            const double is = static_cast<ArithmeticOf<U>>(result[i]);
            const double wanted = static_cast<ArithmeticOf<U>>(expected[i]);
            ASSERT_TRUE(is == wanted || (std::isnan(is) && std::isnan(wanted)))
                << name << " of element " << i << ": " << is << ", expected " << wanted;
          } else {
            ASSERT_EQ(+result[i], +expected[i]) << name << " of element " << i;
          }
        }
      }
    });
  });
}

TEST_F(BuiltInMovement, gatherAndScatter) {
  forTypes<ALL_TYPES>([&]<class T>(std::type_identity<T>) {
    for (const cl_ulong n : {0, 1, 37, 1031})
      for (const cl_ulong width : {1, 5}) {
        const cl_ulong rows = 1033;
        std::vector<cl_uint> index(rows);
        std::iota(index.begin(), index.end(), 0U);
        std::ranges::shuffle(index, random_);
        index.resize(n);
        if (n > 5) index[3] = 4000000000U;  // there is no such row
        const std::vector<T> table = numbers<T>(rows * width), part = numbers<T>(n * width);
        cl_mem x = bufferWith(table), indices = bufferWith(index), y = bufferWith(part);
        run(named<T>("clarity.gather"), n, width, x, rows, indices, y);
        std::vector<T> gathered = part, scattered = table;
        cl_mem from = bufferWith(part);
        run(named<T>("clarity.scatter"), n, width, from, indices, x, rows);
        for (cl_ulong i = 0; i < n; ++i)
          for (cl_ulong j = 0; j < width && index[i] < rows; ++j) {
            gathered[i * width + j] = table[index[i] * width + j];
            scattered[index[i] * width + j] = part[i * width + j];
          }
        EXPECT_EQ(bytesOf(read<T>(y, gathered.size())), bytesOf(gathered)) << n << " rows of " << width;
        EXPECT_EQ(bytesOf(read<T>(x, scattered.size())), bytesOf(scattered)) << n << " rows of " << width;
      }
  });
}

TEST_F(BuiltInMovement, transpose) {
  forTypes<ALL_TYPES>([&]<class T>(std::type_identity<T>) {
    for (const auto& [rows, columns] :
         {std::pair<cl_ulong, cl_ulong>(1, 1), {1, 77}, {67, 3}, {33, 65}, {128, 257}, {0, 5}})
      for (const cl_ulong batches : {1, 3}) {
        const cl_ulong lda = columns + 3, ldb = rows + 2, stridea = rows * lda + 1, strideb = columns * ldb;
        const std::vector<T> from = numbers<T>(batches * stridea);
        std::vector<T> expected = numbers<T>(batches * strideb);
        cl_mem a = bufferWith(from), b = bufferWith(expected);
        run(named<T>("clarity.transpose"), batches, rows, columns, a, lda, stridea, b, ldb, strideb);
        for (cl_ulong k = 0; k < batches; ++k)
          for (cl_ulong i = 0; i < rows; ++i)
            for (cl_ulong j = 0; j < columns; ++j)
              expected[k * strideb + j * ldb + i] = from[k * stridea + i * lda + j];
        EXPECT_EQ(bytesOf(read<T>(b, expected.size())), bytesOf(expected)) << rows << " x " << columns;
      }
  });
}

TEST_F(BuiltInMovement, axpyAndScal) {
  forTypes<NUMBERS>([&]<class T>(std::type_identity<T>) {
    for (const cl_ulong n : sizes)
      for (const auto& [incx, incy] : {std::pair<cl_ulong, cl_ulong>(1, 1), {2, 3}}) {
        const std::vector<T> from = numbers<T>(n * incx);
        std::vector<T> expected = numbers<T>(n * incy);
        cl_mem x = bufferWith(from), y = bufferWith(expected);
        const ArithmeticOf<T> alpha = 3;
        run(named<T>("clarity.axpy"), n, alpha, x, incx, y, incy);
        run(named<T>("clarity.scal"), n, alpha, x, incx);
        for (cl_ulong i = 0; i < n; ++i)  // exact before the one rounding
          expected[i * incy] = static_cast<T>(alpha * static_cast<ArithmeticOf<T>>(from[i * incx]) +
                                              static_cast<ArithmeticOf<T>>(expected[i * incy]));
        EXPECT_EQ(bytesOf(read<T>(y, expected.size())), bytesOf(expected)) << n;
        std::vector<T> scaled = from;
        for (cl_ulong i = 0; i < n; ++i)
          scaled[i * incx] = static_cast<T>(alpha * static_cast<ArithmeticOf<T>>(from[i * incx]));
        EXPECT_EQ(bytesOf(read<T>(x, scaled.size())), bytesOf(scaled)) << n;
      }
  });
}

}  // namespace
