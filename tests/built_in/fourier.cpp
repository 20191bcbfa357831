// SPDX-License-Identifier: Apache-2.0
// This file tests the built-in Fourier transforms against sums in long double.
#include "built_in_test.h"

#include <algorithm>
#include <array>
#include <complex>
#include <numbers>
#include <set>
#include <vector>

namespace {

using Number = std::complex<long double>;

struct BuiltInFourier : BuiltInTest {
  /// Some of the results of a transform: all of a short one.
  static std::set<cl_ulong> someOf(cl_ulong n) {
    std::set<cl_ulong> some;
    for (cl_ulong k = 0; k < n; k += std::max<cl_ulong>(1, n / 30)) some.insert(k);
    some.insert(n - 1);
    some.insert(n / 2);
    return some;
  }
  template <class At>
  Number sumOf(cl_ulong n, cl_ulong k, bool isInverse, const At& at) {
    const std::vector<Number>& roots = rootsOf(n);
    Number sum = 0;
    for (cl_ulong j = 0; j < n; ++j) {
      const Number root = roots[j * k % n];
      sum += at(j) * (isInverse ? std::conj(root) : root);
    }
    return sum;
  }
  /// The roots of 1, clockwise. Those of the length before are kept: sines of long double take longer than transforms.
  const std::vector<Number>& rootsOf(cl_ulong n) {
    if (roots_.size() == n) return roots_;
    roots_.resize(n);
    for (cl_ulong j = 0; j < n; ++j) {
      const long double turns = static_cast<long double>(j) / static_cast<long double>(n);
      roots_[j] = std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turns);
    }
    return roots_;
  }
  template <class T>
  static double boundOf(cl_ulong n, double squares) {
    return 8 * epsilonOf<T> * (1 + std::log2(static_cast<double>(n))) * std::sqrt(squares) + epsilonOf<T>;
  }

private:
  std::vector<Number> roots_;
};

TEST_F(BuiltInFourier, complex) {
  forTypes<float, double>([&]<class T>(std::type_identity<T>) {
    // Powers of two, products of small primes, and primes, which are convolutions from 37 on.
    for (const cl_ulong n : {1, 2, 3, 4, 5, 7, 8, 31, 37, 64, 120, 210, 1009, 1024, 2048, 2310, 65536, 65537})
      for (const auto& [outer, inner] :
           {std::pair<cl_ulong, cl_ulong>(1, 1), {3, 1}, {2, 3}, {19, 1}, {7, 5}, {2, 33}, {70, 1}}) {
        if ((n > 10000 && outer > 1) || (n > 2048 && outer * inner > 6)) continue;
        if (outer == 70 && n != 2048) continue;
        const cl_uint inverse = inner > 1;
        const std::vector<T> values = numbers<T>(2 * outer * n * inner);
        cl_mem x = bufferWith(values), y = bufferWith(std::vector<T>(values.size()));
        run(named<T>("clarity.fft"), outer, n, inner, inverse, x, y);
        const std::vector<T> result = read<T>(y, values.size());
        run(named<T>("clarity.fft"), outer, n, inner, inverse, x, x);
        EXPECT_EQ(read<T>(x, values.size()), result) << n << " in place";
        const cl_ulong o = outer - 1, i = inner - 1;
        const auto at = [&](const std::vector<T>& from, cl_ulong j) {
          const cl_ulong place = 2 * ((o * n + j) * inner + i);
          return Number(from[place], from[place + 1]);
        };
        double squares = 0;
        for (cl_ulong j = 0; j < n; ++j) squares += static_cast<double>(std::norm(at(values, j)));
        for (const cl_ulong k : someOf(n)) {
          const Number sum = sumOf(n, k, inverse != 0, [&](cl_ulong j) { return at(values, j); });
          ASSERT_LE(static_cast<double>(std::abs(at(result, k) - sum)), boundOf<T>(n, squares))
              << n << ", " << outer << " x " << inner << ", number " << k;
        }
      }
  });
}

