// SPDX-License-Identifier: Apache-2.0
// This file tests the built-in products of matrices, normalisations of rows, and random numbers.
#include "built_in_test.h"

#include <algorithm>
#include <array>

namespace {

struct BuiltInMatrices : BuiltInTest {};

double activated(double x, cl_uint activation) {
  switch (activation) {
    case 1: return std::max(x, 0.0);
    case 2: return x / (1 + std::exp(-x));
    case 3: return x * 0.5 * (1 + std::erf(x * M_SQRT1_2));
    case 4: return std::tanh(x);
    case 5: return 1 / (1 + std::exp(-x));
    default: return x;
  }
}

template <class T>
double real(T value) {
  return static_cast<double>(static_cast<ArithmeticOf<T>>(value));
}

TEST_F(BuiltInMatrices, gemm) {
  forTypes<float, double, Half, Bfloat16>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    cl_uint activation = 0, turn = 0;
    for (const auto& [m, n, k] : {std::array<cl_ulong, 3>{1, 1, 1},
                                  {5, 3, 0},
                                  {64, 64, 64},
                                  {67, 65, 131},
                                  {1, 130, 300},
                                  {129, 1, 17},
                                  {139, 33, 193},
                                  {17, 31, 2051},
                                  {257, 7, 1025}}) {
      const cl_uint chosen = turn++ % 4;
      for (const cl_uint transposed : {0, 1, 2, 3}) {
        if (!std::is_same_v<T, float> && transposed != chosen && !testsAll()) continue;
        const cl_ulong batches = m == 67 ? 2 : 1;
        const cl_uint transa = transposed & 1, transb = transposed >> 1;
        const cl_ulong lda = (transa ? m : k) + 2, ldb = (transb ? k : n) + 1, ldc = n + 3;
        const cl_ulong stridea = lda * (transa ? k : m) + 1, strideb = m == 67 ? 0 : ldb * (transb ? n : k),
                       stridec = ldc * m;
        const std::vector<T> a = numbers<T>(batches * stridea, 20), b = numbers<T>(ldb * (transb ? n : k) + 1, 20);
        const std::vector<T> before = numbers<T>(batches * stridec, 20), shift = numbers<T>(n, 20);
        const S alpha = 0.5, beta = transposed == 3 ? 0 : 2;
        cl_mem c = bufferWith(before), bias = transposed == 0 ? nullptr : bufferWith(shift);
        run(named<T>("clarity.gemm"), batches, transa, transb, m, n, k, alpha, bufferWith(a), lda, stridea,
            bufferWith(b), ldb, strideb, beta, c, ldc, stridec, bias, activation);
        const std::vector<T> result = read<T>(c, before.size());
        for (cl_ulong z = 0; z < batches; ++z)
          for (cl_ulong i = 0; i < m; ++i)
            for (cl_ulong j = 0; j < ldc; ++j) {
              const cl_ulong at = z * stridec + i * ldc + j;
              if (j >= n) {
                ASSERT_EQ(real(result[at]), real(before[at])) << "between the rows";
                continue;
              }
              double sum = 0, magnitudes = 0;
              for (cl_ulong p = 0; p < k; ++p) {
                const double product = real(a[z * stridea + (transa ? p * lda + i : i * lda + p)]) *
                                       real(b[z * strideb + (transb ? j * ldb + p : p * ldb + j)]);
                sum += product, magnitudes += std::abs(product);
              }
              double expected = alpha * sum + (beta != 0 ? beta * real(before[at]) : 0) + (bias ? real(shift[j]) : 0);
              const double bound = epsilonOf<S> * (static_cast<double>(k) * magnitudes + 8 * (std::abs(expected) + 40));
              expected = activated(expected, activation);
              ASSERT_NEAR(real(result[at]), expected, bound * 1.2 + epsilonOf<T> * std::abs(expected) + 1e-7)
                  << m << " x " << n << " x " << k << ", transposed " << transposed << ", activation " << activation;
            }
        activation = (activation + 1) % 6;
      }
    }
  });
}

