// SPDX-License-Identifier: Apache-2.0
// This file describes launches with work-groups of many shapes (kernels/ranges.cl).
#include <cmath>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

constexpr Tolerance rounding = {.absolute = 1e-4, .relative = 1e-6};

std::size_t rounded(std::size_t count, std::size_t local) {
  return local ? (count + local - 1) / local * local : count;
}

// `local` 0: the implementation chooses.
void range1d(Problem& p, std::size_t count, std::size_t local) {
  const float* in = p.input(randomFloats(count, 1));
  float* out = p.output<float>(count, rounding);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  p.items(rounded(count, local));
  if (local) p.group(local);
  p.needs(static_cast<double>(count) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(count, [=](std::size_t i) {
      out[i] = ((in[i] * 0.3F + 0.5F) * in[i] - 0.7F) * in[i] + std::sqrt(std::fabs(in[i]));
    });
  });
}

struct Shape {
  std::size_t x, y;
};

void range2d(Problem& p, Shape size, Shape local, bool swapped) {
  const auto [width, height] = size;
  const float* in = p.input(randomFloats(width * height, 2));
  float* out = p.output<float>(width * height, rounding);
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(height));
  const Shape items = swapped ? Shape{height, width} : size;
  p.items(rounded(items.x, local.x), rounded(items.y, local.y));
  if (local.x) p.group(local.x, local.y);
  p.needs(static_cast<double>(width * height) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      for (std::size_t x = 0; x < width; ++x)
        out[y * width + x] = in[y * width + x] * static_cast<float>(x) + static_cast<float>(y);
    });
  });
}

void range3d(Problem& p) {
  const std::size_t width = p.size(30, 150), height = p.size(20, 150), depth = p.size(10, 80);
  const float* in = p.input(randomFloats(width * height * depth, 3));
  float* out = p.output<float>(width * height * depth, rounding);
  p.items(width, height, depth);
  p.group(10, 5, 2);
  p.needs(static_cast<double>(width * height * depth) * 8, Unit::Bytes);
  p.host([=] {
    parallelFor(height * depth, [=](std::size_t row) {
      const auto y = static_cast<float>(row % height), z = static_cast<float>(row / height);
      for (std::size_t x = 0; x < width; ++x)
        out[row * width + x] = in[row * width + x] * static_cast<float>(x) + y - z;
    });
  });
}

Case case1d(const std::string& variant, std::size_t small, std::size_t normal, std::size_t local) {
  return {"ranges", "range_1d", variant, [=](Problem& p) { range1d(p, p.size(small, normal), local); }};
}

Case case2d(const std::string& variant, Shape small, Shape normal, Shape local, bool swapped = false) {
  return {"ranges", swapped ? "range_2d_swapped" : "range_2d", variant,
          [=](Problem& p) { range2d(p, {p.size(small.x, normal.x), p.size(small.y, normal.y)}, local, swapped); }};
}

}  // namespace

std::vector<Case> rangesCases() {
  constexpr std::size_t small = 10000, normal = 2000000;
  const Shape smallPicture = {160, 96}, picture = {1600, 960}, smallOdd = {101, 67}, odd = {1501, 997};
  return {case1d("local 1", small, normal, 1),
          case1d("local 7", small, normal, 7),
          case1d("local 64", small, normal, 64),
          case1d("local 256", small, normal, 256),
          case1d("local chosen", small, normal, 0),
          case1d("prime, local chosen", 10007, 2000003, 0),
          case1d("prime, local 100", 10007, 2000003, 100),
          case2d("local 1x1", smallPicture, picture, {1, 1}),
          case2d("local 8x8", smallPicture, picture, {8, 8}),
          case2d("local 16x16", smallPicture, picture, {16, 16}),
          case2d("local 32x4", smallPicture, picture, {32, 4}),
          case2d("local 1x64", smallPicture, picture, {1, 64}),
          case2d("local chosen", smallPicture, picture, {0, 0}),
          case2d("odd, local chosen", smallOdd, odd, {0, 0}),
          case2d("odd, local 5x3", smallOdd, odd, {5, 3}),
          case2d("local 16x16", smallPicture, picture, {16, 16}, true),
          case2d("local chosen", smallPicture, picture, {0, 0}, true),
          {"ranges", "range_3d", "local 10x5x2", range3d}};
}

}  // namespace bench
