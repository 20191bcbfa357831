// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels of vectors, and of matrices with vectors (kernels/linear.cl).
#include <algorithm>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

void saxpy(Problem& p) {
  const std::size_t count = p.size(20000, 8000000);
  const float a = p.scalar(1.5F);
  const float* x = p.input(randomFloats(count, 1));
  float* y = p.update(randomFloats(count, 2), {.absolute = 1e-6});
  p.items(count);
  p.needs(static_cast<double>(count) * 12, Unit::Bytes);
  p.host([=] { parallelFor(count, [=](std::size_t i) { y[i] = a * x[i] + y[i]; }); });
}

void saxpyStrided(Problem& p) {
  const std::size_t count = p.size(20000, 500000);
  const float a = p.scalar(1.5F);
  const float* x = p.input(randomFloats(count, 1));
  const auto stepX = static_cast<std::size_t>(p.scalar(std::int32_t{1}));
  float* y = p.update(randomFloats(count, 2), {.absolute = 1e-6});
  const auto stepY = static_cast<std::size_t>(p.scalar(std::int32_t{1}));
  p.items(count);
  p.needs(static_cast<double>(count) * 12, Unit::Bytes);
  p.host([=] { parallelFor(count, [=](std::size_t i) { y[i * stepY] = a * x[i * stepX] + y[i * stepY]; }); });
}

void saxpyHalf(Problem& p) {
  const std::size_t count = p.size(20000, 16000000);
  const auto a = p.scalar(static_cast<_Float16>(1.5F));
  const _Float16* x = p.input(randomHalves(count, 1));
  _Float16* y = p.update(randomHalves(count, 2), {.absolute = 4e-3});
  p.items(count);
  p.needs(static_cast<double>(count) * 6, Unit::Bytes);
  p.host([=] { parallelFor(count, [=](std::size_t i) { y[i] = a * x[i] + y[i]; }); });
}

void dotStrided(Problem& p) {
  const std::size_t count = p.size(50000, 2000000), items = p.size(256, 4096);
  const float* x = p.input(randomFloats(count, 3));
  const float* y = p.input(randomFloats(count, 4));
  float* sums = p.output<float>(items, {.absolute = 1e-3});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  p.items(items);
  p.group(64);
  p.needs(static_cast<double>(count) * 8, Unit::Bytes);
  // Each thread computes adjacent sums, so that memory is read in order.
  p.host([=] {
    const std::size_t shares = items / 64;
    parallelFor(shares, [=](std::size_t share) {
      float own[64] = {};
      for (std::size_t row = share * 64; row < count; row += items)
        for (std::size_t i = 0, end = std::min<std::size_t>(64, count - row); i < end; ++i)
          own[i] += x[row + i] * y[row + i];
      std::copy_n(own, 64, sums + share * 64);
    });
  });
}

void gemvRow(Problem& p) {
  const std::size_t rows = p.size(200, 3000), columns = p.size(150, 2500);
  const float* a = p.input(randomFloats(rows * columns, 5));
  const float* x = p.input(randomFloats(columns, 6));
  float* y = p.output<float>(rows, {.absolute = 1e-3});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(columns));
  p.items(rows);
  p.needs(static_cast<double>(rows * columns) * 4, Unit::Bytes);
  p.host([=] {
    parallelFor(rows, [=](std::size_t row) {
      float sums[16] = {};  // one sum for each lane: the order of floating-point additions is otherwise fixed
      std::size_t i = 0;
      for (; i + 16 <= columns; i += 16)
        for (std::size_t lane = 0; lane < 16; ++lane) sums[lane] += a[row * columns + i + lane] * x[i + lane];
      float sum = 0;
      for (const float part : sums) sum += part;
      for (; i < columns; ++i) sum += a[row * columns + i] * x[i];
      y[row] = sum;
    });
  });
}

void gemvTransposed(Problem& p) {
  const std::size_t rows = p.size(200, 2500), columns = p.size(192, 3072);
  const float* a = p.input(randomFloats(rows * columns, 7));
  const float* x = p.input(randomFloats(rows, 8));
  float* y = p.output<float>(columns, {.absolute = 1e-3});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(rows));
  p.items(columns);
  p.group(64);
  p.needs(static_cast<double>(rows * columns) * 4, Unit::Bytes);
  p.host([=] {
    parallelFor(columns / 64, [=](std::size_t block) {
      float sums[64] = {};
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < 64; ++i) sums[i] += a[row * columns + block * 64 + i] * x[row];
      std::copy_n(sums, 64, y + block * 64);
    });
  });
}

void transpose(Problem& p) {
  const std::size_t width = p.size(150, 2000), height = p.size(100, 1500);
  const float* in = p.input(randomFloats(width * height, 9));
  float* out = p.output<float>(width * height);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(height));
  p.items((width + 15) / 16 * 16, (height + 15) / 16 * 16);
  p.group(16, 16);
  p.needs(static_cast<double>(width * height) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor((height + 15) / 16, [=](std::size_t block) {
      for (std::size_t left = 0; left < width; left += 16)
        for (std::size_t x = left; x < std::min(left + 16, width); ++x)
          for (std::size_t y = block * 16; y < std::min(block * 16 + 16, height); ++y)
            out[x * height + y] = in[y * width + x];
    });
  });
}

void triangularStep(Problem& p) {
  const std::size_t order = p.size(100, 1500), sides = p.size(80, 1024), step = 3;
  auto matrix = randomFloats(order * order, 10);
  for (std::size_t i = 0; i < order; ++i) matrix[i * order + i] = 2;
  const float* lower = p.input(matrix);
  float* right = p.update(randomFloats(order * sides, 11), {.absolute = 1e-5});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(step));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(order));
  p.items(sides, order);
  p.needs(static_cast<double>(order * sides) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(order - step - 1, [=](std::size_t i) {
      const std::size_t row = step + 1 + i;
      const float factor = lower[row * order + step];
      for (std::size_t side = 0; side < sides; ++side)
        right[row * sides + side] -= factor * (right[step * sides + side] / lower[step * order + step]);
    });
  });
}

}  // namespace

std::vector<Case> linearCases() {
  return {{"linear", "saxpy", "", saxpy},
          {"linear", "saxpy_strided", "", saxpyStrided},
          {"halves", "saxpy_half", "", saxpyHalf, "cl_khr_fp16"},
          {"linear", "dot_strided", "", dotStrided},
          {"linear", "gemv_row", "", gemvRow},
          {"linear", "gemv_transposed", "", gemvTransposed},
          {"linear", "transpose_naive", "", transpose},
          {"linear", "transpose_local", "", transpose},
          {"linear", "triangular_step", "", triangularStep}};
}

}  // namespace bench