/// Every length that has code of its own on some device, and lengths that are made of two of them: in rows, in columns
/// that fill work-groups and that do not, and in place.
TEST_F(BuiltInFourier, lengths) {
  unsigned turn = 0;
  for (const cl_ulong n : {6,   12,  15,   16,   27,   49,   64,   128,  180,  256,   343,
                           500, 512, 1000, 1024, 1155, 2160, 2048, 4096, 8192, 15625, 32768}) {
    const unsigned kinds = n > 2048 ? 2 : 3, chosen = turn++ % kinds;
    // GPUs have a kernel for rows, and one for columns, of each of these lengths: both run.
    const bool hasOwn = n >= 64 && n <= 4096 && std::has_single_bit(n);
    const auto isOfTurn = [&](unsigned kind) {
      return hasOwn ? kind == 0 || kind == 1 + static_cast<unsigned>(std::countr_zero(n)) % (kinds - 1)
                    : kind == chosen;
    };
    for (unsigned kind = 0; kind < kinds; ++kind) {
      if (!isOfTurn(kind) && !testsAll()) continue;
      const cl_ulong outer = std::array{5, 1, 2}[kind], inner = std::array{1, 5, 9}[kind];
      const cl_uint inverse = inner == 5;
      const std::vector<float> values = numbers<float>(2 * outer * n * inner);
      cl_mem x = bufferWith(values), y = bufferWith(std::vector<float>(values.size()));
      run("clarity.fft.f32", outer, n, inner, inverse, x, y);
      const std::vector<float> result = read<float>(y, values.size());
      run("clarity.fft.f32", outer, n, inner, inverse, x, x);
      EXPECT_EQ(read<float>(x, values.size()), result) << n << " in place";
      for (const auto& [o, i] : {std::pair<cl_ulong, cl_ulong>(0, 0), {outer - 1, inner - 1}}) {
        const auto at = [&](const std::vector<float>& from, cl_ulong j) {
          const cl_ulong place = 2 * ((o * n + j) * inner + i);
          return Number(from[place], from[place + 1]);
        };
        double squares = 0;
        for (cl_ulong j = 0; j < n; ++j) squares += static_cast<double>(std::norm(at(values, j)));
        for (const cl_ulong k : someOf(n))
          ASSERT_LE(static_cast<double>(
                        std::abs(at(result, k) - sumOf(n, k, inverse != 0, [&](cl_ulong j) { return at(values, j); }))),
                    boundOf<float>(n, squares))
              << n << ", " << outer << " x " << inner << ", number " << k;
      }
    }
  }
}

TEST_F(BuiltInFourier, real) {
  forTypes<float, double>([&]<class T>(std::type_identity<T>) {
    for (const cl_ulong n : {1, 2, 9, 100, 1021, 4096})
      for (const cl_ulong outer : {1, 3}) {
        const std::vector<T> values = numbers<T>(outer * n);
        const cl_ulong kept = n / 2 + 1, o = outer - 1;
        cl_mem x = bufferWith(values), y = bufferWith(std::vector<T>(2 * outer * kept));
        run(named<T>("clarity.fft.from_real"), outer, n, x, y);
        const std::vector<T> result = read<T>(y, 2 * outer * kept);
        double squares = 0;
        for (cl_ulong j = 0; j < n; ++j) squares += static_cast<double>(values[o * n + j] * values[o * n + j]);
        for (const cl_ulong k : someOf(kept)) {
          const Number sum = sumOf(n, k, false, [&](cl_ulong j) { return Number(values[o * n + j]); });
          const Number is(result[2 * (o * kept + k)], result[2 * (o * kept + k) + 1]);
          ASSERT_LE(static_cast<double>(std::abs(is - sum)), boundOf<T>(n, squares)) << n << ", number " << k;
        }
        cl_mem back = bufferWith(std::vector<T>(outer * n));
        run(named<T>("clarity.fft.to_real"), outer, n, y, back);
        const std::vector<T> again = read<T>(back, outer * n);
        for (cl_ulong j = 0; j < n; ++j)
          ASSERT_NEAR(static_cast<double>(again[o * n + j]) / static_cast<double>(n),
                      static_cast<double>(values[o * n + j]), 2 * boundOf<T>(n, squares / static_cast<double>(n)))
              << n << ", number " << j;
      }
  });
}

}  // namespace
