// SPDX-License-Identifier: Apache-2.0
// This file describes the products of matrices (kernels/matrices.cl, doubles.cl, halves.cl).
#include <algorithm>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

// c = a b with blocks of four rows: blocking for registers, less than a library would do.
template <typename T>
void multiplyOnHost(const T* a, const T* b, T* c, std::size_t side) {
  parallelFor(side / 4, [=](std::size_t block) {
    const T* rows = a + block * 4 * side;
    T* result = c + block * 4 * side;
    std::fill_n(result, 4 * side, T{0});
    for (std::size_t i = 0; i < side; ++i) {
      const T a0 = rows[i], a1 = rows[side + i], a2 = rows[2 * side + i], a3 = rows[3 * side + i];
      for (std::size_t column = 0; column < side; ++column) {
        const T value = b[i * side + column];
        result[column] += a0 * value;
        result[side + column] += a1 * value;
        result[2 * side + column] += a2 * value;
        result[3 * side + column] += a3 * value;
      }
    }
  });
}

template <typename T>
void describeProduct(Problem& p, std::size_t side, const std::vector<T>& left, const std::vector<T>& right,
                     Tolerance tolerance) {
  const T* a = p.input(left);
  const T* b = p.input(right);
  T* c = p.output<T>(side * side, tolerance);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(side));
  const auto order = static_cast<double>(side);
  p.needs(2 * order * order * order, Unit::Flops);
  p.host([=] { multiplyOnHost(a, b, c, side); });
}

std::size_t describeFloats(Problem& p, std::size_t normalSide = 512) {
  const std::size_t side = p.size(64, normalSide);
  describeProduct(p, side, randomFloats(side * side, 1), randomFloats(side * side, 2), {.absolute = 1e-3});
  p.items(side, side);
  return side;
}

void matmulNaive(Problem& p) { describeFloats(p); }
// Rows of a page, of matrices that no second-level cache holds.
void matmulLarge(Problem& p) { describeFloats(p, 1024); }

void matmulOneId(Problem& p) {
  const std::size_t side = describeFloats(p);
  p.items(side * side);
}

void matmulTiled(Problem& p) {
  describeFloats(p);
  p.group(16, 16);
}

void matmulRegisters(Problem& p) {
  const std::size_t side = describeFloats(p);
  p.items(side, side / 8);
  p.group(32, 4);
}

void matmulBlock4(Problem& p) {
  const std::size_t side = describeFloats(p);
  p.items(side / 4, side / 4);
}

void matmulInt(Problem& p) {
  const std::size_t side = p.size(64, 512);
  describeProduct(p, side, randomIntegers<std::int32_t>(side * side, 3, 0, 1000),
                  randomIntegers<std::int32_t>(side * side, 4, 0, 1000), {});
  p.items(side, side);
}

void describeDoubles(Problem& p, std::size_t normalSide) {
  const std::size_t side = p.size(64, normalSide);
  describeProduct(p, side, randomDoubles(side * side, 5), randomDoubles(side * side, 6), {.absolute = 1e-11});
  p.items(side, side);
}

void matmulDouble(Problem& p) { describeDoubles(p, 384); }

void matmulLargeDouble(Problem& p) { describeDoubles(p, 1024); }

// Sums of 512 terms with 11 bits, rounded differently by the kernel and the host.
void matmulHalf(Problem& p) {
  const std::size_t side = p.size(64, 512);
  describeProduct(p, side, randomHalves(side * side, 9), randomHalves(side * side, 10), {.absolute = 0.5});
  p.items(side, side);
}

void batch(Problem& p) {
  const std::size_t matrices = p.size(2000, 300000);
  const float* a = p.input(randomFloats(matrices * 16, 7));
  const float* b = p.input(randomFloats(matrices * 16, 8));
  float* c = p.output<float>(matrices * 16, {.absolute = 1e-5});
  p.items(matrices);
  p.needs(static_cast<double>(matrices) * 192, Unit::Bytes);
  p.host([=] {
    parallelFor(matrices, [=](std::size_t i) {
      const float *x = a + i * 16, *y = b + i * 16;
      for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 4; ++column) {
          float sum = 0;
          for (std::size_t k = 0; k < 4; ++k) sum += x[row * 4 + k] * y[k * 4 + column];
          c[i * 16 + row * 4 + column] = sum;
        }
    });
  });
}

}  // namespace

std::vector<Case> matricesCases() {
  return {{"matrices", "matmul_row0", "", matmulNaive},
          {"matrices", "matmul_row1", "", matmulNaive},
          {"matrices", "matmul_row1", "side 1024", matmulLarge},
          {"matrices", "matmul_one_id", "", matmulOneId},
          {"matrices", "matmul_tiled", "", matmulTiled},
          {"matrices", "matmul_block4", "", matmulBlock4},
          {"matrices", "matmul_registers", "", matmulRegisters},
          {"matrices", "matmul_int", "", matmulInt},
          {"doubles", "matmul_double", "", matmulDouble, "cl_khr_fp64"},
          {"doubles", "matmul_double", "side 1024", matmulLargeDouble, "cl_khr_fp64"},
          {"matrices", "batch_float16", "", batch},
          {"matrices", "batch_float4", "", batch},
          {"halves", "matmul_half", "", matmulHalf, "cl_khr_fp16"}};
}

}  // namespace bench