/// Products of whole blocks, whose elements are read as vectors, and of many small matrices.
TEST_F(BuiltInMatrices, gemmOfBlocks) {
  forTypes<float, double, Half, Bfloat16>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    cl_uint turn = 0;
    for (const auto& [batches, m, n, k] :
         {std::array<cl_ulong, 4>{1, 160, 320, 96}, {1, 256, 128, 40}, {70, 64, 64, 32}, {2, 136, 72, 8}}) {
      const cl_uint chosen = turn++ % 4;
      for (const cl_uint transposed : {0, 1, 2, 3}) {
        if (!std::is_same_v<T, float> && transposed != chosen && !testsAll()) continue;
        const cl_uint transa = transposed & 1, transb = transposed >> 1, activation = 0;
        const cl_ulong lda = transa ? m : k, ldb = transb ? k : n, ldc = n;
        const std::vector<T> a = numbers<T>(batches * m * k, 20), b = numbers<T>(batches * k * n, 20);
        const S alpha = 1, beta = 0;
        cl_mem c = bufferWith(std::vector<T>(batches * m * n));
        run(named<T>("clarity.gemm"), batches, transa, transb, m, n, k, alpha, bufferWith(a), lda, m * k, bufferWith(b),
            ldb, k * n, beta, c, ldc, m * n, cl_mem{}, activation);
        const std::vector<T> result = read<T>(c, batches * m * n);
        for (const cl_ulong z : {cl_ulong{0}, batches - 1})
          for (cl_ulong i = 0; i < m; i += 3)
            for (cl_ulong j = 0; j < n; ++j) {
              double sum = 0, magnitudes = 0;
              for (cl_ulong p = 0; p < k; ++p) {
                const double product = real(a[z * m * k + (transa ? p * lda + i : i * lda + p)]) *
                                       real(b[z * k * n + (transb ? j * ldb + p : p * ldb + j)]);
                sum += product, magnitudes += std::abs(product);
              }
              ASSERT_NEAR(real(result[z * m * n + i * n + j]), sum,
                          epsilonOf<S> * static_cast<double>(k) * magnitudes + epsilonOf<T> * std::abs(sum))
                  << m << " x " << n << " x " << k << ", transposed " << transposed << ", at " << i << ", " << j;
            }
      }
    }
  });
}

/// Whole blocks of results, with a bias: rows that begin at multiples of vectors and, in every second matrix of a
/// batch, that do not; a few blocks, which are narrow ones, and many.
TEST_F(BuiltInMatrices, gemmOfWholeBlocks) {
  forTypes<double, Half, Bfloat16>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    constexpr cl_ulong m = 128, n = 256, k = 8, ldc = n + 16, stridec = m * ldc + 1;
    for (const cl_ulong batches : {2, 68}) {
      const std::vector<T> a = numbers<T>(m * k, 20), b = numbers<T>(k * n, 20), shift = numbers<T>(n, 20);
      const std::vector<T> before = numbers<T>(batches * stridec, 20);
      const S alpha = 0.5, beta = 0;
      const cl_ulong same = 0;
      const cl_uint none = 0;
      cl_mem c = bufferWith(before);
      run(named<T>("clarity.gemm"), batches, none, none, m, n, k, alpha, bufferWith(a), k, same, bufferWith(b), n, same,
          beta, c, ldc, stridec, bufferWith(shift), none);
      const std::vector<T> result = read<T>(c, before.size());
      for (const cl_ulong z : {cl_ulong{0}, cl_ulong{1}, batches - 1})
        for (cl_ulong i = 0; i < m; ++i)
          for (cl_ulong j = 0; j < ldc; ++j) {
            const cl_ulong at = z * stridec + i * ldc + j;
            double expected = j < n ? real(shift[j]) : real(before[at]);
            for (cl_ulong p = 0; j < n && p < k; ++p) expected += 0.5 * real(a[i * k + p]) * real(b[p * n + j]);
            ASSERT_NEAR(real(result[at]), expected, 2000 * epsilonOf<S> + epsilonOf<T> * std::abs(expected))
                << batches << " matrices, in " << z << " at " << i << ", " << j;
          }
    }
  });
}

TEST_F(BuiltInMatrices, gemv) {
  forTypes<float, double, Half, Bfloat16>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    for (const auto& [m, n] :
         {std::pair<cl_ulong, cl_ulong>(1, 1), {3, 1009}, {1009, 67}, {5, 0}, {300, 128}, {500, 525}})
      for (const cl_uint transa : {0, 1})
        for (const cl_ulong step : {1, 2}) {
          const cl_ulong lda = n + 3, results = transa ? n : m, sums = transa ? m : n;
          const std::vector<T> a = numbers<T>(m * lda, 20), x = numbers<T>(sums * step, 20);
          const std::vector<T> before = numbers<T>(results * step, 20);
          const S alpha = 2, beta = step == 1 ? 0 : 3;
          cl_mem y = bufferWith(before);
          run(named<T>("clarity.gemv"), transa, m, n, alpha, bufferWith(a), lda, bufferWith(x), step, beta, y, step);
          const std::vector<T> result = read<T>(y, before.size());
          for (cl_ulong i = 0; i < results; ++i) {
            double sum = 0, magnitudes = 0;
            for (cl_ulong p = 0; p < sums; ++p) {
              const double product = real(a[transa ? p * lda + i : i * lda + p]) * real(x[p * step]);
              sum += product, magnitudes += std::abs(product);
            }
            const double expected = alpha * sum + (beta != 0 ? beta * real(before[i * step]) : 0);
            ASSERT_NEAR(real(result[i * step]), expected,
                        epsilonOf<S> * (300 * magnitudes + 200) + epsilonOf<T> * std::abs(expected))
                << m << " x " << n << (transa ? " transposed" : "");
          }
        }
  });
}

TEST_F(BuiltInMatrices, rows) {
  forTypes<float, double, Half, Bfloat16>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    for (const auto& [rows, columns] : {std::pair<cl_ulong, cl_ulong>(1, 1),
                                        {3, 1009},
                                        {300, 10},
                                        {2, 256},
                                        {3, 1500},
                                        {2, 4000},
                                        {2, 7001},
                                        {1, 9000}}) {
      const cl_ulong ldx = columns + 1, ldy = columns + 2;
      const std::vector<T> values = numbers<T>(rows * ldx), scale = numbers<T>(columns), shift = numbers<T>(columns);
      cl_mem x = bufferWith(values), y = bufferWith(std::vector<T>(rows * ldy));
      run(named<T>("clarity.softmax"), rows, columns, x, ldx, y, ldy);
      const std::vector<T> soft = read<T>(y, rows * ldy);
      run(named<T>("clarity.log_softmax"), rows, columns, x, ldx, y, ldy);
      const std::vector<T> logs = read<T>(y, rows * ldy);
      const S epsilon = 0.001F;
      run(named<T>("clarity.layer_norm"), rows, columns, x, ldx, bufferWith(scale), bufferWith(shift), epsilon, y, ldy);
      const std::vector<T> normal = read<T>(y, rows * ldy);
      for (cl_ulong i = 0; i < rows; ++i) {
        double greatest = -INFINITY, sum = 0, mean = 0, variance = 0;
        for (cl_ulong j = 0; j < columns; ++j) greatest = std::max(greatest, real(values[i * ldx + j]));
        for (cl_ulong j = 0; j < columns; ++j) {
          sum += std::exp(real(values[i * ldx + j]) - greatest);
          mean += real(values[i * ldx + j]) / static_cast<double>(columns);
        }
        for (cl_ulong j = 0; j < columns; ++j)
          variance += std::pow(real(values[i * ldx + j]) - mean, 2) / static_cast<double>(columns);
        for (cl_ulong j = 0; j < columns; ++j) {
          const double value = real(values[i * ldx + j]), p = std::exp(value - greatest) / sum;
          ASSERT_NEAR(real(soft[i * ldy + j]), p, p * (epsilonOf<T> + 50 * epsilonOf<S>)+1e-7);
          const double log = value - greatest - std::log(sum);
          ASSERT_NEAR(real(logs[i * ldy + j]), log, std::abs(log) * epsilonOf<T> + 100 * epsilonOf<S>);
          const double expected = (value - mean) / std::sqrt(variance + epsilon) * real(scale[j]) + real(shift[j]);
          ASSERT_NEAR(real(normal[i * ldy + j]), expected, std::abs(expected) * epsilonOf<T> + 300 * epsilonOf<S>);
        }
      }
    }
  });
}

/// Philox4x32-10 of the paper.
std::array<cl_uint, 4> philox(cl_ulong counter, cl_ulong seed) {
  std::array<cl_uint, 4> c{static_cast<cl_uint>(counter), static_cast<cl_uint>(counter >> 32), 0, 0};
  auto k0 = static_cast<cl_uint>(seed), k1 = static_cast<cl_uint>(seed >> 32);
  for (int i = 0; i < 10; ++i) {
    const cl_ulong first = cl_ulong{0xD2511F53} * c[0], second = cl_ulong{0xCD9E8D57} * c[2];
    c = {static_cast<cl_uint>(second >> 32) ^ c[1] ^ k0, static_cast<cl_uint>(second),
         static_cast<cl_uint>(first >> 32) ^ c[3] ^ k1, static_cast<cl_uint>(first)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

TEST_F(BuiltInMatrices, randomNumbers) {
  EXPECT_EQ(philox(0, 0), (std::array<cl_uint, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8})) << "the paper's";
  const cl_ulong seed = 0x123456789ABCDEF;
  for (const cl_ulong n : {0, 1, 7, 10007})
    for (const cl_ulong first : {cl_ulong{0}, cl_ulong{3}, cl_ulong{1} << 40}) {
      cl_mem y = bufferWith(std::vector<cl_uint>(n));
      run("clarity.random.bits.u32", n, seed, first, y);
      const std::vector<cl_uint> bits = read<cl_uint>(y, n);
      for (cl_ulong i = 0; i < n; ++i) ASSERT_EQ(bits[i], philox((first + i) / 4, seed)[(first + i) % 4]) << i;
    }
  forTypes<float, double, Half, Bfloat16>([&]<class T>(std::type_identity<T>) {
    using S = ArithmeticOf<T>;
    const cl_ulong n = 100003, first = 1;
    cl_mem y = bufferWith(std::vector<T>(n));
    for (const bool isNormal : {false, true}) {
      const S a = isNormal ? 3 : 2, b = isNormal ? 2 : 6;
      run(named<T>(isNormal ? "clarity.random.normal" : "clarity.random.uniform"), n, seed, first, a, b, y);
      double mean = 0, square = 0;
      for (const T each : read<T>(y, n)) {
        mean += real(each) / static_cast<double>(n), square += real(each) * real(each) / static_cast<double>(n);
        if (!isNormal) ASSERT_TRUE(real(each) >= 2 && real(each) <= 6);
      }
      EXPECT_NEAR(mean, isNormal ? 3 : 4, 0.03);
      EXPECT_NEAR(square - mean * mean, isNormal ? 4 : 16.0 / 12, 0.06);
    }
  });
}

}  // namespace
